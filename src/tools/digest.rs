//! The answer of an action: what a response says, not how it is written. A result page becomes its entities, else its
//! result links, else its text; JSON stays JSON; each in pages of the answer's budget.

use super::{
    answer::{self, Member},
    error::CallError,
    read, results,
};
use crate::{
    dom::{Snapshot, address::origin},
    guard::{data, rules::Rule},
    json::{self, Json},
    limits,
    page::canonical,
    text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// What the host got for the plan of an action.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// Address after redirects; empty when there is no response.
    pub url: &'a str,
    /// HTTP status; 0 when there is no response, and then `body` is the reason in one word.
    pub status: u16,
    /// The `Content-Type` header.
    pub content_type: &'a str,
    /// The text, or for HTML, and for whatever a plan with `search` gets, the wire form of a snapshot in page mode.
    pub body: &'a str,
}

/// The entities of a result page as the items of a list, ready for an answer; empty if it has none worth listing.
pub type Entities<'a> = &'a dyn Fn(&Snapshot) -> Vec<Json>;

/// Whether there is a response to read.
///
/// # Errors
/// No response, a redirect to another origin, a status from 300.
pub fn arrived(plan: &Json, response: &Response) -> Result<(), CallError> {
    if response.status == 0 {
        return Err(failure(response.body, 0));
    }
    if origin(response.url) != plan.get("url").and_then(Json::as_str).and_then(origin) {
        return Err(failure("redirect", 0));
    }
    if !(200..300).contains(&response.status) {
        return Err(failure("http-status", response.status));
    }
    Ok(())
}

/// The answer for a `response` that has [`arrived`], about `budget` characters.
///
/// # Errors
/// Its type is no text, or it has no such page.
pub fn answer(plan: &Json, response: &Response, budget: usize, entities: Entities) -> Result<String, CallError> {
    let mut out: Vec<Member> = Vec::new();
    let mut say = |name: &str, words: String| {
        if !words.is_empty() {
            out.push((name.to_string(), Json::Text(words)));
        }
    };
    say("url", response.url.to_string());
    let is = |word| text::contains(response.content_type, word);
    let mut words = String::new();
    let content;
    if is("html") {
        let snapshot = Snapshot::decode(response.body.to_string());
        let title = text::plain_line(snapshot.title(), limits::DIGEST_TITLE);
        let heading = (0..snapshot.len()).find(|&n| snapshot.name(n) == "h1");
        let heading = heading.map_or(String::new(), |n| results::line(&snapshot, n));
        if heading != title {
            say("title", title);
        }
        say("heading", heading);
        let mut items = entities(&snapshot);
        results::address(&mut items, &snapshot, response.url);
        // What stands alone and has another address may be the site's own shop, on every page of it.
        let found = match &items[..] {
            [] => 3,
            [one]
                if one
                    .get("url")
                    .and_then(Json::as_str)
                    .is_some_and(|url| url != response.url && url != canonical(&snapshot)) =>
            {
                1
            }
            _ => 0,
        };
        let mut lists = Vec::new();
        let links = if found > 0 { results::links(&snapshot, response.url, found) } else { Vec::new() };
        if items.is_empty() {
            words = results::readable(&snapshot);
        }
        for (name, list) in [("items", items), ("results", links)] {
            if !list.is_empty() {
                lists.push((name.to_string(), Json::Array(list)));
            }
        }
        content = Some(lists).filter(|lists| !lists.is_empty());
    } else if is("json") || is("text/") || response.content_type.is_empty() {
        let value = json::parse_strict(response.body).filter(|_| is("json"));
        // Under one name, so that nothing of it reads as our own `page` or `next`.
        content = value.and_then(|v| results::compact(&v, 0)).map(|v| alloc::vec![("data".to_string(), v)]);
        words = data::plain(text::cut(response.body, limits::STRING));
    } else {
        return Err(failure("wrong-type", 0));
    }

    let room = budget.saturating_sub(answer::size(&Json::Object(out.clone())));
    let content = content.unwrap_or_else(|| alloc::vec![("text".to_string(), Json::Text(words.clone()))]);
    let listed = answer::size(&Json::Object(content.clone()));
    // Few links may be all there is to find, or none of it: then the start of the page's text comes along.
    let both = is("html") && listed < room / 2 && words.len() > 2 * listed;
    let page = answer::page(content, page_number(plan), usize::MAX, room);
    out.extend(page.ok_or_else(read::no_such_page)?);
    if both {
        // A tenth is for the quotes and line breaks that take two characters in JSON.
        let room = (room - listed) / 10 * 9;
        out.push(("text".to_string(), Json::Text(answer::quote(&words, room.saturating_sub(40)))));
    }
    Ok(Json::Object(out).to_text())
}

/// Which page of the answer a plan asks for.
pub fn page_number(plan: &Json) -> usize {
    match plan.get("page") {
        Some(Json::Number(n)) => text::whole_number(n).unwrap_or(1) as usize,
        _ => 1,
    }
}

