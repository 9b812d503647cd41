//! HTML text → snapshot, natively, through html5ever. The twin of `js/snapshot.js`: same rules, same wire form
//! (see [`super`]); `tests/browser/snapshot.test.mjs` compares the two byte by byte.

mod marks;
mod rules;
mod tree;
mod writer;

use self::marks::{ANCESTOR, Marks, SELECTED};
use self::rules::{CLOSED, PAGE, has, is_article_body, is_json_ld, is_shown, needs_text};
use self::tree::{DOCUMENT, Data, Id, NONE, Tree};
use self::writer::Writer;
use super::{FIELD, RECORD_END, Snapshot};
use crate::{limits, text};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// What a snapshot is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The markup.
    #[default]
    Markup,
    /// The markup and what the page says: visible text and links.
    Page,
    /// What the page says, without the markup.
    Text,
    /// The markup, and every element that has a `role`.
    Roles,
}

/// Reads the markup of a page. `url` is the page's address (absolute); it and `<base href>` give the base URL.
pub fn snapshot(html: &str, url: &str) -> Snapshot {
    Snapshot::decode(wire(html, url))
}

/// The snapshot in its wire form.
pub fn wire(html: &str, url: &str) -> String {
    wire_in(html, url, Mode::Markup, true)
}

/// The wire form in any mode. `scripting` says whether the page is parsed as in a browser tab (true) or as by
/// `DOMParser` (false): the content of `noscript` is text or elements. It is not read in either case.
pub fn wire_in(html: &str, url: &str, mode: Mode, scripting: bool) -> String {
    write(&Tree::parse(html, scripting), url, mode)
}

/// The snapshot of a page's markup and that of its text, in their wire form, from one parsing.
pub fn wires(html: &str, url: &str) -> (String, String) {
    let tree = Tree::parse(html, true);
    (write(&tree, url, Mode::Markup), write(&tree, url, Mode::Text))
}

fn write(tree: &Tree, url: &str, mode: Mode) -> String {
    let url = super::resolve(url, "").unwrap_or_else(|| url.to_string());
    let mut root = tree.node(DOCUMENT).first;
    while root != NONE && tree.element(root).is_none() {
        root = tree.node(root).next;
    }
    let marks = if mode == Mode::Text { Marks::none(tree) } else { Marks::new(tree, mode) };
    let speaks = mode == Mode::Markup && root != NONE && speaks(tree, root);
    let (base, title) = head(tree, &url);
    let mut writer = Writer::default();
    writer.roles = mode == Mode::Roles;
    writer.out.push('H');
    writer.push(&url);
    writer.out.push(FIELD);
    writer.push(&base);
    writer.out.push(FIELD);
    writer.push(&title);
    if speaks {
        writer.out.push(FIELD);
        writer.out.push('1');
    }
    writer.out.push(RECORD_END);
    if root != NONE {
        walk(tree, root, &marks, mode, &mut writer);
    }
    if tree.cut && !writer.cut {
        writer.out.push('C');
        writer.out.push(RECORD_END);
    }
    writer.out
}

/// Whether the page has a text of its own (see [`super`]).
fn speaks(tree: &Tree, root: Id) -> bool {
    let (mut said, mut steps, mut sections) = (0, 0, 0);
    let mut at = Some(root);
    while let Some(id) = at {
        steps += 1;
        if said >= limits::TEXT_ENOUGH || steps > limits::TEXT_STEPS {
            return true;
        }
        let mut descend = false;
        match &tree.node(id).data {
            Data::Text(run) => {
                said += run
                    .chars()
                    .filter(|c| !(c.is_ascii() && text::is_space(*c as u8)))
                    .map(char::len_utf16)
                    .sum::<usize>();
            }
            Data::Element(e) => {
                descend = !has(CLOSED, &e.name.local) && is_shown(e, sections > 0) && tree.node(id).first != NONE;
                sections += usize::from(descend && is_section(&e.name.local));
            }
            _ => {}
        }
        at = tree.following(id, root, descend, |left| {
            let inside = left != id || descend;
            sections -= usize::from(inside && tree.element(left).is_some_and(|e| is_section(&e.name.local)));
        });
    }
    said >= limits::TEXT_ENOUGH
}

/// Whether `header` and `footer` in it are not the page's own.
fn is_section(name: &str) -> bool {
    matches!(name, "article" | "main" | "section")
}

/// For [`super::resolve`]: `url` resolved against `base` and serialised.
pub fn parse(url: &str, base: &str) -> Option<String> {
    match url::Url::parse(base) {
        Ok(base) => base.join(url).ok(),
        Err(_) => url::Url::parse(url).ok(),
    }
    .map(|u| u.to_string())
}

