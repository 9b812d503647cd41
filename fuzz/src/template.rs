//! The address of a search, as the page declares it, filled in by a caller.

use crate::URL;
use agenticschema::{Options, Page, json::Writer, page::Outcome};
use url::Url;

/// First line: the template. Second line: what is filled in for every parameter. Requests stay on the origin of the
/// page and below the folder that the template names before its first parameter.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (template, value) = text.split_once('\n').unwrap_or((&text, "x"));
    let mut block = Writer::default();
    block.object(|out| {
        out.field("@context", "https://schema.org");
        out.field("@type", "WebSite");
        out.key("potentialAction");
        out.object(|out| {
            out.field("@type", "SearchAction");
            out.field("target", template);
        });
    });
    let block = block.finish().replace('<', "\\u003c");
    let html = format!(r#"<script type="application/ld+json">{block}</script>"#);
    let page = Page::from_html(&html, URL, &Options::default());
    for tool in page.tools() {
        let mut arguments = Writer::default();
        arguments.object(|out| {
            for parameter in tool.parameters().iter().filter(|p| p.name != "page" && p.name != "part") {
                out.field(&parameter.name, value);
            }
        });
        let Outcome::Plan(plan) = page.call(tool.name(), &arguments.finish()) else { continue };
        let plan: serde_json::Value = serde_json::from_str(&plan).expect("an object");
        let url = Url::parse(plan["url"].as_str().expect("an address")).expect("an absolute address");
        let base = Url::parse(URL).expect("our own");
        assert_eq!(url.origin(), base.origin(), "{template:?} {value:?}");
        assert!(url.username().is_empty() && url.password().is_none(), "{url}");
        // The folder is compared where the template has plain characters only: the parser then changes nothing.
        let head = template.split('{').next().unwrap_or("");
        let plain = head.bytes().all(|b| b.is_ascii_alphanumeric() || b"/:.-_?=&".contains(&b));
        if let Some(folder) = base.join(head).ok().filter(|_| plain) {
            let folder = &folder.path()[..folder.path().rfind('/').map_or(0, |at| at + 1)];
            assert!(url.path().starts_with(folder), "{template:?} {value:?}: {url} is not in {folder}");
        }
    }
}
