//! The rules by which elements are read, one function each. `js/snapshot/` has the same lists and rules.

use super::tree::Element;
use crate::dom::ATTRIBUTES;
use crate::text;
use alloc::string::String;

/// Elements that begin and end a line.
pub const BLOCKS: &str = "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset \
                      figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol \
                      optgroup option p pre search section summary table tbody td tfoot th thead tr ul";
/// Elements below which nothing is read: code, and what a browser that runs scripts never shows.
pub const CLOSED: &str = "script style template noscript iframe noembed noframes";
/// Elements that give context to what stands in them.
pub const LANDMARKS: &str = "main aside nav header footer article form head body";
/// In page mode, elements that are in the snapshot for the sake of their text.
pub const PAGE: &str = "a article body h1 h2 h3 h4 h5 h6 li main p";
/// In page mode, elements whose text is no part of what the page says: furniture, controls, and content that shows
/// only where the element does not work.
pub const FURNITURE: &str =
    "aside audio button canvas datalist dialog head math nav object select svg textarea title video";

/// What a page uses, and so what of it can say anything.
#[derive(Clone, Copy, Default)]
pub struct Uses {
    /// Microdata: an item, without which no property says a thing.
    pub items: bool,
    /// RDFa: something that makes a triple, without which `about` and `resource` say nothing.
    pub triples: bool,
    /// RDFa beyond `meta property`, so that every `rel` may be its.
    pub rdfa: bool,
}

impl Uses {
    /// Adds what an element shows.
    pub fn add(&mut self, e: &Element) {
        self.items |= e.attr("itemscope").is_some();
        self.rdfa |= shows_rdfa(e);
        self.triples |= self.rdfa || e.attr("property").is_some() || may_link(e);
    }
}

/// Whether an element is in the snapshot by itself.
pub fn is_selected(e: &Element, uses: Uses) -> bool {
    let name = &*e.name.local;
    let selects = |name: &str| match name {
        "itemprop" | "itemprop-reverse" => uses.items,
        "about" | "resource" => uses.triples,
        _ => true,
    };
    ATTRIBUTES.iter().any(|(_, name, of)| *of && selects(name) && e.attr(name).is_some())
        || is_json_ld(e)
        || is_link_of_rdfa(e)
        || name == "link" && (is_rel(e, "canonical") || is_rel(e, "search"))
        || name == "meta" && e.attr("name").is_some_and(|v| text::same_ignoring_case(v, "description"))
}

/// The terms of RDFa's initial context that links have.
const TERMS: [&str; 3] = ["license", "describedby", "role"];

/// Whether a `rel` or `rev` may be RDFa's: what [`is_link_of_rdfa`] asks for stands anywhere in it.
fn may_link(e: &Element) -> bool {
    [e.attr("rel"), e.attr("rev")].into_iter().flatten().any(|rel| {
        let rel = rel.to_ascii_lowercase();
        rel.contains(':') || TERMS.iter().any(|term| rel.contains(term))
    })
}

/// A `rel` or `rev` with a CURIE, an IRI or a term of RDFa's initial context.
fn is_link_of_rdfa(e: &Element) -> bool {
    ["rel", "rev"].iter().any(|attr| e.attr(attr).is_some_and(|v| v.contains(':')))
        || TERMS.iter().any(|term| is_rel(e, term))
}

fn is_rel(e: &Element, want: &str) -> bool {
    text::tokens(e.attr("rel").unwrap_or("")).any(|t| text::same_ignoring_case(t, want))
}

/// Whether the fields below an element are those of a search.
pub fn is_search(e: &Element) -> bool {
    &*e.name.local == "search"
        || e.attr("role").is_some_and(|v| text::tokens(v).any(|t| text::same_ignoring_case(t, "search")))
}

/// Whether an element shows that the page uses RDFa beyond `meta property`. A `rel` with a colon is a CURIE or an IRI;
/// in `link`, where those are common for other reasons, only Schema.org's count.
fn shows_rdfa(e: &Element) -> bool {
    let name = &*e.name.local;
    ["vocab", "typeof"].iter().any(|attr| e.attr(attr).is_some())
        || name != "meta" && e.attr("property").is_some()
        || [e.attr("rel"), e.attr("rev")].into_iter().flatten().any(|rel| {
            let rel = rel.to_ascii_lowercase();
            rel.contains(':') && (name != "link" || rel.contains("schema:") || rel.contains("schema.org"))
        })
}

/// Whether an element names a resource, which shows RDFa too where something can say a thing of it.
pub fn names_resource(e: &Element) -> bool {
    e.attr("about").is_some() || e.attr("resource").is_some()
}

/// A `rel` or `rev` whose object is further down ([RDFa Core §7.5](https://www.w3.org/TR/rdfa-core/#s_sequence),
/// "incomplete triples").
pub fn is_hanging(e: &Element) -> bool {
    (e.attr("rel").is_some() || e.attr("rev").is_some())
        && ["href", "src", "resource"].iter().all(|name| e.attr(name).is_none())
}

/// Whether an element's value may be its text (microdata §5.2.4, RDFa Core §7.5 step 11, HTML+RDFa §3.1).
pub fn needs_text(e: &Element) -> bool {
    let has = |name| e.attr(name).is_some();
    if has("content") {
        return false;
    }
    let own_value = match &*e.name.local {
        "time" => has("datetime"),
        "data" | "meter" => has("value"),
        _ => false,
    };
    has("itemprop") && !has("itemscope") && !own_value
        || has("property") && !has("datetime") && (!has("typeof") || has("about") || has("datatype"))
}

/// A `script` whose type is `application/ld+json`, as browsers compare MIME types: without case, white space and
/// parameters.
pub fn is_json_ld(e: &Element) -> bool {
    if !e.is_html() || &*e.name.local != "script" {
        return false;
    }
    let essence = e.attr("type").unwrap_or("").split(';').next().unwrap_or("");
    text::same_ignoring_case(text::trim(essence), "application/ld+json")
}

/// Whether an element's text is part of what the page says. `sectioned`: it stands in a section, where `header` and
/// `footer` are not the page's own.
pub fn is_shown(e: &Element, sectioned: bool) -> bool {
    let name = &*e.name.local;
    !has(FURNITURE, name) && (sectioned || !matches!(name, "header" | "footer")) && !is_hidden(e)
}

/// Whether its text is marked as the body of an article.
pub fn is_article_body(e: &Element) -> bool {
    e.attr("itemprop").is_some_and(|names| text::tokens(names).any(|name| name == "articleBody"))
}

/// Whether the page hides the element by its own attributes.
fn is_hidden(e: &Element) -> bool {
    if e.attr("hidden").is_some() || e.attr("aria-hidden").is_some_and(|v| text::same_ignoring_case(v, "true")) {
        return true;
    }
    let Some(style) = e.attr("style") else { return false };
    let mut squeezed = String::new();
    for b in style.bytes().filter(|&b| !text::is_space(b)) {
        squeezed.push(b.to_ascii_lowercase() as char);
    }
    squeezed.contains("display:none")
}

/// Whether `list` (words separated by spaces) has `word`.
pub fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|w| w == word)
}