/// [The document base URL](https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url) and
/// [`document.title`](https://html.spec.whatwg.org/multipage/dom.html#document.title).
fn head(tree: &Tree, url: &str) -> (String, String) {
    let (mut base, mut title) = (None, None);
    let mut at = Some(DOCUMENT);
    while let Some(id) = at {
        if let Some(e) = tree.element(id).filter(|e| e.is_html()) {
            if base.is_none() && &*e.name.local == "base" {
                base = e.attr("href");
            }
            if title.is_none() && &*e.name.local == "title" {
                title = Some(text::collapse(&child_text(tree, id)));
            }
        }
        at = tree.following(id, DOCUMENT, true, |_| {});
    }
    let usable = |b: &String| !b.starts_with("data:") && !b.starts_with("javascript:");
    let base = base.and_then(|href| super::resolve(href, url)).filter(usable);
    (base.unwrap_or_else(|| url.to_string()), title.unwrap_or_default())
}

fn child_text(tree: &Tree, id: Id) -> String {
    let mut out = String::new();
    let mut at = tree.node(id).first;
    while at != NONE {
        if let Data::Text(run) = &tree.node(at).data {
            out.push_str(run);
        }
        at = tree.node(at).next;
    }
    out
}

/// What a walk knows at an element that it has entered.
#[derive(Clone, Copy)]
struct Frame {
    id: Id,
    /// An `E` was written.
    written: bool,
    /// Text here is the value of an element around it.
    value: bool,
    /// Text here is what the page says (page mode).
    visible: bool,
    /// Inside `article`, `main` or `section`, where `header` and `footer` are not the page's own.
    sectioned: bool,
}

