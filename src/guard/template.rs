//! URL templates (RFC 6570, <https://www.rfc-editor.org/rfc/rfc6570>).
//!
//! A template is vetted once, when the page is read: all that stands before its first parameter is resolved and becomes
//! a fixed prefix. Whatever a call fills in, the resulting address starts with that prefix or is refused.

use super::{
    rules::{self, Rule},
    url::{Destinations, Refusal, authority, authority_end, destination, effect, refuse},
};
use crate::{dom::resolve, limits, text};
use alloc::{
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// What every expansion starts with, serialised: the whole path, or the path up to the segment that holds the
    /// first parameter.
    prefix: String,
    /// Whether the path goes on behind the prefix.
    path_goes_on: bool,
    parts: Vec<Part>,
    /// Its parameters, each once, in order; at most [`limits::TEMPLATE_PARAMETERS`].
    pub variables: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    /// Indices of variables; `form` for `{?…}` and `{&…}`.
    Expression {
        form: bool,
        variables: Vec<usize>,
    },
}

impl Template {
    /// Reads a template and decides whether it may be requested.
    pub fn vet(raw: &str, to: &Destinations) -> Result<Template, Refusal> {
        let source = clean(raw)?;
        let (mut parts, mut variables) = parse(&source)?;
        let first_form = match parts.iter().position(|p| matches!(p, Part::Expression { .. })) {
            None => return refuse(&rules::NO_PARAMETER, &source),
            Some(0) => {
                parts.insert(0, Part::Literal(String::new()));
                matches!(parts[1], Part::Expression { form: true, .. })
            }
            Some(at) => matches!(parts[at], Part::Expression { form: true, .. }),
        };
        let Some(Part::Literal(head)) = parts.first_mut() else { return refuse(&rules::SYNTAX, &source) };
        let head = core::mem::take(head);
        let authority_end = authority_end(&head, first_form, &source)?;
        place(&head, &mut parts, &mut variables, &source)?;

        // The fixed prefix: up to the query, or up to the segment that holds the first parameter.
        let bytes = head.as_bytes();
        let query = bytes.iter().position(|&b| b == b'?');
        let path_goes_on = query.is_none() && !first_form;
        let cut = match query {
            Some(at) => at,
            None if first_form => head.len(),
            None => bytes.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1).max(authority_end),
        };
        let Some(mut prefix) = resolve(&head[..cut], to.base) else { return refuse(&rules::ADDRESS, &source) };
        prefix.truncate(prefix.bytes().position(|b| b == b'?' || b == b'#').unwrap_or(prefix.len()));
        parts[0] = Part::Literal(head[cut..].to_string());
        let prefix = destination(prefix, to)?;

        let template = Template { prefix, path_goes_on, parts, variables };
        if template.names_an_effect() {
            return refuse(&rules::EFFECT_WORD, &source);
        }
        // What fails for the plainest values would fail for all.
        let plain: Vec<Option<&str>> = template.variables.iter().map(|_| Some("x")).collect();
        match template.expand(&plain) {
            Ok(_) => Ok(template),
            Err(rule) => refuse(rule, &source),
        }
    }

    /// Fills in `values` (one per variable; `None` leaves it out) and checks the result again: it starts with the
    /// vetted prefix, and its path has not climbed.
    pub fn expand(&self, values: &[Option<&str>]) -> Result<String, &'static Rule> {
        let mut out = self.prefix.clone();
        let (mut query, mut after_form) = (false, false);
        for part in &self.parts {
            match part {
                Part::Literal(literal) => {
                    // A form expression that came out empty leaves the first `&` without its `?`.
                    let rest = if query || !after_form { None } else { literal.strip_prefix('&') };
                    after_form = false;
                    if let Some(rest) = rest {
                        out.push('?');
                        out.push_str(rest);
                    } else {
                        out.push_str(literal);
                    }
                    query |= rest.is_some() || literal.bytes().any(|b| b == b'?');
                }
                Part::Expression { form, variables } => {
                    after_form = *form;
                    let mut first = true;
                    for &at in variables {
                        let variable = &self.variables[at];
                        let value = values.get(at).copied().flatten();
                        if variable.in_path && (value.is_none_or(str::is_empty) || value.is_some_and(climbs)) {
                            return Err(&rules::CLIMB);
                        }
                        let Some(value) = value else { continue };
                        if *form {
                            out.push(if query { '&' } else { '?' });
                            query = true;
                            encode(&variable.name, &mut out);
                            out.push('=');
                        } else if !first {
                            out.push(',');
                        }
                        first = false;
                        encode(value, &mut out);
                    }
                }
            }
            if out.len() > limits::ADDRESS {
                return Err(&rules::TEMPLATE_SIZE);
            }
        }
        self.check(&out)
    }

    /// The origin of every request, serialised.
    pub fn origin(&self) -> &str {
        &self.prefix[..authority(&self.prefix).map_or(0, |(_, end)| end)]
    }

    fn check(&self, expanded: &str) -> Result<String, &'static Rule> {
        let behind = path(&expanded[self.prefix.len()..]);
        if behind.split('/').any(is_dot_segment) {
            return Err(&rules::CLIMB);
        }
        let Some(address) = resolve(expanded, &self.prefix) else { return Err(&rules::ADDRESS) };
        let Some(rest) = address.strip_prefix(self.prefix.as_str()) else { return Err(&rules::CLIMB) };
        let rest_path = path(rest);
        if slashes(rest_path) != slashes(behind) || (!self.path_goes_on && !rest_path.is_empty()) {
            return Err(&rules::CLIMB);
        }
        if address.len() > limits::ADDRESS {
            return Err(&rules::TEMPLATE_SIZE);
        }
        // `/{q}` reaches every page of the first level, also those that act.
        if self.path_goes_on && self.prefix.len() == self.origin().len() + 1 && effect(rest_path) {
            return Err(&rules::EFFECT_WORD);
        }
        Ok(address)
    }

    fn names_an_effect(&self) -> bool {
        effect(&self.prefix[self.origin().len()..])
            || self.parts.iter().any(|part| matches!(part, Part::Literal(literal) if effect(literal)))
    }
}

