//! The search that a page offers without naming it in its markup: its search form (a GET form), else its OpenSearch
//! description (<https://github.com/dewitt/opensearch>), which is read when somebody searches and not before.

use crate::{
    diagnostic::{Code, Diagnostics, Level},
    dom::{Attr, NodeIndex, Snapshot, resolve},
    guard::{
        rules::Rule,
        template::{Template, encode},
        url::Destinations,
    },
    limits, text,
};
use alloc::{boxed::Box, string::String, vec::Vec};

/// Parts of names of fields that prove who sends a form: a search needs none, and what is sent stands in answers.
const SECRETS: &str = "token csrf xsrf nonce sess secret authentic build_id passw";

/// Where a document searches: a page by its form or else its description, a description by its template. A form that
/// is a tool of the site's own (`toolname`) does it already.
pub fn search(snapshot: &Snapshot, to: &Destinations, diagnostics: &mut Diagnostics) -> Option<Box<Template>> {
    let (mut at, mut description) = (0, None);
    while at < snapshot.len() {
        let name = snapshot.name(at);
        let is = |attr, word| text::contains(get(snapshot, at, attr), word);
        let method = get(snapshot, at, Attr::Method);
        // Whatever else the attribute says means GET.
        let gets = !text::listed("post put delete dialog", method);
        let link = name == "link" && is(Attr::Rel, "search") && is(Attr::Type, "opensearch");
        let mut source = String::new();
        let mut next = at + 1;
        if name == "form" {
            source = of_form(snapshot, at, to);
            next = snapshot.end(at);
        } else if link || (name == "url" && is(Attr::Type, "html")) {
            source.push_str(get(snapshot, at, if link { Attr::Href } else { Attr::Template }));
        }
        if gets && !source.is_empty() {
            match if link { Template::described(&source, to) } else { Template::vet(&source, to) } {
                Ok(template) if link => description = description.or(Some(template)),
                Ok(_) if snapshot.attr(at, Attr::Toolname).is_some() => return None,
                Ok(template) => return Some(template),
                Err(rule) => diagnostics.report_at(Code::ActionSkipped, Level::Info, rule.reason(), &source),
            }
        }
        at = next;
    }
    description
}

/// The template of a search form, its texts as parameters, the first of them required; empty if it has no text to
/// search for.
fn of_form(snapshot: &Snapshot, form: NodeIndex, to: &Destinations) -> String {
    // HTML, form submission: no action means the document itself, and the query is replaced.
    let action = text::trim(get(snapshot, form, Attr::Action));
    let base = if action.is_empty() { snapshot.url() } else { to.base };
    let action = resolve(action, base).unwrap_or_default();
    let mut source = text::joined(text::part(&action, 0, text::until(&action, b"?#")), "?");
    let (mut asked, start) = (String::new(), source.len());
    for field in form + 1..snapshot.end(form) {
        let (name, value) = (get(snapshot, field, Attr::Name), get(snapshot, field, Attr::Value));
        if snapshot.name(field) != "input" || name.is_empty() {
            continue;
        }
        let kind = get(snapshot, field, Attr::Type);
        match KINDS.iter().position(|k| text::same_ignoring_case(k, kind)) {
            Some(PASSWORD) => return String::new(),
            Some(HIDDEN) if is_setting(name, value) => {
                encode(name, &mut source);
                source.push('=');
                encode(value, &mut source);
                source.push('&');
            }
            // An input that is in the snapshot for its own markup is not known to be a search's.
            Some(kind)
                if kind >= SEARCH
                    && is_plain(name)
                    && (kind == SEARCH || snapshot.attr(field, Attr::Itemprop).is_none()) =>
            {
                asked.push(',');
                asked.push_str(name);
            }
            _ => {}
        }
    }
    // `{?q}` and `{&q}` bring the mark that stands last.
    if asked.is_empty() || text::contains(&action, "%7b") {
        return asked;
    }
    let mark = if source.len() == start { "{?" } else { "{&" };
    source.truncate(source.len().saturating_sub(1));
    source.push_str(mark);
    source.push_str(text::part(&asked, 1, asked.len()));
    source.push('}');
    source
}