/// Writes the tree below `root` in tree order.
fn walk(tree: &Tree, root: Id, marks: &Marks, mode: Mode, writer: &mut Writer) {
    let page = matches!(mode, Mode::Page | Mode::Text);
    let mut open: Vec<Frame> = Vec::new();
    let mut at = Some(root);
    while let Some(id) = at {
        let parent = open.last().copied().unwrap_or(Frame {
            id: NONE,
            written: false,
            value: false,
            visible: page,
            sectioned: false,
        });
        let mut descend = true;
        match &tree.node(id).data {
            Data::Text(run) if parent.value || parent.visible => writer.text(run, parent.value),
            Data::Element(e) => {
                let name = &*e.name.local;
                let mark = marks.of[id as usize];
                let closed = has(CLOSED, name);
                let mut frame = Frame { id, ..parent };
                frame.value |= mark == SELECTED && needs_text(e);
                frame.visible &= is_shown(e, parent.sectioned);
                frame.sectioned |= is_section(name);
                let reading = parent.value || parent.visible;
                if reading {
                    writer.boundary(name);
                } else if frame.value {
                    writer.line = false;
                }
                frame.written = id == root
                    || mark == SELECTED
                    || mark == ANCESTOR && marks.gives_context(e)
                    || page
                        && frame.visible
                        && e.is_html()
                        && (has(PAGE, name) && (name != "a" || e.attr("href").is_some())
                            || mode == Mode::Text && is_article_body(e));
                if frame.written {
                    writer.element(e);
                }
                if closed {
                    descend = false;
                    if is_json_ld(e) && mark == SELECTED {
                        writer.script(&child_text(tree, id));
                    }
                }
                open.push(frame);
            }
            _ => {}
        }
        if writer.cut {
            break;
        }
        at = tree.following(id, root, descend, |left| {
            let Some(frame) = open.last().copied().filter(|frame| frame.id == left) else { return };
            open.pop();
            if frame.written {
                writer.close();
            }
            let reading = open.last().is_some_and(|f| f.value || f.visible);
            if let Some(e) = tree.element(left).filter(|_| reading) {
                writer.boundary(&e.name.local);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::rules::{BLOCKS, FURNITURE, LANDMARKS};
    use super::*;
    use crate::dom::{ATTRIBUTES, Attr};

    const URL: &str = "https://a.test/d/p?q#f";

    /// The wire form with `|` between fields and `;` after records, without its header.
    fn body(html: &str, mode: Mode) -> String {
        let wire = wire_in(html, URL, mode, mode == Mode::Markup);
        let at = wire.find(RECORD_END).unwrap() + 1;
        wire[at..].replace(FIELD, "|").replace(RECORD_END, ";").replace('\n', "~")
    }

    #[test]
    fn reads_the_markup() {
        for (html, want) in [
            ("", "Ehtml;X;"),
            (
                "<html lang=de><div itemscope itemtype=T><b itemprop=name>N</b> x",
                "Ehtml|Lde;Ebody;Ediv|S|tT;Eb|pname;TN;X;X;X;X;",
            ),
            ("<html itemscope><div itemprop=d>a<p>b<br>c<p>d", "Ehtml|S;Ebody;Ediv|pd;Ta;B;Tb;B;Tc;B;Td;X;X;X;"),
            ("<html itemscope><a itemprop=u href=/x>t<i>u</i></a>", "Ehtml|S;Ebody;Ea|pu|h/x;Ttu;X;X;X;"),
            ("<html itemscope><time itemprop=d datetime=1>t</time>", "Ehtml|S;Ebody;Etime|pd|T1;X;X;X;"),
            (
                "<html itemscope><i itemprop=d>a<!-- c -->b<script>s</script>c<style>s</style></i>",
                "Ehtml|S;Ebody;Ei|pd;Tabc;X;X;X;",
            ),
            (
                "<script type='Application/LD+json ; p'>{}</script>",
                "Ehtml;Ehead;Escript|kApplication/LD+json ; p;T{};X;X;X;",
            ),
            ("<script type=application/json>{}</script>", "Ehtml;X;"),
            ("<html itemscope><svg><a itemprop=u href=x>t</a></svg>", "Ehtml|S;Ebody;E*a|pu|hx;Tt;X;X;X;"),
            ("<html itemscope><meta itemprop=a content='\u{1e}\u{1f}'>", "Ehtml|S;Ehead;Emeta|pa|c  ;X;X;X;"),
            ("<p xmlns:s=http://x/><b property=s:n>t", "Ehtml;Ebody;Ep|xs=http://x/;Eb|Ps:n;Tt;X;X;X;X;"),
            (
                "<div lang=fr><p id=q><b itemprop=x></b></p></div><i itemscope itemref='a q'>",
                "Ehtml;Ebody;Ediv|Lfr;Ep|Iq;Eb|px;X;X;X;Ei|S|ra q;X;X;X;",
            ),
            (
                "<html itemscope><noscript><b itemprop=x>t</b></noscript><template><b itemprop=y>t</b></template>",
                "Ehtml|S;X;",
            ),
        ] {
            assert_eq!(body(html, Mode::Markup), want, "{html}");
        }
    }

    #[test]
    fn reads_links_where_rdfa_is_used() {
        for (html, want) in [
            ("<a rel=nofollow href=x>", "Ehtml;X;"),
            ("<b vocab=v></b><a rel=license href=x></a>", "Ehtml;Ebody;Eb|vv;X;Ea|elicense|hx;X;X;X;"),
            ("<p rel=s:a><a href=x></a></p><a href=y></a>", "Ehtml;Ebody;Ep|es:a;Ea|hx;X;X;X;X;"),
            ("<link rel=https://api.w.org/ href=x><a rel=n href=y>", "Ehtml;Ehead;Elink|ehttps://api.w.org/|hx;X;X;X;"),
            ("<a rel='x License' href=x></a><a rel=n href=y>", "Ehtml;Ebody;Ea|ex License|hx;X;X;X;"),
        ] {
            assert_eq!(body(html, Mode::Markup), want, "{html}");
        }
    }

    #[test]
    fn reads_only_what_can_say_a_thing() {
        for (html, want) in [
            ("<p itemprop=a>t<p itemprop-reverse=b><url template=t>", "Ehtml;X;"),
            ("<p itemprop-reverse=b itemscope>", "Ehtml;Ebody;Ep|wb|S;X;X;X;"),
            ("<p about=x><p resource=y><a rel=next href=z>", "Ehtml;X;"),
            ("<p about=x><p vocab=y>", "Ehtml;Ebody;Ep|ax;X;Ep|vy;X;X;X;"),
            ("<p about=x><p resource=y typeof=T>", "Ehtml;Ebody;Ep|ax;X;Ep|Ry|yT;X;X;X;"),
            ("<meta property=og:title content=t><p about=x>", "Ehtml;Ehead;Emeta|Pog:title|ct;X;X;Ebody;Ep|ax;X;X;X;"),
            ("<p about=x><a rel='a license' href=y>", "Ehtml;Ebody;Ep|ax;Ea|ea license|hy;X;X;X;X;"),
            ("<p about=x><a rev=x:y href=y>", "Ehtml;Ebody;Ep|ax;Ea|Vx:y|hy;X;X;X;X;"),
        ] {
            assert_eq!(body(html, Mode::Markup), want, "{html}");
        }
    }

    #[test]
    fn reads_the_page() {
        for (html, want) in [
            ("<nav>n</nav><h1>T</h1>\n<p>a <a href=x>l</a> b", "Ehtml;Ebody;Eh1;B;TT;X;Ep;B;Ta ;Ea|hx;Tl;X;T b;X;X;X;"),
            ("<header>n</header><main><header>h</header>", "Ehtml;Ebody;Emain;B;Th;X;X;X;"),
            ("<p hidden>a<p style='Display : none'>b<p aria-hidden=TRUE>c", "Ehtml;Ebody;X;X;"),
            ("<html itemscope><p hidden>a<b itemprop=n>v</b></p>", "Ehtml|S;Ebody;Eb|pn;Tv;X;X;X;"),
            ("<url template=t>", "Ehtml;Ebody;Eurl|Ut;X;X;X;"),
        ] {
            assert_eq!(body(html, Mode::Page), want, "{html}");
        }
    }

    #[test]
    fn reads_the_text() {
        for (html, want) in [
            ("<nav>n</nav><p>a<p hidden>b<b itemprop=n>v</b>", "Ehtml;Ebody;Ep;B;Ta;X;X;X;"),
            ("<div itemprop='x articleBody'>a<script>s</script></div>", "Ehtml;Ebody;Ediv|px articleBody;B;Ta;X;X;X;"),
        ] {
            assert_eq!(body(html, Mode::Text), want, "{html}");
        }
    }

    #[test]
    fn reads_roles_where_they_are_asked_for() {
        let html = "<main role=main><p prefix='x: http://x.test/'><svg role='img x:y' id=s></svg></p><b role=note property=x:z>t";
        for (mode, want) in [
            (Mode::Markup, "Ehtml;Ebody;Emain;Eb|Px:z;Tt;X;X;X;X;"),
            (
                Mode::Roles,
                "Ehtml;Ebody;Emain|Omain;Ep|fx: http://x.test/;E*svg|Oimg x:y|Is;X;X;Eb|Onote|Px:z;Tt;X;X;X;X;",
            ),
        ] {
            assert_eq!(body(html, mode), want, "{mode:?}");
        }
    }

    #[test]
    fn sees_the_text_of_a_page() {
        let words = "at least thirty letters of what it says";
        for (html, want) in [
            ("<p>WORDS", true),
            ("<p>short", false),
            ("<main><footer>WORDS</footer></main>", true),
            ("<footer>WORDS</footer><nav>WORDS</nav><title>WORDS</title>", false),
            ("<section><p>x</section><footer>WORDS</footer>", false),
            ("<p hidden>WORDS</p><script>WORDS</script><!--WORDS-->", false),
            ("<html itemscope><p itemprop=description>WORDS</p><p property=schema:text>WORDS</p>", true),
        ] {
            let wire = wire(&html.replace("WORDS", words), URL);
            assert_eq!(Snapshot::decode(wire).speaks(), want, "{html}");
        }
        assert!(Snapshot::decode(wire(&"<i></i>".repeat(limits::TEXT_STEPS), URL)).speaks());
    }

    #[test]
    fn names_the_document() {
        for (html, want) in [
            ("", "Hhttps://a.test/d/p?q#f|https://a.test/d/p?q#f|"),
            (
                "<title> a\n b </title><base target=x><base href=../c/><base href=/no>",
                "Hhttps://a.test/d/p?q#f|https://a.test/c/|a b",
            ),
            ("<base href=data:,x>", "Hhttps://a.test/d/p?q#f|https://a.test/d/p?q#f|"),
        ] {
            let wire = wire(html, URL);
            assert_eq!(wire.split(RECORD_END).next().unwrap().replace(FIELD, "|"), want);
        }
    }

    /// The browser's reader has the same tables, but for roles, which it does not read.
    #[test]
    fn agrees_with_the_other_reader() {
        let js = [
            include_str!("../../js/snapshot/rules.js"),
            include_str!("../../js/snapshot/element.js"),
            include_str!("../../js/snapshot/select.js"),
        ]
        .concat();
        let quoted = |words: &str| ["'", words, "'"].concat();
        let names = ATTRIBUTES.iter().filter(|(attr, ..)| !matches!(attr, Attr::Xmlns | Attr::Role));
        let codes: Vec<_> =
            names.map(|(attr, name, _)| [name, " ", &(*attr as u8 as char).to_string()].concat()).collect();
        let selecting: Vec<_> = ATTRIBUTES.iter().filter(|a| a.2).map(|a| a.1).collect();
        for list in [BLOCKS, CLOSED, LANDMARKS, PAGE, FURNITURE, &codes.join(" "), &selecting.join(" ")] {
            assert!(js.contains(&quoted(list)), "js/snapshot lacks the list '{list}'");
        }
    }
}
