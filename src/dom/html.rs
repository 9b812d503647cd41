//! HTML text → snapshot, natively, through html5ever. The twin of `js/snapshot.js`: same rules, same wire form
//! (see [`super`]); `tests/browser/snapshot.test.mjs` compares the two byte by byte.

use super::tree::{DOCUMENT, Data, Element, Id, NONE, Tree};
use super::{ATTRIBUTES, Attr, FIELD, RECORD_END, Snapshot};
use crate::{limits, text};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// Elements that begin and end a line.
const BLOCKS: &str = "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset \
                      figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol \
                      optgroup option p pre search section summary table tbody td tfoot th thead tr ul";
/// Elements below which nothing is read: code, and what a browser that runs scripts never shows.
const CLOSED: &str = "script style template noscript iframe noembed noframes";
/// Elements that give context to what stands in them.
const LANDMARKS: &str = "main aside nav header footer article form head body";
/// In page mode, elements that are in the snapshot for the sake of their text.
const PAGE: &str = "a article body h1 h2 h3 h4 h5 h6 li main p";
/// In page mode, elements whose text is no part of what the page says: furniture, controls, and content that shows
/// only where the element does not work.
const FURNITURE: &str =
    "aside audio button canvas datalist dialog head math nav object select svg textarea title video";

/// What a snapshot is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The markup.
    #[default]
    Markup,
    /// The markup and what the page says: visible text and links.
    Page,
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
    let tree = Tree::parse(text::cut(html, limits::PAGE), scripting);
    let url = resolve(url, "").unwrap_or_else(|| url.to_string());
    let (base, title) = head(&tree, &url);
    let mut writer = Writer::default();
    writer.out.push('H');
    writer.push(&url);
    writer.out.push(FIELD);
    writer.push(&base);
    writer.out.push(FIELD);
    writer.push(&title);
    writer.out.push(RECORD_END);
    let mut root = tree.node(DOCUMENT).first;
    while root != NONE && tree.element(root).is_none() {
        root = tree.node(root).next;
    }
    if root != NONE {
        walk(&tree, root, &Marks::new(&tree), mode == Mode::Page, &mut writer);
    }
    writer.out
}

/// `url` resolved against `base` and serialised (WHATWG URL), or `None` if it does not parse.
pub fn resolve(url: &str, base: &str) -> Option<String> {
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
    let base = base.and_then(|href| resolve(href, url)).filter(usable);
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

/// Which elements are in the snapshot, and why.
struct Marks {
    /// One of the constants below for each node.
    of: Vec<u8>,
    /// Tokens of all `itemref`s, sorted.
    ids: Vec<String>,
}

/// In the snapshot.
const SELECTED: u8 = 1;
/// Contains an element that is, and so is in it too if it gives context.
const ANCESTOR: u8 = 2;

impl Marks {
    fn new(tree: &Tree) -> Marks {
        let mut marks = Marks { of: vec![0; tree.len()], ids: Vec::new() };
        if marks.select(tree, false) {
            marks.select(tree, true);
        }
        marks.ids.sort_unstable();
        marks.ids.dedup();
        for id in 0..tree.len() {
            if marks.of[id] == SELECTED {
                let mut at = tree.node(id as Id).parent;
                while at != NONE && marks.of[at as usize] == 0 {
                    marks.of[at as usize] = ANCESTOR;
                    at = tree.node(at).parent;
                }
            }
        }
        marks
    }

    /// Marks what is selected; with `links` also what matters only where RDFa is in use. Returns whether it is.
    fn select(&mut self, tree: &Tree, links: bool) -> bool {
        let mut rdfa = false;
        let mut hanging = 0;
        let mut at = Some(DOCUMENT);
        while let Some(id) = at {
            let mut descend = true;
            if let Some(e) = tree.element(id) {
                let why = reason(e);
                let link = links
                    && (e.attr("rel").is_some()
                        || e.attr("rev").is_some()
                        || hanging > 0 && (e.attr("href").is_some() || e.attr("src").is_some()));
                if why != 0 || link {
                    self.of[id as usize] = SELECTED;
                }
                rdfa |= why & RDFA != 0;
                if !links {
                    self.ids.extend(text::tokens(e.attr("itemref").unwrap_or("")).map(ToString::to_string));
                }
                descend = !has(CLOSED, &e.name.local);
                hanging += is_hanging(e) as usize;
            }
            at = tree.following(id, DOCUMENT, descend, |left| {
                hanging -= tree.element(left).is_some_and(is_hanging) as usize;
            });
        }
        rdfa
    }

    fn gives_context(&self, e: &Element) -> bool {
        e.is_html() && has(LANDMARKS, &e.name.local)
            || e.attrs.iter().any(|a| match code(&qualified(a)) {
                Some(Attr::Href | Attr::Src | Attr::Rel | Attr::Rev | Attr::Lang | Attr::XmlLang | Attr::Xmlns) => true,
                Some(Attr::Id) => self.ids.binary_search_by(|id| id.as_str().cmp(&a.value)).is_ok(),
                _ => false,
            })
    }
}

/// An element is in the snapshot by itself.
const BY_ITSELF: u8 = 1;
/// It shows that the page uses RDFa beyond `meta property`.
const RDFA: u8 = 2;

/// Why an element is in the snapshot (0: it is not).
fn reason(e: &Element) -> u8 {
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
        if name != "link" && value.contains(':') || value.contains("schema:") || value.contains("schema.org") {
            why |= BY_ITSELF | RDFA;
        }
    }
    let token =
        |attr: &str, want: &str| text::tokens(e.attr(attr).unwrap_or("")).any(|t| text::same_ignoring_case(t, want));
    if is_json_ld(e)
        || name == "link" && (token("rel", "canonical") || token("rel", "search"))
        || name == "meta" && e.attr("name").is_some_and(|v| text::same_ignoring_case(v, "description"))
    {
        why |= BY_ITSELF;
    }
    why
}

