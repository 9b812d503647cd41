//! URL templates (RFC 6570, <https://www.rfc-editor.org/rfc/rfc6570>).
//!
//! A template is vetted once, when the page is read: all that stands before its first parameter is resolved and becomes
//! a fixed prefix. Whatever a call fills in, the resulting address starts with that prefix or is refused.

use super::{
    rules::Rule,
    url::{Destinations, authority_end, destination, effect},
};
use crate::{
    dom::{address::origin, resolve},
    limits, text,
};
use alloc::{
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};

/// A parameter of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name as the page writes it: any text.
    pub name: String,
    /// Whether it is part of the path, where an empty value would make another address.
    pub in_path: bool,
    /// Whether it comes from `{?a,b}` or `{&a,b}`, which leave out what is not given.
    pub form: bool,
}

/// A vetted URL template.
#[derive(Clone, Debug)]
pub struct Template {
    /// What every expansion starts with, serialised: the whole path, or the path up to the segment that holds the
    /// first parameter.
    prefix: String,
    /// What follows, as it is written.
    rest: String,
    /// Whether the path goes on behind the prefix.
    path_goes_on: bool,
    /// Its parameters, each once, in order; at most [`limits::TEMPLATE_PARAMETERS`].
    pub variables: Vec<Variable>,
    /// The address with `x` for every parameter: templates that make the same requests have the same one.
    pub sample: String,
    /// Whether `sample` is the address of an OpenSearch description, which has the template.
    pub described: bool,
}

impl Template {
    /// Reads a template and decides whether it may be requested.
    pub fn vet(raw: &str, to: &Destinations) -> Result<Box<Template>, Rule> {
        let source = clean(raw)?;
        // The fragment is never sent.
        let end = text::until(&source, b"#");
        let fragment = text::part(&source, end, source.len());
        if text::until(fragment, b"{}") < fragment.len() {
            return Err(Rule::Fragment);
        }
        let head = text::part(&source, 0, text::until(&source, b"{}#"));
        if head.len() == end {
            return Err(Rule::NoParameter);
        }

        // The fixed prefix: up to the query, or up to the segment that holds the first parameter.
        let form = is_form(text::part(&source, head.len() + 1, end));
        let authority = authority_end(head, form)?;
        let mut cut = text::until(head, b"?");
        let path_goes_on = cut == head.len() && !form;
        if path_goes_on {
            cut = head.bytes().rposition(|b| b == b'/').map_or(0, |at| at + 1).max(authority);
        }
        let mut prefix = resolve(text::part(head, 0, cut), to.base).ok_or(Rule::Address)?;
        prefix.truncate(text::until(&prefix, b"?#"));
        let mut template = Box::new(Template {
            prefix: destination(prefix, to)?,
            rest: text::part(&source, cut, end).to_string(),
            path_goes_on,
            variables: Vec::new(),
            sample: String::new(),
            described: false,
        });

        // What fails for the plainest values would fail for all.
        let mut variables: Vec<Variable> = Vec::new();
        template.sample = template.fill(&mut |name, in_path, form| {
            let full = variables.len() == limits::TEMPLATE_PARAMETERS;
            match variables.iter_mut().find(|v| v.name == name) {
                Some(known) => {
                    known.form &= form;
                    known.in_path |= in_path;
                }
                None if full => return Err(Rule::Size),
                None => variables.push(Variable { name: name.to_string(), in_path, form }),
            }
            Ok("x")
        })?;
        template.variables = variables;
        template.harmless()
    }

    /// What stands for the template in the OpenSearch description at `address`: one parameter, `query`.
    pub fn described(address: &str, to: &Destinations) -> Result<Box<Template>, Rule> {
        let sample = destination(resolve(address, to.base).ok_or(Rule::Address)?, to)?;
        let mut template = Box::new(Template {
            prefix: sample.clone(),
            rest: String::new(),
            path_goes_on: false,
            variables: Vec::new(),
            sample,
            described: true,
        });
        template.variables.push(Variable { name: "query".to_string(), in_path: false, form: false });
        template.harmless()
    }