/// The types of inputs that are looked at.
const KINDS: [&str; 5] = ["hidden", "password", "search", "text", ""];
const HIDDEN: usize = 0;
const PASSWORD: usize = 1;
const SEARCH: usize = 2;

#[inline(never)]
fn get(snapshot: &Snapshot, node: NodeIndex, attr: Attr) -> &str {
    snapshot.attr(node, attr).unwrap_or("")
}

/// A name that stands for itself in a template.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || text::has("_-:[]$", b))
}

/// Whether a hidden field is a setting of the search and no more. Braces would become parameters.
fn is_setting(name: &str, value: &str) -> bool {
    value.len() <= limits::FIELD
        && !text::has(name, b'{')
        && !text::has(value, b'{')
        && !text::tokens(SECRETS).any(|word| text::contains(name, word))
}

/// The address of a search for `words` by an OpenSearch description, whose template is vetted like any other.
///
/// # Errors
/// Why the rule that refused it did.
pub fn described(description: Snapshot, words: &str, to: &Destinations) -> Result<String, &'static str> {
    let mut refused = Diagnostics::default();
    let Some(template) = search(&description, to, &mut refused) else {
        return Err(refused.iter().next().map_or(Rule::Target.reason(), |d| d.what));
    };
    let mut values: Vec<String> = Vec::new();
    for (i, variable) in template.variables.iter().enumerate() {
        values.push(match variable.name.as_str() {
            "searchTerms" => words.into(),
            // A form, where the site answers with a page instead.
            _ if i == 0 && variable.form => words.into(),
            // `{startPage}`, `{startIndex}`; with a question mark they may be left out.
            name if name.starts_with("start") && !name.ends_with('?') => "1".into(),
            _ => String::new(),
        });
    }
    // Without the words it would be another page that is answered with.
    let asked = values.iter().any(|value| value == words);
    if asked { template.expand(&values) } else { Err(Rule::NoParameter) }.map_err(Rule::reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::ParameterKind;
    use crate::{
        Options, Page,
        dom::html::{Mode, wire_in},
        json,
        page::Outcome,
        tools::digest::Response,
    };
    use alloc::{format, string::ToString};

    const PAGE: &str = "https://shop.example.test/p/1?a=b#c";
    const ENTITY: &str = "<p itemscope itemtype=https://schema.org/Product><b itemprop=name>Lamp</b></p>";

    fn xml(source: &str) -> String {
        wire_in(source, "https://shop.example.test/os.xml", Mode::Page, false)
    }

    /// The parameters of the search (required ones with `!`) and the address with each name as its value.
    fn found(html: &str) -> String {
        let page = Page::from_html(&format!("{html}{ENTITY}"), PAGE, &Options::default());
        let Some(tool) = page.tools().find(|t| t.name() == "search_web_site") else {
            return page.diagnostics().iter().map(|d| d.what).collect();
        };
        let (mut out, mut arguments) = (String::new(), json::Writer::default());
        arguments.object(|arguments| {
            for parameter in tool.parameters().iter().filter(|p| p.kind != ParameterKind::Page) {
                out.push_str(&parameter.name);
                out.push_str(if parameter.required { "! " } else { " " });
                arguments.field(&parameter.name, &parameter.name);
            }
        });
        let Outcome::Plan(plan) = page.call("search_web_site", &arguments.finish()) else { return "no request".into() };
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
        out + plan["url"].as_str().unwrap() + plan["search"].as_str().unwrap_or("")
    }

    #[test]
    fn forms() {
        let at = |path: &str| format!("q! https://shop.example.test{path}");
        for (html, want) in [
            ("<form role=search action=/s><input name=q></form>", at("/s?q=q")),
            (
                "<form role=search action=/s><input name=q></form><form role=search action=/t><input name=q></form>",
                at("/s?q=q"),
            ),
            ("<form role=search action='/s?x=1#f' method=GET><input name=q type=text></form>", at("/s?q=q")),
            ("<form><input type=search name=q></form>", at("/p/1?q=q")),
            ("<base href=/b/><form action=s><input type=search name=q></form>", at("/b/s?q=q")),
            ("<div role=search><form action=http://shop.example.test/s><input name=q></form></div>", at("/s?q=q")),
            ("<search><form action=/s><input type=submit name=go value=1><input name=q></form></search>", at("/s?q=q")),
            (
                "<form role=search action=/s><input type=hidden name=lang value='d e'><input name=q><input type=hidden name=utf8 value=✓></form>",
                at("/s?lang=d%20e&utf8=%E2%9C%93&q=q"),
            ),
            (
                "<form role=search action=/s><input name=q><input name=where><input type=checkbox name=new></form>",
                "q! where https://shop.example.test/s?q=q&where=where".into(),
            ),
            (
                "<form role=search action=/s><input name='tribe[search]'></form>",
                "query! https://shop.example.test/s?tribe%5Bsearch%5D=query".into(),
            ),
            // What a browser would keep to itself, or a template would read as its own.
            (
                "<form role=search action=/s><input type=hidden name=authenticity_token value=x><input type=hidden name=a value={b}><input name=q></form>",
                at("/s?q=q"),
            ),
            ("<form role=search action=/s method=post><input name=q></form>", String::new()),
            ("<form role=search action=/s method=Dialog><input name=q></form>", String::new()),
            ("<form role=search action=/s method=fetch><input name=q></form>", at("/s?q=q")),
            ("<form role=search action=/s><input name=q><input type=password name=p></form>", String::new()),
            ("<form role=search action=/s><input></form>", String::new()),
            ("<form action=/s><input name=q></form>", String::new()),
            ("<form role=search action=/s toolname=find><input name=q></form>", String::new()),
            ("<form role=search action=/{x}><input name=q></form>", Rule::NoParameter.reason().into()),
            ("<form role=search action=//evil.test/s><input name=q></form>", Rule::Origin.reason().into()),
            ("<form role=search action=/logout><input name=q></form>", Rule::Effect.reason().into()),
            ("<form role=search action=javascript:go()><input name=q></form>", Rule::Scheme.reason().into()),
        ] {
            assert_eq!(found(html), want, "{html}");
        }
    }

    #[test]
    fn markup_comes_first_and_is_needed() {
        let form = "<form role=search action=/s><input name=q></form>";
        let tools = |html: &str, options: &str| {
            let options = Options::from_json(options, &mut Diagnostics::default());
            let page = Page::from_html(html, PAGE, &options);
            page.tools().map(|t| t.name().to_string()).collect::<Vec<_>>()
        };
        assert!(tools(form, "{}").is_empty(), "a page without an entity registers nothing");
        let page = format!("{form}{ENTITY}");
        assert_eq!(tools(&page, "{}"), ["get_product", "search_web_site"]);
        assert_eq!(tools(&page, r#"{"forms":"off"}"#), ["get_product"]);
        assert_eq!(tools(&page, r#"{"actions":"off"}"#), ["get_product"]);
        let action = |target: &str| {
            format!(
                r#"{page}<script type="application/ld+json">{{"@context":"https://schema.org","@type":"WebSite","potentialAction":{{"@type":"SearchAction","target":"{target}"}}}}</script>"#
            )
        };
        assert_eq!(found(&action("/find?text={text}")), "text! https://shop.example.test/find?text=text");
        assert_eq!(found(&action("https://elsewhere.test/?q={q}")), "q! https://shop.example.test/s?q=q");
    }

    #[test]
    fn descriptions() {
        let link =
            |href: &str| format!("<link rel='Search' type=application/opensearchdescription+xml title=T href={href}>");
        let form = "<form role=search action=/s><input name=q></form>";
        assert_eq!(found(&link("/os.xml")), "query! https://shop.example.test/os.xmlquery");
        assert_eq!(found(&(link("/os.xml") + form)), "q! https://shop.example.test/s?q=q");
        for bad in ["https://evil.test/os.xml", "data:text/xml,x", "/logout", "//evil.test/os.xml"] {
            assert!(!found(&link(bad)).contains('!'), "{bad}");
        }
        assert_eq!(found("<link rel=search type=text/html href=/search>"), "");
    }

    #[test]
    fn templates_of_descriptions() {
        let to = Destinations { page: PAGE, base: PAGE, allowed_hosts: &[] };
        let ok = |path: &str| Ok(format!("https://shop.example.test{path}"));
        let url = |kind: &str, template: &str| format!(r#"<Url type="{kind}" template="{template}"/>"#);
        let html = |template: &str| url("text/html", template);
        let own = "https://shop.example.test/s?q={searchTerms}";
        for (body, want) in [
            (html(own), ok("/s?q=a%20b")),
            (
                html(&format!("{own}&amp;p={{startPage?}}&amp;i={{startIndex}}&amp;c={{count?}}")),
                ok("/s?q=a%20b&p=&i=1&c="),
            ),
            (url("application/json", own) + &html("/t?q={searchTerms}"), ok("/t?q=a%20b")),
            (format!("<Url\n\ttemplate = '{own}'\n type = 'application/xhtml+xml' />"), ok("/s?q=a%20b")),
            (format!(r#"<Url type="text/html" method="POST" template="{own}"/>"#), Err(Rule::Target)),
            (format!(r#"<Url x=" type='text/html' template='{own}' "/>"#), Err(Rule::Target)),
            (html("https://evil.test/s?q={searchTerms}"), Err(Rule::Origin)),
            (html("http://other.test/s?q={searchTerms}"), Err(Rule::Insecure)),
            (html("/s?q={other}"), Err(Rule::NoParameter)),
            (html("/cart/add?id={searchTerms}"), Err(Rule::Effect)),
            ("<html>".to_string(), Err(Rule::Target)),
            (url("text/html", "/{").repeat(99), Err(Rule::Syntax)),
            ("<Url".to_string(), Err(Rule::Target)),
        ] {
            assert_eq!(described(Snapshot::decode(xml(&body)), "a b", &to), want.map_err(Rule::reason), "{body}");
        }
    }

    /// The request for the description gives the request of the search, and that an answer.
    #[test]
    fn two_requests() {
        let page = Page::from_html(
            &format!("<link rel=search type=application/opensearchdescription+xml href=/os.xml>{ENTITY}"),
            PAGE,
            &Options::default(),
        );
        let Outcome::Plan(first) = page.call("search_web_site", r#"{"query":"oak","page":2}"#) else { panic!() };
        let finish = |plan: &str, url, status, content_type, body: &str| {
            let wire = xml(body);
            let body = if content_type == "text/plain" { body } else { &wire };
            crate::page::finish(plan, &Response { url, status, content_type, body }, &Options::default())
        };
        let body = r#"<Url type="text/html" template="/s?q={searchTerms}"/>"#;
        let xml = "https://shop.example.test/os.xml";
        let Outcome::Plan(second) = finish(&first, xml, 200, "application/xml", body) else { panic!() };
        assert_eq!(
            second,
            r#"{"url":"https://shop.example.test/s?q=oak","timeoutMs":5000,"maxBytes":2097152,"page":2}"#
        );
        for (url, status, body, code) in [
            (xml, 404, body, "http-status"),
            ("https://evil.test/os.xml", 200, body, "redirect"),
            (xml, 200, "<html>", "blocked-address"),
        ] {
            let Outcome::Answer(answer) = finish(&first, url, status, "text/xml", body) else { panic!("{url}") };
            assert!(answer.contains(&format!(r#""code":"{code}""#)), "{answer}");
        }
        let words = "w ".repeat(2_000);
        let Outcome::Answer(answer) = finish(&second, "https://shop.example.test/s", 200, "text/plain", &words) else {
            panic!()
        };
        assert!(answer.contains(r#""next":3"#), "{answer}");
    }
}
