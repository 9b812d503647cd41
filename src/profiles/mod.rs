//! What is known of each type: its tool's name and wording, and which properties matter in which place.
//!
//! A profile is one `<slug>.toml` beside this file; `build.rs` checks them and compiles them into static tables. A class
//! belongs to the profile of its nearest ancestor in the Schema.org hierarchy (`vocabulary/classes.tsv`). That walk
//! happens in the build, so only fingerprints of class names are in the wasm.

mod table;

use table::Cursor;

/// What is known of a type and the types below it.
///
/// It is a piece of one generated string. Everything is read from there when it is asked for: pointers to texts and
/// lists would cost more bytes of wasm than the texts themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile(&'static str);

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
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Value of the `section` parameter.
    pub name: &'static str,
    /// Its properties.
    pub properties: Names,
}

/// A finer tool: `offer` of `product` is `get_product_offer`.
#[derive(Clone, Copy, Debug)]
pub struct FinerTool {
    /// Follows the slug in the tool's name; with the underscores as spaces it follows the title.
    pub name: &'static str,
    /// Where it reads: the first of these that has values. A dot leads into the entity (`isVariantOf.aggregateRating`).
    pub paths: Names,
    /// Whether it is registered without `toolset: "split"`.
    pub compact: bool,
}

/// Names of properties, in order.
#[derive(Clone, Copy, Debug)]
pub struct Names(Cursor);

/// The profile of a Schema.org class: its own, or that of its nearest ancestor. `None` for classes without one and for
/// words that are no class (but for one in two thousand, since only fingerprints are compared).
pub fn profile(class: &str) -> Option<Profile> {
    all().nth(table::profile_index(class)?)
}

/// Of the profiles of an entity's types the one that says most: kinds in the order of [`ProfileKind`], then the rank.
pub fn of<T: AsRef<str>>(types: &[T]) -> Option<Profile> {
    types.iter().filter_map(|t| profile(t.as_ref())).min_by_key(|p| (p.kind(), p.rank()))
}

/// The profile with this slug.
pub fn by_slug(slug: &str) -> Option<Profile> {
    all().find(|p| p.slug() == slug)
}

/// All profiles.
pub fn all() -> impl Iterator<Item = Profile> {
    let mut table = table::profiles();
    core::iter::from_fn(move || (!table.is_empty()).then(|| Profile(table.text())))
}

/// Fields of a profile in the order in which `build.rs` writes them.
const SLUG: usize = 0;
const TITLE: usize = 1;
const ABOUT: usize = 2;
const HEADLINE: usize = 3;
const ITEM: usize = 4;
const BRIEF: usize = 5;
const SECTIONS: usize = 6;
const TOOLS: usize = 7;

impl Profile {
    /// Whether entities of the type are what pages are about.
    pub fn kind(self) -> ProfileKind {
        match Cursor(self.0).number() {
            0 => ProfileKind::Subject,
            1 => ProfileKind::Part,
            2 => ProfileKind::Page,
            3 => ProfileKind::Furniture,
            _ => ProfileKind::Machinery,
        }
    }

    /// As the page's subject the lower rank wins.
    pub fn rank(self) -> u8 {
        let mut at = Cursor(self.0);
        at.number();
        at.number() as u8
    }

    /// Word of the tool names: `product` in `get_product`. At most 20 characters.
    pub fn slug(self) -> &'static str {
        self.field(SLUG).text()
    }

    /// Title of the tool, for people: `Product`.
    pub fn title(self) -> &'static str {
        self.field(TITLE).text()
    }

    /// What the tool tells, completing "Get the product: …". At most 120 characters.
    pub fn about(self) -> &'static str {
        self.field(ABOUT).text()
    }

    /// Properties that answer first, in this order.
    pub fn headline(self) -> Names {
        self.field(HEADLINE).names()
    }

    /// Properties that a list gives of each item.
    pub fn item(self) -> Names {
        self.field(ITEM).names()
    }

    /// Properties that stand for the entity inside another one's answer: one gives its plain value, several an object,
    /// none everything.
    pub fn brief(self) -> Names {
        self.field(BRIEF).names()
    }

    /// Properties that are asked for by a section's name. What is neither here nor in the headline is `details`.
    pub fn sections(self) -> impl Iterator<Item = Section> {
        let mut at = Cursor(self.field(SECTIONS).text());
        core::iter::from_fn(move || (!at.is_empty()).then(|| Section { name: at.text(), properties: at.names() }))
    }

    /// Finer tools about one property each.
    pub fn tools(self) -> impl Iterator<Item = FinerTool> {
        let mut at = self.field(TOOLS);
        core::iter::from_fn(move || {
            (!at.is_empty()).then(|| {
                let compact = at.number() == 1;
                FinerTool { name: at.text(), paths: at.names(), compact }
            })
        })
    }

    fn field(self, n: usize) -> Cursor {
        let mut at = Cursor(self.0);
        at.number();
        at.number();
        for _ in 0..n {
            at.text();
        }
        at
    }
}

impl Names {
    /// The names.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        let mut rest = self.0;
        core::iter::from_fn(move || (!rest.is_empty()).then(|| table::name(rest.number() as usize)))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn slug(class: &str) -> &'static str {
        profile(class).map_or("", |p| p.slug())
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
            ("IndividualProduct", "product"),
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
            ("SomeFutureAction", "action"),
            ("UnitPriceSpecification", "amount"),
            ("InteractionCounter", "detail"),
            // Written in another case, or not in the vocabulary.
            ("Website", "web_site"),
            ("TrainingMaterial", "learning_resource"),
            // No profile: the generic reader.
            ("Thing", ""),
            ("CreativeWork", ""),
            ("Credential", ""),
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
            assert_eq!(of(types).map_or("", |p| p.slug()), expected, "{types:?}");
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
            let headline = by_slug(slug).unwrap().headline();
            for fact in facts {
                assert!(headline.contains(fact), "{slug}: {fact}");
            }
        }
    }

    #[test]
    fn names_in_order() {
        let product = by_slug("product").unwrap();
        let headline: alloc::vec::Vec<_> = product.headline().iter().collect();
        assert_eq!(headline[..3], ["name", "url", "offers"]);
        assert!(product.headline().contains("brand") && !product.headline().contains("review"));
        assert!(product.brief().is_empty());
        assert!(by_slug("person").unwrap().brief().iter().eq(["name"]));
        let offer = product.tools().next().unwrap();
        assert_eq!((offer.name, offer.compact), ("offer", true));
        assert_eq!(offer.paths.iter().collect::<alloc::vec::Vec<_>>(), ["offers"]);
        let variants = product.sections().find(|s| s.name == "variants").unwrap();
        assert!(variants.properties.contains("hasVariant"));
        assert_eq!(all().count(), all().filter(|p| by_slug(p.slug()) == Some(*p)).count());
    }
}