    /// The template, unless it names an effect.
    fn harmless(self: Box<Template>) -> Result<Box<Template>, Rule> {
        let acts = effect(text::part(&self.sample, self.origin().len(), self.sample.len()));
        if acts { Err(Rule::Effect) } else { Ok(self) }
    }

    /// Fills in `values` (one per variable; an empty one is left out) and checks the result again: it starts with the
    /// vetted prefix, and its path has not climbed.
    pub fn expand(&self, values: &[String]) -> Result<String, Rule> {
        self.fill(&mut |name, _, _| {
            let at = self.variables.iter().position(|v| v.name == name);
            Ok(at.and_then(|at| values.get(at)).map_or("", String::as_str))
        })
    }

    /// Literals and expressions (RFC 6570 §2), with what `value` gives for the name of a variable, whether it is part
    /// of the path, and whether it is in a form expression. Of the operators `{?a,b}` and `{&a,b}` are known; `{+q}`
    /// would let reserved characters through: it is expanded as `{q}`.
    fn fill<'a>(&self, value: &mut dyn FnMut(&str, bool, bool) -> Result<&'a str, Rule>) -> Result<String, Rule> {
        let mut out = self.prefix.clone();
        let (mut at, mut query, mut form) = (0, false, false);
        loop {
            let rest = text::part(&self.rest, at, self.rest.len());
            let length = text::until(rest, b"{}");
            let mut literal = text::part(rest, 0, length);
            if form && length > 0 {
                if !literal.starts_with('&') {
                    return Err(Rule::Syntax);
                }
                // A form expression that came out empty leaves the first `&` without its `?`.
                if !query {
                    out.push('?');
                    literal = text::part(literal, 1, length);
                }
            }
            out.push_str(literal);
            query |= text::until(&out, b"?") < out.len();
            if length == rest.len() {
                return self.check(&out);
            }
            let inner = text::part(rest, length + 1, rest.len());
            let end = text::until(inner, b"{}");
            if !text::part(rest, length, rest.len()).starts_with('{') || inner.as_bytes().get(end) != Some(&b'}') {
                return Err(Rule::Syntax);
            }
            at += length + end + 2;
            form = is_form(inner);
            let mut from = usize::from(form || inner.starts_with('+'));
            while from <= end {
                let names = text::part(inner, from, end);
                let mut length = text::until(names, b",*");
                let name = text::trim(text::part(names, 0, length));
                length += usize::from(names.as_bytes().get(length) == Some(&b'*'));
                // The other operators, and lists outside of a query, which nothing uses.
                if name.is_empty() || text::until(name, b"./;=!@|") == 0 || (!form && length < names.len()) {
                    return Err(Rule::Syntax);
                }
                from += length + 1;
                let in_path = !query && !form;
                let value = value(name, in_path, form)?;
                if in_path && (value.is_empty() || climbs(value)) {
                    return Err(Rule::Climb);
                }
                if form && !value.is_empty() {
                    out.push(if query { '&' } else { '?' });
                    query = true;
                    encode(name, &mut out);
                    out.push('=');
                }
                encode(value, &mut out);
            }
        }
    }

    /// The origin of every request, serialised.
    pub fn origin(&self) -> &str {
        origin(&self.prefix).unwrap_or("")
    }

    fn check(&self, expanded: &str) -> Result<String, Rule> {
        let address = resolve(expanded, "").ok_or(Rule::Address)?;
        if !address.starts_with(self.prefix.as_str()) {
            return Err(Rule::Climb);
        }
        // Dot segments that the parser removed are missing slashes.
        let (before, after) = (self.path(expanded), self.path(&address));
        if slashes(before) != slashes(after) || (!self.path_goes_on && !after.is_empty()) {
            return Err(Rule::Climb);
        }
        if address.len() > limits::ADDRESS {
            return Err(Rule::Size);
        }
        // `/{q}` reaches every page of the first level, also those that act.
        if self.prefix.len() == self.origin().len() + 1 && effect(after) {
            return Err(Rule::Effect);
        }
        Ok(address)
    }

    /// The part of the path behind the prefix.
    fn path<'a>(&self, address: &'a str) -> &'a str {
        let rest = text::part(address, self.prefix.len(), address.len());
        text::part(rest, 0, text::until(rest, b"?#"))
    }
}

