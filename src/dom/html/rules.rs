//! The rules by which elements are read, one function each. `js/snapshot.js` has the same lists and rules.

use super::tree::Element;
use crate::dom::{ATTRIBUTES, Attr};
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

/// An element is in the snapshot by itself.
pub const BY_ITSELF: u8 = 1;
/// It shows that the page uses RDFa beyond `meta property`.
pub const RDFA: u8 = 2;

/// Why an element is in the snapshot (0: it is not).
pub fn reason(e: &Element) -> u8 {
    let name = &*e.name.local;
    let mut why = 0;
    for (attr, attr_name, selects) in ATTRIBUTES {
        if *selects && e.attr(attr_name).is_some() {
            why |= BY_ITSELF;
            match attr {
                Attr::Vocab | Attr::Typeof | Attr::About | Attr::Resource | Attr::Inlist | Attr::Datatype => {
                    why |= RDFA
                }
                Attr::Property if name != "meta" => why |= RDFA,
                _ => {}
            }
        }
    }
    for attr in ["rel", "rev"] {
        let value = e.attr(attr).unwrap_or("").to_ascii_lowercase();
        if value.contains(':') {
            why |= BY_ITSELF;
            if name != "link" || value.contains("schema:") || value.contains("schema.org") {
                why |= RDFA;
            }
        }
    }
    let token =
        |attr: &str, want: &str| text::tokens(e.attr(attr).unwrap_or("")).any(|t| text::same_ignoring_case(t, want));
    if is_json_ld(e)
        || ["license", "describedby", "role"].iter().any(|term| token("rel", term))
        || name == "link" && (token("rel", "canonical") || token("rel", "search"))
        || name == "meta" && e.attr("name").is_some_and(|v| text::same_ignoring_case(v, "description"))
    {
        why |= BY_ITSELF;
    }
    why
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

/// Whether the page hides the element by its own attributes.
pub fn is_hidden(e: &Element) -> bool {
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
