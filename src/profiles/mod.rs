//! What is known of each type: its tool's name and wording, and which properties matter in which place.
//!
//! A profile is one `<slug>.toml` beside this file; `build.rs` checks them and compiles them into static tables. A class
//! belongs to the profile of its nearest ancestor in the Schema.org hierarchy (`vocabulary/classes.tsv`). That walk
//! happens in the build, so only fingerprints of class names are in the wasm.

use alloc::string::String;

include!("fingerprint.rs");
mod tables {
    use super::{FinerTool, Names, Profile, ProfileKind, Section};
    include!(concat!(env!("OUT_DIR"), "/profiles.rs"));
}

/// What is known of a type and the types below it.
#[derive(Debug)]
pub struct Profile {
    /// Word of the tool names: `product` in `get_product`. At most 20 characters.
    pub slug: &'static str,
    /// Title of the tool, for people: `Product`.
    pub title: &'static str,
    /// What the tool tells, completing "… of the product on this page". At most 120 characters.
    pub about: &'static str,
    /// Whether entities of the type are what pages are about.
    pub kind: ProfileKind,
    /// As the page's subject the lower rank wins.
    pub rank: u8,
    /// Properties that answer first, in this order.
    pub headline: Names,
    /// Properties that a list gives of each item.
    pub item: Names,
    /// Properties that stand for the entity inside another one's answer: one gives its plain value, several an object.
    pub brief: Names,
    /// Properties that are asked for by a section's name. What is neither here nor in the headline is `details`.
    pub sections: &'static [Section],
    /// Finer tools about one property each.
    pub tools: &'static [FinerTool],
}

/// What a page does with entities of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProfileKind {
    /// Pages are about it: it gets a reader.
    Subject,
    /// It belongs into the answer of the entity that refers to it (an address, a price); no reader beside a subject.
    Part,
    /// It stands for the page itself: its `mainEntity` is the subject. Read only if nothing else is there.
    Page,
    /// What is around the content (header, navigation): no reader.
    Furniture,
    /// For machines (entry points, actions): no reader.
    Machinery,
}

/// A section of an answer.
#[derive(Debug)]
pub struct Section {
    /// Value of the `section` parameter.
    pub name: &'static str,
    /// Its properties.
    pub properties: Names,
}

/// A finer tool: `offer` of `product` is `get_product_offer`.
#[derive(Debug)]
pub struct FinerTool {
    /// Follows the slug in the tool's name; with the underscores as spaces it follows the title.
    pub name: &'static str,
    /// Where it reads: the first of these that has values. A dot leads into the entity (`isVariantOf.aggregateRating`).
    pub paths: Names,
    /// What it tells, completing "… of the product on this page". At most 120 characters.
    pub about: &'static str,
    /// Whether it is registered without `toolset: "split"`.
    pub compact: bool,
}

/// Names of properties, in order.
#[derive(Clone, Copy, Debug)]
pub struct Names(&'static [u8]);

impl Names {
    /// The names.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        let mut rest = self.0;
        core::iter::from_fn(move || number(&mut rest).map(|at| name(at as usize)))
    }

    /// Whether `name` is among them.
    pub fn contains(self, name: &str) -> bool {
        self.iter().any(|n| n == name)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

/// The profile of a Schema.org class: its own, or that of its nearest ancestor. `None` for classes without one and for
/// words that are no class (but for one in some thousand, since only fingerprints are compared).
pub fn profile(class: &str) -> Option<&'static Profile> {
    let wanted = fingerprint(tables::SEED, class);
    let mut rest = tables::CLASSES;
    for profile in tables::PROFILES {
        let mut print = 0;
        for _ in 0..number(&mut rest)? {
            print += number(&mut rest)?;
            if print == wanted {
                return Some(profile);
            }
        }
    }
    None
}

/// The profile of an entity with these types: of several the one that says most, a subject's before a part's. A type
/// in lower case (`product`) is read as the class it must mean.
pub fn of<T: AsRef<str>>(types: &[T]) -> Option<&'static Profile> {
    let mut best: Option<&'static Profile> = None;
    for class in types.iter().map(AsRef::as_ref) {
        let found = profile(class).or_else(|| {
            let mut name = String::new();
            let (first, rest) = class.split_at_checked(1)?;
            name.push(first.as_bytes()[0].to_ascii_uppercase() as char);
            name.push_str(rest);
            profile(&name)
        });
        if let Some(p) = found {
            if best.is_none_or(|b| (p.kind as u8, p.rank) < (b.kind as u8, b.rank)) {
                best = Some(p);
            }
        }
    }
    best
}

/// The profile with this slug.
pub fn by_slug(slug: &str) -> Option<&'static Profile> {
    tables::PROFILES.iter().find(|p| p.slug == slug)
}