/// The template without white space around it, with `&amp;` (also when it was escaped twice) and the percent-encoded
/// braces of a `link` undone.
fn clean(raw: &str) -> Result<String, Rule> {
    let source = text::trim(raw);
    if source.len() > limits::TEMPLATE {
        return Err(Rule::Size);
    }
    let decoded = text::decode_entities(source);
    let source = text::decode_entities(&decoded);
    let bytes = source.as_bytes();
    let mut out = String::new();
    let mut from = 0;
    for (at, &b) in bytes.iter().enumerate() {
        if b < b' ' || b == 0x7f || b == b'\\' {
            return Err(Rule::Character);
        }
        if let [b'%', b'7', digit, ..] = bytes[at..] {
            let brace = match digit {
                b'b' | b'B' => '{',
                b'd' | b'D' => '}',
                _ => continue,
            };
            out.push_str(text::part(&source, from, at));
            out.push(brace);
            from = at + 3;
        }
    }
    out.push_str(text::part(&source, from, source.len()));
    Ok(out)
}

fn is_form(expression: &str) -> bool {
    matches!(expression.as_bytes().first(), Some(b'?' | b'&'))
}

fn slashes(path: &str) -> usize {
    path.bytes().filter(|&b| b == b'/').count()
}

/// RFC 6570 §3.2.1: all but the unreserved characters, as UTF-8.
pub fn encode(value: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for b in value.bytes() {
        if out.len() > limits::ADDRESS {
            return;
        }
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~') {
            out.push(b as char);
        } else {
            out.push('%');
            out.push(HEX[(b >> 4) as usize] as char);
            out.push(HEX[(b & 15) as usize] as char);
        }
    }
}