/// The template without white space around it, with `&amp;` and the percent-encoded braces of a `link` undone.
fn clean(raw: &str) -> Result<String, Refusal> {
    let source = raw.trim_matches(|c: char| c <= ' ');
    if source.len() > limits::TEMPLATE {
        return refuse(&rules::TEMPLATE_SIZE, source);
    }
    let bytes = source.as_bytes();
    let mut out = String::with_capacity(source.len());
    let (mut i, mut from, mut open) = (0, 0, false);
    while i < bytes.len() {
        let brace = if open { "%7D" } else { "%7B" };
        let rest = &bytes[i..];
        if bytes[i] < b' ' || bytes[i] == 0x7f || bytes[i] == b'\\' {
            return refuse(&rules::CHARACTER, source);
        }
        if bytes[i] == b'&' {
            // `&amp;`, also when it was escaped more than once.
            let mut n = 1;
            while rest[n..].len() >= 4 && rest[n..n + 4].eq_ignore_ascii_case(b"amp;") {
                n += 4;
            }
            out.push_str(&source[from..=i]);
            i += n;
            from = i;
        } else if rest.len() >= 3 && rest[..3].eq_ignore_ascii_case(brace.as_bytes()) {
            out.push_str(&source[from..i]);
            out.push(if open { '}' } else { '{' });
            open = !open;
            i += 3;
            from = i;
        } else {
            i += 1;
        }
    }
    out.push_str(&source[from..]);
    Ok(out)
}

/// Literals and expressions (RFC 6570 §2).
fn parse(source: &str) -> Result<(Vec<Part>, Vec<Variable>), Refusal> {
    let bytes = source.as_bytes();
    let mut parts = Vec::new();
    let mut variables: Vec<Variable> = Vec::new();
    let mut from = 0;
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b'}' {
            return refuse(&rules::SYNTAX, source);
        }
        if bytes[i] != b'{' {
            i += 1;
            continue;
        }
        if i > from {
            parts.push(Part::Literal(source[from..i].to_string()));
        }
        let Some(length) = bytes[i + 1..].iter().position(|&b| b == b'{' || b == b'}') else {
            return refuse(&rules::SYNTAX, source);
        };
        let end = i + 1 + length;
        if bytes[end] == b'{' {
            return refuse(&rules::SYNTAX, source);
        }
        // `{+q}` would let reserved characters through: it is expanded as `{q}`.
        let (form, names) = match bytes[i + 1] {
            b'?' | b'&' => (true, &source[i + 2..end]),
            b'+' => (false, &source[i + 2..end]),
            b'#' => return refuse(&rules::FRAGMENT, source),
            b'.' | b'/' | b';' | b'=' | b',' | b'!' | b'@' | b'|' => return refuse(&rules::SYNTAX, source),
            _ => (false, &source[i + 1..end]),
        };
        let mut indices = Vec::new();
        for name in names.split(',') {
            let name = text::trim(name.strip_suffix('*').unwrap_or(name));
            if name.is_empty() {
                return refuse(&rules::SYNTAX, source);
            }
            let at = variables.iter().position(|v| v.name == name).unwrap_or(variables.len());
            if at == variables.len() {
                if at == limits::TEMPLATE_PARAMETERS {
                    return refuse(&rules::TEMPLATE_SIZE, source);
                }
                variables.push(Variable { name: name.to_string(), in_path: false, form: true });
            }
            variables[at].form &= form;
            indices.push(at);
        }
        parts.push(Part::Expression { form, variables: indices });
        i = end + 1;
        from = i;
    }
    if from < source.len() {
        parts.push(Part::Literal(source[from..].to_string()));
    }
    Ok((parts, variables))
}