/// A `rel` or `rev` whose object is further down ([RDFa Core §7.5](https://www.w3.org/TR/rdfa-core/#s_sequence),
/// "incomplete triples").
fn is_hanging(e: &Element) -> bool {
    (e.attr("rel").is_some() || e.attr("rev").is_some())
        && ["href", "src", "resource"].iter().all(|name| e.attr(name).is_none())
}

/// Whether an element's value may be its text (microdata §5.2.4, RDFa Core §7.5 step 11, HTML+RDFa §3.1).
fn needs_text(e: &Element) -> bool {
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
fn is_json_ld(e: &Element) -> bool {
    if !e.is_html() || &*e.name.local != "script" {
        return false;
    }
    let essence = e.attr("type").unwrap_or("").split(';').next().unwrap_or("");
    text::same_ignoring_case(text::trim(essence), "application/ld+json")
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
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|w| w == word)
}

fn qualified(attr: &html5ever::Attribute) -> String {
    let mut out = String::new();
    if let Some(prefix) = &attr.name.prefix {
        out.push_str(prefix);
        out.push(':');
    }
    out.push_str(&attr.name.local);
    out
}

fn code(name: &str) -> Option<Attr> {
    if name.len() > 6 && name.starts_with("xmlns:") {
        return Some(Attr::Xmlns);
    }
    ATTRIBUTES.iter().find(|(attr, n, _)| *n == name && *attr != Attr::Xmlns).map(|(attr, ..)| *attr)
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
fn walk(tree: &Tree, root: Id, marks: &Marks, page: bool, writer: &mut Writer) {
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
                frame.visible &=
                    !(has(FURNITURE, name) || !parent.sectioned && matches!(name, "header" | "footer") || is_hidden(e));
                frame.sectioned |= matches!(name, "article" | "main" | "section");
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
                        && has(PAGE, name)
                        && (name != "a" || e.attr("href").is_some());
                if frame.written {
                    writer.element(e);
                }
                if closed {
                    descend = false;
                    if is_json_ld(e) {
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
    while let Some(frame) = open.pop() {
        if frame.written {
            writer.close();
        }
    }
}

/// Writes records, and counts what has a limit.
#[derive(Default)]
struct Writer {
    out: String,
    /// Text that has been read but not yet written: neighbouring text nodes are one run.
    run: String,
    /// The run is part of a value: white space counts.
    exact: bool,
    /// A line boundary stands before the run.
    line: bool,
    nodes: usize,
    units: usize,
    /// A limit has been hit: nothing more is written but the ends of open elements.
    cut: bool,
}

impl Writer {
    fn element(&mut self, e: &Element) {
        self.flush();
        if !self.admit() {
            return;
        }
        self.out.push('E');
        if !e.is_html() {
            self.out.push('*');
        }
        self.push(&e.name.local.to_lowercase());
        for attr in &e.attrs {
            let name = qualified(attr);
            if let Some(code) = code(&name) {
                self.out.push(FIELD);
                self.out.push(code as u8 as char);
                if code == Attr::Xmlns {
                    self.push(&name["xmlns:".len()..]);
                    self.out.push('=');
                }
                self.push(&attr.value);
            }
        }
        self.out.push(RECORD_END);
    }

    fn close(&mut self) {
        self.flush();
        self.out.push('X');
        self.out.push(RECORD_END);
    }

    /// The text of a JSON-LD script, whole.
    fn script(&mut self, block: &str) {
        if !block.is_empty() && self.admit() {
            self.out.push('T');
            self.push(block);
            self.out.push(RECORD_END);
        }
    }

    fn text(&mut self, run: &str, exact: bool) {
        self.run.push_str(run);
        self.exact |= exact;
    }

    /// An element begins or ends whose text may stand on lines of its own.
    fn boundary(&mut self, name: &str) {
        if name == "br" || has(BLOCKS, name) {
            self.flush();
            self.line = true;
        }
    }

    /// Writes the run. White space at the start of a line says nothing unless it is part of a value.
    fn flush(&mut self) {
        let blank = !self.exact && self.line && self.run.bytes().all(text::is_space);
        if !self.run.is_empty() && !blank && (!self.line || self.record("B")) && self.admit() {
            self.line = false;
            self.out.push('T');
            let run = core::mem::take(&mut self.run);
            self.push(&run);
            self.out.push(RECORD_END);
        }
        self.run.clear();
        self.exact = false;
    }

    fn record(&mut self, record: &str) -> bool {
        let admitted = self.admit();
        if admitted {
            self.out.push_str(record);
            self.out.push(RECORD_END);
        }
        admitted
    }

    /// Whether one more node may be written. Says `C` once when it may not.
    fn admit(&mut self) -> bool {
        if !self.cut && (self.nodes >= limits::SNAPSHOT_NODES || self.units >= limits::SNAPSHOT_TEXT) {
            self.cut = true;
            self.out.push('C');
            self.out.push(RECORD_END);
        }
        self.nodes += 1;
        !self.cut
    }

    /// Appends a value without the two characters that delimit. Lengths are counted in UTF-16 units, as in JavaScript.
    fn push(&mut self, value: &str) {
        for c in value.chars() {
            self.units += c.len_utf16();
            self.out.push(if matches!(c, FIELD | RECORD_END) { ' ' } else { c });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("<div itemprop=d>a<p>b<br>c<p>d", "Ehtml;Ebody;Ediv|pd;Ta;B;Tb;B;Tc;B;Td;X;X;X;"),
            ("<a itemprop=u href=/x>t<i>u</i></a>", "Ehtml;Ebody;Ea|pu|h/x;Ttu;X;X;X;"),
            ("<time itemprop=d datetime=1>t</time>", "Ehtml;Ebody;Etime|pd|T1;X;X;X;"),
            ("<i itemprop=d>a<!-- c -->b<script>s</script>c<style>s</style></i>", "Ehtml;Ebody;Ei|pd;Tabc;X;X;X;"),
            (
                "<script type='Application/LD+json ; p'>{}</script>",
                "Ehtml;Ehead;Escript|kApplication/LD+json ; p;T{};X;X;X;",
            ),
            ("<script type=application/json>{}</script>", "Ehtml;X;"),
            ("<svg><a itemprop=u href=x>t</a></svg>", "Ehtml;Ebody;E*a|pu|hx;Tt;X;X;X;"),
            ("<meta itemprop=a content='\u{1e}\u{1f}'>", "Ehtml;Ehead;Emeta|pa|c  ;X;X;X;"),
            ("<p xmlns:s=http://x/><b property=s:n>t", "Ehtml;Ebody;Ep|xs=http://x/;Eb|Ps:n;Tt;X;X;X;X;"),
            (
                "<div lang=fr><p id=q><b itemprop=x></b></p></div><i itemref='a q'>",
                "Ehtml;Ebody;Ediv|Lfr;Ep|Iq;Eb|px;X;X;X;Ei|ra q;X;X;X;",
            ),
            ("<noscript><b itemprop=x>t</b></noscript><template><b itemprop=y>t</b></template>", "Ehtml;X;"),
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
            ("<link rel=https://api.w.org/ href=x><a rel=n href=y>", "Ehtml;X;"),
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
            ("<p hidden>a<b itemprop=n>v</b></p>", "Ehtml;Ebody;Eb|pn;Tv;X;X;X;"),
        ] {
            assert_eq!(body(html, Mode::Page), want, "{html}");
        }
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

    #[test]
    fn stops_at_the_limits() {
        let s = snapshot(&"<b itemprop=x></b>".repeat(limits::SNAPSHOT_NODES), URL);
        assert!(s.cut);
        assert_eq!(s.len(), limits::SNAPSHOT_NODES);
    }

    /// The browser's reader has the same tables.
    #[test]
    #[ignore = "js/snapshot.js is not there yet"]
    fn agrees_with_the_other_reader() {
        let js = std::fs::read_to_string("js/snapshot.js").unwrap_or_default();
        let quoted = |words: &str| ["'", words, "'"].concat();
        let names = ATTRIBUTES.iter().filter(|(attr, ..)| *attr != Attr::Xmlns);
        let codes: Vec<_> =
            names.map(|(attr, name, _)| [name, " ", &(*attr as u8 as char).to_string()].concat()).collect();
        for list in [BLOCKS, CLOSED, LANDMARKS, PAGE, FURNITURE, &codes.join(" ")] {
            assert!(js.contains(&quoted(list)), "js/snapshot.js lacks the list '{list}'");
        }
    }
}