/// Whether a value of the path has a segment `.` or `..`, also for a server that decodes more than once, or reads `..;`
/// as `..`.
fn climbs(value: &str) -> bool {
    let bytes = value.as_bytes();
    let (mut at, mut dots, mut other) = (0, 0, false);
    loop {
        let mut b = bytes.get(at).copied().unwrap_or(b'/');
        if b == b'%' {
            let mut code = at + 1;
            while bytes[code..].starts_with(b"25") {
                code += 2;
            }
            if let [high, low, ..] = bytes[code..] {
                let decoded = match (high, low | 0x20) {
                    (b'2', b'e') => b'.',
                    (b'2', b'f') | (b'5', b'c') => b'/',
                    (b'3', b'b') | (b'0', b'0') => b';',
                    _ => b'%',
                };
                if decoded != b'%' {
                    (b, at) = (decoded, code + 1);
                }
            }
        }
        match b {
            b'.' => dots += 1,
            b'/' | b'\\' | b';' | 0 => {
                if !other && (dots == 1 || dots == 2) {
                    return true;
                }
                // What follows `;` is a parameter of the segment.
                other = matches!(b, b';' | 0);
                dots = 0;
            }
            _ => other = true,
        }
        if at >= bytes.len() {
            return false;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const PAGE: &str = "https://shop.example.test/p/1";

    fn vet(raw: &str) -> Result<Box<Template>, Rule> {
        let allowed = ["api.example.test".to_string(), "localhost:8080".to_string()];
        Template::vet(raw, &Destinations { page: PAGE, base: PAGE, allowed_hosts: &allowed })
    }

    /// Expands with `values` in the order of the variables; fewer leave the others out.
    fn expand(raw: &str, values: &[&str]) -> Result<String, &'static str> {
        let template = vet(raw).map_err(Rule::id)?;
        let values: Vec<String> = values.iter().map(|v| v.to_string()).collect();
        template.expand(&values).map_err(Rule::id)
    }

    #[test]
    fn expands() {
        for (raw, values, want) in [
            (
                "https://shop.example.test/search?q={q}",
                &["oak lamp"][..],
                "https://shop.example.test/search?q=oak%20lamp",
            ),
            (
                "https://shop.example.test/search?q={q}",
                &["it's (new)!*"],
                "https://shop.example.test/search?q=it%27s%20%28new%29%21%2A",
            ),
            ("https://shop.example.test/search?q={+q}", &["a/b&c"], "https://shop.example.test/search?q=a%2Fb%26c"),
            ("/search?q={q}", &["é灯"], "https://shop.example.test/search?q=%C3%A9%E7%81%AF"),
            ("search?q={q}", &["x"], "https://shop.example.test/p/search?q=x"),
            ("../search?q={q}", &["x"], "https://shop.example.test/search?q=x"),
            ("?q={q}", &["x"], "https://shop.example.test/p/1?q=x"),
            ("//shop.example.test?q={q}", &["x"], "https://shop.example.test/?q=x"),
            ("https://SHOP.example.test:443/s?q={q}#top", &["x"], "https://shop.example.test/s?q=x"),
            ("  \n https://shop.example.test/s?q={q}\t", &["x"], "https://shop.example.test/s?q=x"),
            ("http://shop.example.test/s?q={q}", &["x"], "https://shop.example.test/s?q=x"),
            ("https://api.example.test/s?q={q}", &["x"], "https://api.example.test/s?q=x"),
            ("https://localhost:8080/s?q={q}", &["x"], "https://localhost:8080/s?q=x"),
            ("https://shop.example.test/?a=1&amp;s={q}&amp;amp;b=2", &["x"], "https://shop.example.test/?a=1&s=x&b=2"),
            ("https://shop.example.test/search/%7Bq%7d", &["x"], "https://shop.example.test/search/x"),
            ("https://shop.example.test/search{?q,page}", &["x"], "https://shop.example.test/search?q=x"),
            ("https://shop.example.test/search{?q,page}", &["x", "2"], "https://shop.example.test/search?q=x&page=2"),
            ("https://shop.example.test/search{?q*}", &["x"], "https://shop.example.test/search?q=x"),
            ("https://shop.example.test/search?lang=de{&q}", &["x"], "https://shop.example.test/search?lang=de&q=x"),
            ("https://shop.example.test/search{?q}&lang=en", &[], "https://shop.example.test/search?lang=en"),
            ("https://shop.example.test{?q}", &["x"], "https://shop.example.test/?q=x"),
            ("https://shop.example.test/s?q={search term}", &["x"], "https://shop.example.test/s?q=x"),
            ("https://shop.example.test/s?q={__proto__}", &["x"], "https://shop.example.test/s?q=x"),
            (
                "https://shop.example.test/search/{q}/items",
                &["a b/c"],
                "https://shop.example.test/search/a%20b%2Fc/items",
            ),
            ("https://shop.example.test/search-{q}.html", &[".x"], "https://shop.example.test/search-.x.html"),
            ("https://shop.example.test/s?q={q}&r={q}", &["x"], "https://shop.example.test/s?q=x&r=x"),
            (
                "https://shop.example.test/search?q={q}&lang=en",
                &["a/b?c#d&e=f%2F\\\r\n"],
                "https://shop.example.test/search?q=a%2Fb%3Fc%23d%26e%3Df%252F%5C%0D%0A&lang=en",
            ),
        ] {
            assert_eq!(expand(raw, values), Ok(want.to_string()), "{raw}");
        }
    }

    #[test]
    fn refuses_templates() {
        for (raw, rule) in [
            ("", "template-parameter"),
            ("https://shop.example.test/search?q=", "template-parameter"),
            ("https://shop.example.test/#stq={q}&stp=1", "template-fragment"),
            ("https://shop.example.test/?a={a}#stq={q}", "template-fragment"),
            ("https://shop.example.test/{#q}", "template-fragment"),
            ("https://shop.example.test/s?q={q", "template-syntax"),
            ("https://shop.example.test/s?q=q}", "template-syntax"),
            ("https://shop.example.test/s?q={{q}}", "template-syntax"),
            ("https://shop.example.test/s?q={}", "template-syntax"),
            ("https://shop.example.test/s{?q}x", "template-syntax"),
            ("https://shop.example.test/s{/q}", "template-syntax"),
            ("https://shop.example.test/s?q={a,b}", "template-syntax"),
            ("https://shop.example.test/s?{a}{b}{c}{d}{e}{f}{g}{h}{i}", "template-size"),
            ("https://shop.example.test/s?q={q}\u{1}x", "template-character"),
            ("\\\\evil.test\\?q={q}", "template-character"),
            ("/\\evil.test/?q={q}", "template-character"),
            ("https:/\\evil.test?q={q}", "template-character"),
            ("https://shop.example.test\\{h}/?q={q}", "template-character"),
            ("https:evil.test/?q={q}", "destination-address"),
            ("https:///evil.test/?q={q}", "destination-address"),
            ("///evil.test/?q={q}", "destination-address"),
            ("https://evil test/?q={q}", "destination-address"),
            ("\thttps://evil.test/?q={q}", "destination-origin"),
            ("//evil.test/?q={q}", "destination-origin"),
            ("https://shop.example.test.evil.test/?q={q}", "destination-origin"),
            ("https://shop.example.test:8444/?q={q}", "destination-origin"),
            ("https://api.example.test:444/?q={q}", "destination-origin"),
            ("https://x.api.example.test/?q={q}", "destination-origin"),
            ("https://[::1]/?q={q}", "destination-origin"),
            ("http://127.0.0.1/?q={q}", "destination-insecure"),
            ("http://api.example.test/?q={q}", "destination-insecure"),
            ("https://shop.example.test@evil.test/?q={q}", "destination-userinfo"),
            ("https://@shop.example.test/?q={q}", "destination-userinfo"),
            ("javascript:alert({q})", "destination-scheme"),
            ("android-app://com.example/https/shop.example.test/?q={q}", "destination-scheme"),
            ("file:///etc/{q}", "destination-scheme"),
            ("https://{h}/?q={q}", "template-authority"),
            ("https:{h}/?q={q}", "template-authority"),
            ("https://shop.example.test{h}/?q={q}", "template-authority"),
            ("https://shop.example.test:{h}/?q={q}", "template-authority"),
            ("{h}://shop.example.test/?q={q}", "template-authority"),
            ("//shop.example.test{h}/?q={q}", "template-authority"),
            ("//{h}/?q={q}", "template-authority"),
            ("{h}shop.example.test/?q={q}", "template-authority"),
            ("a{h}", "template-authority"),
            ("https://shop.example.test/search/{q}/../../admin", "template-climb"),
            ("https://shop.example.test/search/{q}/%2E%2e/admin", "template-climb"),
            ("https://shop.example.test/cart/add?id={q}", "template-effect"),
            ("https://shop.example.test/?add-to-cart={q}", "template-effect"),
            ("https://shop.example.test/logout?next={q}", "template-effect"),
            ("https://shop.example.test/x?action=delete&id={q}", "template-effect"),
        ] {
            assert_eq!(vet(raw).map(|_| ()).map_err(Rule::id), Err(rule), "{raw}");
        }
        let long = format!("/s?q={{q}}&x={}", "y".repeat(limits::TEMPLATE));
        assert_eq!(vet(&long).unwrap_err().id(), "template-size");
    }

    #[test]
    fn refuses_values() {
        let path = "https://shop.example.test/search/{q}/{page}";
        for (raw, values, rule) in [
            (path, &["..", "logout"][..], "template-climb"),
            (path, &["a", ".."], "template-climb"),
            (path, &[".", "x"], "template-climb"),
            (path, &["", "x"], "template-climb"),
            (path, &["a"], "template-climb"),
            (path, &["%2e%2E", "x"], "template-climb"),
            (path, &["%252e.", "x"], "template-climb"),
            (path, &["a/../b", "x"], "template-climb"),
            (path, &["..\\b", "x"], "template-climb"),
            (path, &["..;a", "x"], "template-climb"),
            ("https://shop.example.test/s/.{q}/x", &["."], "template-climb"),
            ("https://shop.example.test/s/{a}{b}/x", &["", "."], "template-climb"),
            ("https://shop.example.test/{q}", &["logout"], "template-effect"),
            ("https://shop.example.test/{a}/{b}", &["cart", "add"], "template-effect"),
        ] {
            assert_eq!(expand(raw, values), Err(rule), "{raw} {values:?}");
        }
        let huge = "é".repeat(limits::ADDRESS);
        assert_eq!(expand("/s?q={q}", &[&huge]), Err("template-size"));
    }

    #[test]
    fn other_pages() {
        let vet = |page: &str, base: &str, raw: &str| {
            Template::vet(raw, &Destinations { page, base, allowed_hosts: &[] }).map_err(Rule::id).map(|t| t.prefix)
        };
        let ok = |s: &str| Ok(s.to_string());
        assert_eq!(vet("http://a.test/x", "http://a.test/x", "/s?q={q}"), ok("http://a.test/s"));
        assert_eq!(vet("http://a.test/x", "http://a.test/x", "https://a.test/s?q={q}"), Err("destination-origin"));
        assert_eq!(vet(PAGE, "https://evil.test/", "/s?q={q}"), Err("destination-origin"));
        assert_eq!(vet("file:///tmp/a.html", "file:///tmp/a.html", "/s?q={q}"), Err("destination-scheme"));
        assert_eq!(
            vet("file:///tmp/a.html", "file:///tmp/a.html", "https://a.test/s?q={q}"),
            Err("destination-origin")
        );
        assert_eq!(
            vet("https://a.test:8443/", "https://a.test:8443/", "http://a.test:8443/s?q={q}"),
            ok("https://a.test:8443/s")
        );
    }

    /// Whatever the template and the values: what is requested lies at the vetted origin below the vetted path.
    #[test]
    fn never_leaves_the_prefix() {
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = move |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 16) as usize % n
        };
        const START: &[&str] = &[
            "https://shop.example.test/",
            "https://shop.example.test",
            "/",
            "",
            "//shop.example.test/",
            "?",
            "search/",
            "https://shop.example.test/a/../b/",
            "https:",
            "//",
            "https://shop.example.test/a?",
            "../",
            "s",
            "http://shop.example.test/",
        ];
        const TEMPLATE: &[&str] = &[
            "{q}",
            "{a}",
            "{?q}",
            "{&a}",
            "{+q}",
            "/",
            "//",
            "\\",
            "..",
            ".",
            "%2e",
            "@",
            ":",
            "evil.test",
            "?",
            "&",
            "#",
            "x",
            "=",
            "{",
            "}",
            "%2f",
            ";",
            "{?a,b}",
            "é",
            " ",
            "\t",
            "%",
            "%5c",
        ];
        const VALUE: &[&str] = &[
            "",
            ".",
            "..",
            "/",
            "\\",
            "%2e",
            "%252e",
            "%2f",
            "@",
            ":",
            "//",
            "evil.test",
            "?",
            "#",
            "&",
            "\0",
            "\n",
            "é",
            "灯",
            "javascript",
            "%",
            "x",
            " ",
            ";",
            "\u{202e}",
            "logout",
            "{q}",
        ];
        let mut expanded = 0;
        for _ in 0..100_000 {
            let mut raw = START[random(START.len())].to_string();
            for _ in 0..random(6) {
                raw.push_str(TEMPLATE[random(TEMPLATE.len())]);
            }
            let Ok(template) = vet(&raw) else { continue };
            let mut values: Vec<String> = Vec::new();
            for _ in 0..template.variables.len() {
                let mut value = String::new();
                for _ in 0..random(4) {
                    value.push_str(VALUE[random(VALUE.len())]);
                }
                values.push(if random(8) > 0 { value } else { String::new() });
            }
            let Ok(address) = template.expand(&values) else { continue };
            expanded += 1;
            let of = format!("{raw} {values:?} {address}");
            let parsed = ::url::Url::parse(&address).unwrap();
            assert_eq!(parsed.as_str(), address, "{of}");
            assert_eq!(parsed.origin().ascii_serialization(), "https://shop.example.test", "{of}");
            assert!(parsed.username().is_empty() && parsed.password().is_none() && parsed.fragment().is_none(), "{of}");
            let prefix = ::url::Url::parse(&template.prefix).unwrap();
            if template.path_goes_on {
                assert!(parsed.path().starts_with(prefix.path()), "{of}");
                assert!(prefix.path().ends_with('/'), "{of}");
            } else {
                assert_eq!(parsed.path(), prefix.path(), "{of}");
            }
        }
        assert!(expanded > 5_000, "only {expanded} cases reached an address");
    }
}