/// Finds the parameters of the path, refuses those of the fragment and drops the fragment.
fn place(head: &str, parts: &mut Vec<Part>, variables: &mut [Variable], source: &str) -> Result<(), Refusal> {
    let mut query = false;
    let mut fragment = false;
    let mut after_form = false;
    let mut keep = parts.len();
    for (i, part) in parts.iter_mut().enumerate() {
        match part {
            Part::Literal(literal) => {
                let before = literal.len();
                let bytes = if i == 0 { head.as_bytes() } else { literal.as_bytes() };
                if after_form && !matches!(bytes[0], b'&' | b'#') {
                    return refuse(&rules::SYNTAX, source);
                }
                if let Some(at) = bytes.iter().position(|&b| b == b'#') {
                    fragment = true;
                    query |= bytes[..at].contains(&b'?');
                    literal.truncate(at.min(before));
                    keep = keep.min(i + 1);
                } else {
                    query |= bytes.contains(&b'?');
                }
                after_form = false;
            }
            Part::Expression { .. } if fragment => return refuse(&rules::FRAGMENT, source),
            Part::Expression { form, variables: indices } => {
                query |= *form;
                after_form = *form;
                for &at in indices.iter() {
                    variables[at].in_path |= !query;
                }
            }
        }
    }
    parts.truncate(keep);
    Ok(())
}

/// The part before the query and the fragment.
fn path(rest: &str) -> &str {
    &rest[..rest.bytes().position(|b| b == b'?' || b == b'#').unwrap_or(rest.len())]
}

fn slashes(path: &str) -> usize {
    path.bytes().filter(|&b| b == b'/').count()
}

/// RFC 6570 §3.2.1: all but the unreserved characters, as UTF-8.
fn encode(value: &str, out: &mut String) {
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

/// `.` and `..` as the URL parser sees them (WHATWG URL, "double-dot URL path segment").
fn is_dot_segment(segment: &str) -> bool {
    let mut bytes = segment.as_bytes();
    let mut dots = 0;
    while !bytes.is_empty() {
        bytes = if bytes[0] == b'.' {
            &bytes[1..]
        } else if bytes.len() >= 3 && bytes[..3].eq_ignore_ascii_case(b"%2e") {
            &bytes[3..]
        } else {
            return false;
        };
        dots += 1;
    }
    dots == 1 || dots == 2
}

/// Whether a value of the path could climb on a server that decodes once more than it should, or reads `..;` as `..`.
fn climbs(value: &str) -> bool {
    let mut bytes: Vec<u8> = value.as_bytes().to_vec();
    for _ in 0..3 {
        for part in bytes.split(|b| matches!(b, b'/' | b'\\')) {
            let name = part.split(|&b| b == b';' || b == 0).next().unwrap_or(part);
            if name == b"." || name == b".." {
                return true;
            }
        }
        let mut decoded = Vec::with_capacity(bytes.len());
        let mut i = 0;
        while i < bytes.len() {
            let digit = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
            match (bytes[i], digit(i + 1), digit(i + 2)) {
                (b'%', Some(high), Some(low)) => {
                    decoded.push((high * 16 + low) as u8);
                    i += 3;
                }
                (b, ..) => {
                    decoded.push(b);
                    i += 1;
                }
            }
        }
        bytes = decoded;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const PAGE: &str = "https://shop.example.test/p/1";

    fn vet(raw: &str) -> Result<Template, Refusal> {
        let allowed = ["api.example.test".to_string(), "localhost:8080".to_string()];
        Template::vet(raw, &Destinations { page: PAGE, base: PAGE, allowed_hosts: &allowed })
    }

    /// Expands with `values` in the order of the variables; fewer leave the others out.
    fn expand(raw: &str, values: &[&str]) -> Result<String, &'static str> {
        let template = vet(raw).map_err(|r| r.rule.id)?;
        let values: Vec<Option<&str>> = (0..template.variables.len()).map(|i| values.get(i).copied()).collect();
        template.expand(&values).map_err(|r| r.id)
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
            ("https://shop.example.test/s?q={a,b}", &["x", "y"], "https://shop.example.test/s?q=x,y"),
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
            assert_eq!(vet(raw).map_err(|r| r.rule.id), Err(rule), "{raw}");
        }
        let long = format!("/s?q={{q}}&x={}", "y".repeat(limits::TEMPLATE));
        assert_eq!(vet(&long).unwrap_err().rule.id, "template-size");
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
            Template::vet(raw, &Destinations { page, base, allowed_hosts: &[] })
                .map_err(|r| r.rule.id)
                .map(|t| t.prefix)
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
            let mut values: Vec<Option<String>> = Vec::new();
            for _ in 0..template.variables.len() {
                let mut value = String::new();
                for _ in 0..random(4) {
                    value.push_str(VALUE[random(VALUE.len())]);
                }
                values.push(Some(value).filter(|_| random(8) > 0));
            }
            let given: Vec<Option<&str>> = values.iter().map(|v| v.as_deref()).collect();
            let Ok(address) = template.expand(&given) else { continue };
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
            assert!(!parsed.path_segments().unwrap().any(|s| is_dot_segment(s)), "{of}");
        }
        assert!(expanded > 5_000, "only {expanded} cases reached an address");
    }
}
