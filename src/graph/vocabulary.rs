//! What is Schema.org's. Which profile a class belongs to is in [`crate::profiles`].

use super::Syntax;
use crate::text;

/// What may stand before a host name, in this order; parts of Schema.org had hosts of their own, which old markup
/// still names.
const BEFORE_HOST: &str = "http: https: // / www. auto. bib. health-lifesci. iot. meta. pending.";

/// What follows `host` in an address, in the spellings of pages: http, https, `//` or no scheme; `www.` and the hosts
/// of extensions; any case; space around. `None` for an address elsewhere.
#[inline(never)]
pub fn after_host<'a>(address: &'a str, host: &str) -> Option<&'a str> {
    let mut rest = text::trim(address);
    // As nearly all are: every property of every node is asked.
    if rest.starts_with("https://schema.org") && host.len() == HOST.len() {
        return Some(text::rest(rest, "https://".len() + host.len()));
    }
    for part in text::tokens(BEFORE_HOST) {
        rest = text::strip_prefix_ignoring_case(rest, part).unwrap_or(rest);
    }
    text::strip_prefix_ignoring_case(rest, host)
}

/// The host of Schema.org.
pub const HOST: &str = "schema.org";
/// The namespace of Schema.org as it spells it today.
pub const SCHEMA_ORG: &str = "https://schema.org/";

/// For an address that is Schema.org's ([`after_host`]): what follows the host and the slashes or `#` behind it.
#[inline(never)]
pub fn schema_org(address: &str) -> Option<&str> {
    let path = named(address)?;
    let name = trim_start(path);
    (path.is_empty() || name.len() < path.len()).then_some(name)
}

/// [`after_host`] for Schema.org's host, and for the one that Google gave out for the same terms.
fn named(address: &str) -> Option<&str> {
    after_host(address, HOST).or_else(|| after_host(address, "schema.googleapis.com"))
}