/// Why there is no result. The host's words for a failed request are among these; the first three may pass.
const FAILURES: [(&str, &str); 6] = [
    ("network", "The request failed"),
    ("timeout", "The site did not answer in time"),
    ("aborted", "The call was given up"),
    ("redirect", Rule::ResponseOrigin.reason()),
    ("wrong-type", "The site answered with neither a page nor text nor JSON"),
    ("http-status", "The site answered with an error status"),
];

fn failure(word: &str, status: u16) -> CallError {
    let at = FAILURES.iter().position(|(code, _)| *code == word).unwrap_or(0);
    let retryable = at < 3 || status >= 500 || matches!(status, 408 | 425 | 429);
    let suggestion = if retryable { "Try again later." } else { "Try other words, or the search of the site itself." };
    let (code, message) = FAILURES[at];
    CallError { status, retryable, ..CallError::new(code, message, suggestion) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dom::html::{Mode, wire_in},
        page::Outcome,
    };
    use alloc::{format, vec};

    const URL: &str = "https://shop.example.test/search?q=oak";

    fn plan(page: &str) -> Json {
        let text = |s: &str| Json::Text(s.to_string());
        Json::Object(vec![("url".to_string(), text(URL)), ("page".to_string(), Json::Number(page.to_string()))])
    }

    fn respond(page: &str, url: &str, status: u16, content_type: &str, body: &str) -> String {
        let wire = wire_in(body, url, Mode::Page, false);
        let body = if content_type.contains("html") { wire.as_str() } else { body };
        let response = Response { url, status, content_type, body };
        let plan = plan(page);
        let answer = arrived(&plan, &response).and_then(|()| answer(&plan, &response, limits::DIGEST, &|_| Vec::new()));
        answer.unwrap_or_else(|e| e.to_json())
    }

    fn html(body: &str) -> String {
        respond("1", URL, 200, "text/html; charset=utf-8", body)
    }

    #[test]
    fn failures_are_answers() {
        for (url, status, kind, body, want) in [
            ("", 0, "", "timeout", "\"code\":\"timeout\""),
            ("", 0, "", "network", "\"code\":\"network\""),
            ("", 0, "", "IGNORE ALL", "\"code\":\"network\""),
            (
                URL,
                404,
                "text/html",
                "<h1>Not found</h1>",
                "\"code\":\"http-status\",\"status\":404,\"retryable\":false",
            ),
            (URL, 503, "text/html", "", "\"status\":503,\"retryable\":true"),
            (URL, 200, "image/png", "EVIL", "\"code\":\"wrong-type\""),
            ("https://evil.test/", 200, "text/plain", "EVIL", "\"code\":\"redirect\""),
            ("https://shop.example.test.evil.test/", 200, "text/plain", "EVIL", "\"code\":\"redirect\""),
        ] {
            let answer = respond("1", url, status, kind, body);
            assert!(answer.contains(want) && !answer.contains("EVIL") && !answer.contains("IGNORE"), "{answer}");
        }
    }

    #[test]
    fn text_without_code() {
        assert_eq!(
            html(
                "<!doctype html><title>R</title><!-- IGNORE ALL --><script>var SECRET=1</script><script type=application/ld+json>{}</script><p>Oak \u{202e}Lamp</p><p>Two</p>"
            ),
            r#"{"url":"https://shop.example.test/search?q=oak","title":"R","text":"Oak Lamp\nTwo"}"#
        );
        assert_eq!(respond("1", URL, 200, "", "FINAL PAGE"), format!(r#"{{"url":"{URL}","text":"FINAL PAGE"}}"#));
    }

    #[test]
    fn result_links() {
        let answer = html(
            "<title>Search</title><body><nav><a href=/home>Home page</a></nav><a href=/login>Log in here</a>
             <main><h1>2 results</h1><a href='?q=oak&sort=price'>Sort by price</a>
             <article><a href=/p/1><img></a><h2><a href=/p/1#x>Oak Lamp</a></h2><p>Warm light. 19.90 EUR <a href=/p/1>Read more</a></article>
             <article><h2><a href=/p/2>Oak Desk</a></h2><p>Solid.</article>
             <a href=javascript:x()>Run this</a><a href='?page=2'>Next page</a></main><footer><a href=/imprint>Imprint</a></footer>",
        );
        assert_eq!(
            answer,
            r#"{"url":"https://shop.example.test/search?q=oak","title":"Search","heading":"2 results","results":[{"title":"Oak Lamp","url":"https://shop.example.test/p/1","text":"Warm light. 19.90 EUR Read more"},{"title":"Oak Desk","url":"https://shop.example.test/p/2","text":"Solid."}]}"#
        );
    }

    /// Where links are few the text says what they do not, and finds of one kind stand for the page.
    #[test]
    fn pages_that_are_no_lists() {
        let words = "Nothing was found for these words. ".repeat(99);
        let answer = html(&format!("<title>R</title><p>{words}<p><a href=/help>Help with searching</a>"));
        assert!(answer.contains("/help") && answer.contains("Nothing was found"), "{answer}");
        assert!(answer.len() <= limits::DIGEST, "{}", answer.len());
        let finish = |body: &str| {
            let wire = wire_in(body, URL, Mode::Page, false);
            let response = Response { url: URL, status: 200, content_type: "text/html", body: &wire };
            match crate::page::finish(&plan("1").to_text(), &response, &crate::Options::default()) {
                Outcome::Answer(answer) | Outcome::Plan(answer) => answer,
                Outcome::Text => String::new(),
            }
        };
        let product =
            |n: &str| format!(r#"{{"@type":"Product","name":"Lamp {n}","url":"https://shop.example.test/p/{n}"}}"#);
        let block = |json: &str| {
            format!(
                r#"<title>R</title><script type="application/ld+json">{{"@context":"https://schema.org",{json}}}</script>"#
            )
        };
        let list = |of: &str| {
            let element = |n: &str| {
                if of == "item" { format!(r#"{{"@type":"ListItem","item":{}}}"#, product(n)) } else { product(n) }
            };
            block(&format!(r#""@type":"ItemList","itemListElement":[{},{}]"#, element("1"), element("2")))
        };
        let want = r#""items":[{"name":"Lamp 1","url":"https://shop.example.test/p/1"},{"name":"Lamp 2","url":"https://shop.example.test/p/2"}]}"#;
        for page in [list("item"), list(""), block(&format!(r#""@graph":[{},{}]"#, product("1"), product("2")))] {
            let answer = finish(&page);
            assert!(answer.ends_with(want), "{answer}");
        }
        assert!(finish(&block(r#""@type":"WebSite","name":"S""#)).contains(r#""text":"""#));
        assert!(finish(&block(r#""@type":"Product","name":"Only""#)).contains(r#""items":[{"name":"Only""#));
    }

    #[test]
    fn pages_hold_everything_once() {
        let mut body = "<main><ul>".to_string();
        for i in 0..60 {
            body.push_str(&format!("<li><a href=/p/{i}>Lamp number {i}</a> A lamp with a number.</li>"));
        }
        let (mut seen, mut page) = (String::new(), 1);
        loop {
            let answer = respond(&format!("{page}"), URL, 200, "text/html", &body);
            assert!(answer.len() <= limits::DIGEST, "{}", answer.len());
            seen.push_str(&answer);
            let value: serde_json::Value = serde_json::from_str(&answer).unwrap();
            match value.get("next") {
                Some(next) => page = next.as_u64().unwrap(),
                None => break,
            }
        }
        for i in 0..60 {
            assert_eq!(seen.matches(&format!("/p/{i}\"")).count(), 1, "{i}");
        }
        assert!(respond("99", URL, 200, "text/html", &body).contains("invalid-argument"));
    }

    #[test]
    fn long_text_is_paged() {
        let body: String = (0..2000).map(|i| format!("w{i} é word ")).collect();
        let (mut words, mut page) = (Vec::new(), 1);
        loop {
            let answer = respond(&format!("{page}"), URL, 200, "text/plain", &body);
            assert!(answer.chars().count() <= limits::DIGEST);
            let value: serde_json::Value = serde_json::from_str(&answer).unwrap();
            words.extend(value["text"].as_str().unwrap().split_whitespace().map(str::to_string).collect::<Vec<_>>());
            match value.get("next") {
                Some(next) => page = next.as_u64().unwrap(),
                None => break,
            }
        }
        assert_eq!(words, body.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn huge_items_are_cut_to_fit() {
        let long = "x".repeat(5_000);
        let items = vec![Json::Object(vec![
            ("name".to_string(), Json::Text("n".to_string())),
            ("text".to_string(), Json::Text(long.clone())),
            ("list".to_string(), Json::Array(vec![Json::Text(long); 9])),
        ])];
        let body = wire_in("", URL, Mode::Page, false);
        let response = Response { url: URL, status: 200, content_type: "text/html", body: &body };
        let answer = answer(&plan("1"), &response, limits::DIGEST, &|_| items.clone()).unwrap();
        assert!(answer.len() <= limits::DIGEST && answer.contains(r#""name":"n""#), "{answer}");
    }

    #[test]
    fn json_lists() {
        assert_eq!(
            respond(
                "1",
                URL,
                200,
                "application/json",
                r#"{"count":2,"data":{"hits":[{"name":"Oak\u202e Lamp","price":19.90,"u":"javascript:x","ignore all previous":1,"d":null},{"name":"b"}]}}"#
            ),
            format!(
                r#"{{"url":"{URL}","data":{{"count":2,"data":{{"hits":[{{"name":"Oak Lamp","price":19.90}},{{"name":"b"}}]}}}}}}"#
            )
        );
        assert_eq!(
            respond("1", URL, 200, "application/json", r#"["oak",["oak lamp","oak desk"]]"#),
            format!(r#"{{"url":"{URL}","data":["oak",["oak lamp","oak desk"]]}}"#)
        );
    }
}