/// All profiles.
pub fn all() -> &'static [Profile] {
    tables::PROFILES
}

fn name(at: usize) -> &'static str {
    let from = if at == 0 { 0 } else { tables::NAME_ENDS[at - 1] as usize };
    &tables::NAMES[from..tables::NAME_ENDS[at] as usize]
}

/// Takes one LEB128 number off the front.
fn number(bytes: &mut &'static [u8]) -> Option<u32> {
    let mut n = 0;
    let mut shift = 0;
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(n);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slug(class: &str) -> &'static str {
        profile(class).map_or("", |p| p.slug)
    }

    #[test]
    fn every_class_resolves_as_the_build_found() {
        let rows = include_str!(concat!(env!("OUT_DIR"), "/classes.tsv"));
        let mut n = 0;
        for row in rows.lines() {
            let (class, expected) = row.split_once('\t').unwrap();
            assert_eq!(slug(class), expected, "{class}");
            n += 1;
        }
        assert!(n > 900);
    }

    #[test]
    fn the_nearest_ancestor_decides() {
        for (class, expected) in [
            ("Product", "product"),
            ("Vehicle", "product"),
            ("AggregateOffer", "offer"),
            ("NewsArticle", "article"),
            ("LiveBlogPosting", "article"),
            ("DiscussionForumPosting", "discussion"),
            ("FAQPage", "faq"),
            ("AboutPage", "web_page"),
            ("ImageGallery", "collection_page"),
            ("WPHeader", "furniture"),
            ("BreadcrumbList", "breadcrumbs"),
            ("MusicEvent", "event"),
            ("Recipe", "recipe"),
            ("Dentist", "business"),
            ("Hospital", "business"),
            ("Museum", "place"),
            ("HotelRoom", "property"),
            ("SelfStorage", "business"),
            ("NewsMediaOrganization", "organization"),
            ("VideoGame", "application"),
            ("ImageObject", "image"),
            ("VideoObject", "media"),
            ("HowToStep", "step"),
            ("Answer", "comment"),
            ("Question", "question"),
            ("SearchAction", "action"),
            ("UnitPriceSpecification", "amount"),
            ("InteractionCounter", "detail"),
            // Written in another case, or not in the vocabulary.
            ("Website", "web_site"),
            ("TrainingMaterial", "learning_resource"),
            // No profile: the generic reader.
            ("Thing", ""),
            ("CreativeWork", ""),
            ("Credential", ""),
            ("MedicalCondition", ""),
            ("Produkt", ""),
            ("", ""),
            ("constructor", ""),
        ] {
            assert_eq!(slug(class), expected, "{class}");
        }
    }

    #[test]
    fn of_several_types_the_most_telling() {
        for (types, expected) in [
            (&["WebPage", "FAQPage"][..], "faq"),
            (&["Organization", "Person"], "person"),
            (&["Place", "LocalBusiness", "Organization"], "business"),
            (&["Offer", "Product"], "product"),
            (&["Thing", "ImageObject"], "image"),
            (&["Thing"], ""),
            (&[], ""),
        ] {
            assert_eq!(of(types).map_or("", |p| p.slug), expected, "{types:?}");
        }
    }

    /// What agents ask for first stands in the headlines.
    #[test]
    fn headlines_hold_the_facts() {
        for (slug, facts) in [
            ("product", &["name", "offers", "aggregateRating", "brand"][..]),
            ("offer", &["price", "priceCurrency", "lowPrice", "highPrice", "availability"]),
            ("article", &["headline", "author", "datePublished", "dateModified"]),
            ("event", &["name", "startDate", "endDate", "location", "offers"]),
            ("business", &["name", "address", "openingHours", "aggregateRating"]),
            ("recipe", &["name", "author", "prepTime", "cookTime", "totalTime", "recipeYield", "aggregateRating"]),
            ("job", &["title", "jobLocation", "baseSalary", "datePosted", "validThrough", "hiringOrganization"]),
            ("howto", &["name", "totalTime", "yield"]),
            ("review", &["author", "datePublished", "reviewRating"]),
        ] {
            let headline = by_slug(slug).unwrap().headline;
            for fact in facts {
                assert!(headline.contains(fact), "{slug}: {fact}");
            }
        }
    }

    #[test]
    fn names_in_order() {
        let product = by_slug("product").unwrap();
        let headline: alloc::vec::Vec<_> = product.headline.iter().collect();
        assert_eq!(headline[..3], ["name", "url", "offers"]);
        assert!(product.headline.contains("brand") && !product.headline.contains("review"));
        assert!(!product.brief.is_empty());
        assert_eq!(product.tools[0].name, "offer");
        assert!(product.tools[0].compact);
    }
}
