//! Arguments as a model may write them.

use crate::{URL, page::assert_object};
use agenticschema::{Options, Page, page::Outcome};
use std::sync::OnceLock;

const HTML: &str = r#"<script type="application/ld+json">[
    {"@context": "https://schema.org", "@type": "WebSite", "name": "Shop", "potentialAction": {"@type": "SearchAction",
     "target": "https://fuzz.test/s/{kind}?q={search_term_string}", "query-input": "required name=search_term_string maxlength=20"}},
    {"@type": "Product", "name": "Lamp", "description": "A lamp.", "review": [{"@type": "Review", "reviewBody": "Good"}],
     "additionalProperty": [{"@type": "PropertyValue", "name": "a", "value": 1}]},
    {"@type": "Event", "name": "One", "startDate": "2030-01-01"}, {"@type": "Event", "name": "Two"}]</script>"#;

/// Whatever the arguments, each tool answers with an object, and asks no other origin.
pub fn check(data: &[u8]) {
    static PAGE: OnceLock<Page> = OnceLock::new();
    let page = PAGE.get_or_init(|| Page::from_html(HTML, URL, &Options::default()));
    let arguments = String::from_utf8_lossy(data);
    for name in page.tools().map(|tool| tool.name()).chain(["none"]) {
        match page.call(name, &arguments) {
            Outcome::Answer(answer) => assert_object(name, &answer),
            // The page was read as markup only.
            Outcome::Text => {}
            Outcome::Plan(plan) => {
                assert_object(name, &plan);
                let plan: serde_json::Value = serde_json::from_str(&plan).expect("an object");
                assert!(plan["url"].as_str().is_some_and(|u| u.starts_with("https://fuzz.test/s/")), "{plan}");
            }
        }
    }
}
