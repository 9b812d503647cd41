//! What is Schema.org's. Which profile a class belongs to is in [`crate::profiles`].

use crate::text;

/// Parts of Schema.org that had hosts of their own; old markup still names them.
const EXTENSIONS: [&str; 6] = ["auto.", "bib.", "health-lifesci.", "iot.", "meta.", "pending."];

/// The term of a Schema.org IRI: `https://schema.org/Product` → `Product`. Anything else is `None`.
///
/// Taken as Schema.org's, because pages write it so: http, https, `//` and no scheme; `www.` and the hosts of
/// extensions; any case of the host; space around; several slashes, `#` or none before the term (a `vocab` without
/// its slash gives `http://schema.orgname`); a slash after it. Terms of the retired `data-vocabulary.org` come out
/// under their Schema.org names.
pub fn local_name(iri: &str) -> Option<&str> {
    let iri = text::trim(iri);
    let rest = after_scheme(iri);
    let absolute = rest.len() < iri.len();
    let rest = text::strip_prefix_ignoring_case(rest, "www.").unwrap_or(rest);
    if let Some(name) = text::strip_prefix_ignoring_case(rest, "data-vocabulary.org/") {
        return term(name).map(renamed);
    }
    let host = EXTENSIONS.iter().find_map(|e| text::strip_prefix_ignoring_case(rest, e)).unwrap_or(rest);
    let name = text::strip_prefix_ignoring_case(host, "schema.org")?;
    match name.bytes().next()? {
        b'/' | b'#' => term(name),
        // Without a slash the letters could go on the host name, so only a scheme and one word are believed.
        b if absolute && b.is_ascii_alphabetic() && name.bytes().all(|b| b.is_ascii_alphanumeric()) => Some(name),
        _ => None,
    }
}

/// The word of an enumeration value: `https://schema.org/InStock` → `InStock`, also as `schema:InStock` and from
/// GoodRelations, whose days and conditions Schema.org took over. `None` for everything that is no member's IRI.
pub fn is_enumeration_like(iri: &str) -> Option<&str> {
    let iri = text::trim(iri);
    let name = local_name(iri)
        .or_else(|| iri.strip_prefix("schema:"))
        .or_else(|| after_scheme(iri).strip_prefix("purl.org/goodrelations/v1#"))?;
    let word = name.bytes().all(|b| b.is_ascii_alphanumeric());
    (word && name.bytes().next()?.is_ascii_uppercase()).then_some(name)
}

/// Whether an IRI under this property may stand for an entity of the page. Addresses of pages and files are
/// addresses, also where an entity happens to have the same IRI.
pub fn links(property: &str) -> bool {
    !matches!(
        property,
        "url" | "sameAs" | "contentUrl" | "embedUrl" | "thumbnailUrl" | "downloadUrl" | "installUrl" | "additionalType"
    )
}

fn after_scheme(iri: &str) -> &str {
    let Some(rest) = text::strip_prefix_ignoring_case(iri, "http") else {
        return iri.strip_prefix("//").unwrap_or(iri);
    };
    let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
    rest.strip_prefix("://").unwrap_or(iri)
}

/// A path that is one term.
fn term(path: &str) -> Option<&str> {
    let name = path.trim_start_matches(['/', '#', ' ']);
    let name = name.strip_suffix('/').unwrap_or(name);
    (!name.is_empty() && !name.contains(['/', '?', '#'])).then_some(name)
}

/// data-vocabulary.org's terms that Schema.org named otherwise. The rest are the same in both.
fn renamed(name: &str) -> &str {
    match name {
        "Breadcrumb" => "ListItem",
        "Review-aggregate" => "AggregateRating",
        "Offer-aggregate" => "AggregateOffer",
        "Address" => "PostalAddress",
        "Geo" => "GeoCoordinates",
        "Nutrition" => "NutritionInformation",
        "fn" => "name",
        "photo" => "image",
        "tel" => "telephone",
        "street-address" => "streetAddress",
        "postal-code" => "postalCode",
        "locality" => "addressLocality",
        "region" => "addressRegion",
        "country-name" => "addressCountry",
        "itemreviewed" => "itemReviewed",
        "reviewer" => "author",
        "dtreviewed" | "published" => "datePublished",
        "rating" | "average" => "ratingValue",
        "best" => "bestRating",
        "worst" => "worstRating",
        "votes" => "ratingCount",
        "count" => "reviewCount",
        "offerDetails" => "offers",
        "currency" => "priceCurrency",
        "ingredient" => "recipeIngredient",
        "instructions" => "recipeInstructions",
        "yield" => "recipeYield",
        "recipeType" => "recipeCategory",
        _ => name,
    }
}

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