/// The term of a Schema.org IRI: `https://schema.org/Product` → `Product`. Anything else is `None`.
///
/// Taken as Schema.org's, because pages write it so: the spellings of [`after_host`]; several slashes, `#` or none
/// before the term (a `vocab` without its slash gives `http://schema.orgname`); a slash after it. Terms of the retired
/// `data-vocabulary.org` come out under their Schema.org names.
#[inline(never)]
pub fn local_name(iri: &str) -> Option<&str> {
    let Some(path) = named(iri) else {
        let name = term(after_host(iri, "data-vocabulary.org")?)?;
        return Some(text::lookup(RENAMED, name).unwrap_or(name));
    };
    let name = term(path)?;
    // Without a slash the letters could go on the host name, so only a scheme and one word are believed.
    let separate = matches!(path.as_bytes()[0], b'/' | b'#');
    (separate || iri.len() > HOST.len() + path.len() && name.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(name)
}

/// The word of an enumeration value: `https://schema.org/InStock` → `InStock`, also as `schema:InStock` and from
/// GoodRelations, whose days and conditions Schema.org took over. `None` for everything that is no member's IRI.
pub fn is_enumeration_like(iri: &str) -> Option<&str> {
    let iri = text::trim(iri);
    // Every text of an answer is asked.
    if !text::has(iri, b'/') && !text::has(iri, b':') {
        return None;
    }
    let name = local_name(iri)
        .or_else(|| iri.strip_prefix("schema:"))
        .or_else(|| after_host(iri, "purl.org/goodrelations/v1#"))?;
    let word = name.bytes().all(|b| b.is_ascii_alphanumeric());
    (word && name.bytes().next()?.is_ascii_uppercase()).then_some(name)
}

/// Whether an IRI under this property may stand for an entity of the page. Addresses of pages and files are
/// addresses, also where an entity happens to have the same IRI.
pub fn links(property: &str) -> bool {
    !text::listed("url sameAs contentUrl embedUrl thumbnailUrl downloadUrl installUrl additionalType", property)
}

/// Whether a text under this property is a relative address. Where values are addresses, in JSON-LD all are, by its
/// context, and elsewhere those that begin as a path; of a list entry's `item`, which may be a name, everywhere these.
pub fn is_relative(property: &str, text: &str, syntax: Option<Syntax>) -> bool {
    let path = matches!(text.as_bytes().first(), Some(b'/' | b'.'));
    let any = syntax == Some(Syntax::JsonLd) && !text.is_empty() && !text.starts_with("www.");
    // A colon is of a scheme, perhaps of one that something hides; an @ of an e-mail address.
    !text.bytes().any(|b| matches!(b, b':' | b'@') || text::is_space(b))
        && if links(property) { path && property == "item" } else { path || any }
        && !is_placeholder(text)
}

/// Whether an `@id` is what a template prints for a missing value. Nodes that share it are not the same thing.
pub fn is_placeholder(id: &str) -> bool {
    let marks = id.bytes().take_while(|b| matches!(b, b'#' | b'/')).count();
    let id = text::part(id, marks, id.len());
    text::listed("undefined null nan none false", id) || text::same_ignoring_case(id, "[object object]")
}

/// A path that is one term.
fn term(path: &str) -> Option<&str> {
    let name = trim_start(path);
    let name = name.strip_suffix('/').unwrap_or(name);
    (!name.is_empty() && !name.bytes().any(|b| matches!(b, b'/' | b'?' | b'#'))).then_some(name)
}

fn trim_start(path: &str) -> &str {
    let n = path.bytes().take_while(|b| matches!(b, b'/' | b'#' | b' ')).count();
    text::part(path, n, path.len())
}

/// data-vocabulary.org's terms that Schema.org named otherwise, each with its new name. The rest are the same in both.
const RENAMED: &str = "Breadcrumb ListItem Review-aggregate AggregateRating Offer-aggregate AggregateOffer Address PostalAddress \
Geo GeoCoordinates Nutrition NutritionInformation fn name photo image tel telephone \
street-address streetAddress postal-code postalCode locality addressLocality region addressRegion \
country-name addressCountry itemreviewed itemReviewed reviewer author dtreviewed datePublished \
published datePublished rating ratingValue average ratingValue best bestRating worst worstRating \
votes ratingCount count reviewCount offerDetails offers currency priceCurrency ingredient recipeIngredient \
instructions recipeInstructions yield recipeYield recipeType recipeCategory";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_org_in_its_spellings() {
        for iri in [
            "https://schema.org/Product",
            "http://www.schema.org/Product",
            "HTTP://SCHEMA.ORG/Product",
            "//schema.org/Product",
            "schema.org/Product",
            "http://schema.org//Product",
            "http://schema.org/#Product",
            "http://schema.org#Product",
            "http://schema.orgProduct",
            "https://schema.org/Product/",
            " https://schema.org/Product ",
            "http://pending.schema.org/Product",
            "http://data-vocabulary.org/Product",
            "http://schema.googleapis.com/Product",
        ] {
            assert_eq!(local_name(iri), Some("Product"), "{iri}");
        }
        for iri in [
            "",
            "https://schema.org",
            "https://schema.org/",
            "https://schema.org.evil.test/Product",
            "https://schema.organic.test/Product",
            "https://schema.org:8080/Product",
            "https://schema.org@evil.test/Product",
            "https://evil.schema.org/Product",
            "https://notschema.org/Product",
            "https://vocab.example/Product",
            "httpschema.org/Product",
            "schema.organic",
            "Product",
            "https://schema.org/a/b",
            "https://schema.org/a?b",
        ] {
            assert_eq!(local_name(iri), None, "{iri}");
        }
    }

    #[test]
    fn old_names() {
        for (term, name) in [
            ("Review-aggregate", "AggregateRating"),
            ("Breadcrumb", "ListItem"),
            ("photo", "image"),
            ("title", "title"),
            ("Recipe", "Recipe"),
        ] {
            assert_eq!(local_name(&alloc::format!("http://data-vocabulary.org/{term}")), Some(name));
        }
        assert_eq!(local_name("http://schema.org/yield"), Some("yield"));
    }

    #[test]
    fn enumeration_members_as_words() {
        for (iri, word) in [
            ("https://schema.org/InStock", Some("InStock")),
            ("http://schema.org/UsedCondition ", Some("UsedCondition")),
            ("schema:PreOrder", Some("PreOrder")),
            ("http://purl.org/goodrelations/v1#Monday", Some("Monday")),
            ("https://schema.org/offers", None),
            ("https://shop.example.test/InStock", None),
            ("InStock", None),
            ("In stock", None),
            ("https://schema.org/", None),
        ] {
            assert_eq!(is_enumeration_like(iri), word, "{iri}");
        }
    }
}
