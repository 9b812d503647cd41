//! What the suite runners share: finding the suites, RDF terms, N-Triples, graph isomorphism, expected failures.
//!
//! A runner is a loop of three lines: for each [`cases`] of a suite, read the input into a [`Collector`], compare
//! with [`parse_nt`] of the expectation through [`isomorphic`], and tell the [`Report`], whose `finish` compares
//! all results with `expected_failures.txt`.

use agenticschema::graph::{NodeId, Object, Sink};
use serde_json::Value as Json;
use std::{
    collections::{BTreeSet, HashMap, hash_map::DefaultHasher},
    fs,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
};

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// The folder of the suites, if this machine has it: `$AGENTICSCHEMA_SHARED/suites`, or `shared/suites` beside the
/// checkout or one folder further up (a worktree).
pub fn suites() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("AGENTICSCHEMA_SHARED").map(PathBuf::from);
    [shared, Some(root.join("../shared")), Some(root.join("../../shared"))]
        .into_iter()
        .flatten()
        .map(|p| p.join("suites"))
        .find(|p| p.join("cases.jsonl").is_file())
}

/// A case of a suite: one row of `cases.jsonl`.
pub struct Case {
    /// The row: `id`, `kind`, `base`, `negative` and what the suite adds.
    pub row: Json,
    suites: PathBuf,
}

impl Case {
    /// A text member of the row, empty if it has none.
    pub fn text(&self, key: &str) -> &str {
        self.row[key].as_str().unwrap_or("")
    }

    /// The case's name in its suite.
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// The file that a member of the row names (`input`, `expect`, `expect_nt`). `None` if the row names none.
    pub fn file(&self, key: &str) -> Option<String> {
        let path = self.row[key].as_str()?;
        let bytes = fs::read(self.suites.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The cases of a suite. Without the suites on this machine: empty, and a line says so.
pub fn cases(suite: &str) -> Vec<Case> {
    let Some(suites) = suites() else {
        println!("{suite}: skipped, 0 cases run (no shared/suites)");
        return Vec::new();
    };
    let of_suite = rows("cases.jsonl").into_iter().filter(|row| row["suite"] == suite);
    of_suite.map(|row| Case { row, suites: suites.clone() }).collect()
}

/// The rows of a file of the suites; none, and a line says so, without the suites on this machine.
pub fn rows(file: &str) -> Vec<Json> {
    let Some(suites) = suites() else {
        println!("{file}: skipped, 0 rows read (no shared/suites)");
        return Vec::new();
    };
    let text = fs::read_to_string(suites.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON value per line")).collect()
}

/// An RDF term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// An IRI.
    Iri(String),
    /// A blank node with its label in this graph.
    Blank(String),
    /// A literal; language and datatype are empty where there is none (`xsd:string` is none).
    Literal { value: String, language: String, datatype: String },
}

impl Term {
    /// A plain literal.
    pub fn plain(value: &str) -> Term {
        Term::Literal { value: value.into(), language: String::new(), datatype: String::new() }
    }
}

/// Subject, predicate, object.
pub type Triple = [Term; 3];

/// An RDF graph is a set.
pub type Triples = BTreeSet<Triple>;

/// A sink that keeps every statement as a triple, lists as `rdf:first` and `rdf:rest`.
#[derive(Default)]
pub struct Collector {
    nodes: Vec<Term>,
    lists: usize,
    /// What was stated.
    pub triples: Triples,
}

impl Collector {
    fn node_term(&self, node: NodeId) -> Term {
        self.nodes[node.0 as usize].clone()
    }

    fn term(&mut self, object: Object) -> Term {
        match object {
            Object::Node(node) => self.node_term(node),
            Object::Iri(iri) => Term::Iri(iri),
            Object::Literal { value, language, datatype } => Term::Literal { value, language, datatype },
            Object::List(items) => {
                let mut rest = Term::Iri(format!("{RDF}nil"));
                for item in items.into_iter().rev() {
                    let first = self.term(item);
                    self.lists += 1;
                    let cell = Term::Blank(format!("list{}", self.lists));
                    self.triples.insert([cell.clone(), Term::Iri(format!("{RDF}first")), first]);
                    self.triples.insert([cell.clone(), Term::Iri(format!("{RDF}rest")), rest]);
                    rest = cell;
                }
                rest
            }
        }
    }
}

impl Sink for Collector {
    fn node(&mut self, iri: Option<&str>) -> NodeId {
        let term = match iri {
            Some(iri) => Term::Iri(iri.into()),
            None => Term::Blank(format!("b{}", self.nodes.len())),
        };
        self.nodes.push(term);
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object) {
        let object = self.term(object);
        let subject = self.node_term(subject);
        self.triples.insert([subject, Term::Iri(predicate.into()), object]);
    }
}

/// The graph with each term replaced, for differences of form that a runner does not mean to compare.
pub fn map_terms(triples: &Triples, f: impl Fn(Term) -> Term) -> Triples {
    triples.iter().map(|t| t.clone().map(&f)).collect()
}

/// Reads N-Triples; of N-Quads the graph name is dropped, since a [`Sink`] has one graph.
pub fn parse_nt(text: &str) -> Result<Triples, String> {
    let mut triples = Triples::new();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut rest = line;
        let mut next = || -> Result<Term, String> {
            let (term, after) = parse_term(rest.trim_start()).ok_or_else(|| format!("not N-Triples: {line}"))?;
            rest = after;
            Ok(term)
        };
        triples.insert([next()?, next()?, next()?]);
    }
    Ok(triples)
}

fn parse_term(s: &str) -> Option<(Term, &str)> {
    if let Some(s) = s.strip_prefix('<') {
        let end = s.find('>')?;
        return Some((Term::Iri(unescape(&s[..end])?), &s[end + 1..]));
    }
    if s.starts_with("_:") {
        let end = s.find(|c: char| c.is_whitespace()).unwrap_or(s.len());
        return Some((Term::Blank(s[2..end].into()), &s[end..]));
    }
    let s = s.strip_prefix('"')?;
    let mut end = 0;
    while s.as_bytes().get(end)? != &b'"' {
        end += if s.as_bytes()[end] == b'\\' { 2 } else { 1 };
    }
    let value = unescape(&s[..end])?;
    let mut rest = &s[end + 1..];
    let (mut language, mut datatype) = (String::new(), String::new());
    if let Some(tag) = rest.strip_prefix('@') {
        let end = tag.find(|c: char| c.is_whitespace()).unwrap_or(tag.len());
        language = tag[..end].to_lowercase();
        rest = &tag[end..];
    } else if let Some(iri) = rest.strip_prefix("^^<") {
        let end = iri.find('>')?;
        datatype = unescape(&iri[..end])?;
        rest = &iri[end + 1..];
    }
    if datatype == "http://www.w3.org/2001/XMLSchema#string" {
        datatype.clear();
    }
    Some((Term::Literal { value, language, datatype }, rest))
}

fn unescape(s: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            't' => out.push('\t'),
            'b' => out.push('\u{8}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            'f' => out.push('\u{c}'),
            c @ ('"' | '\'' | '\\') => out.push(c),
            u @ ('u' | 'U') => {
                let digits: String = chars.by_ref().take(if u == 'u' { 4 } else { 8 }).collect();
                out.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
            }
            _ => return None,
        }
    }
    Some(out)
}

/// Writes a graph as sorted N-Triples-like lines, for messages.
pub fn show(triples: &Triples) -> String {
    let term = |t: &Term| match t {
        Term::Iri(iri) => format!("<{iri}>"),
        Term::Blank(label) => format!("_:{label}"),
        Term::Literal { value, language, datatype } if !language.is_empty() || datatype.is_empty() => {
            format!("{value:?}{}{language}", if language.is_empty() { "" } else { "@" })
        }
        Term::Literal { value, datatype, .. } => format!("{value:?}^^<{datatype}>"),
    };
    triples.iter().map(|[s, p, o]| format!("  {} {} {}\n", term(s), term(p), term(o))).collect()
}

/// `Ok` if the graphs are equal up to the names of their blank nodes, else a message that shows both.
pub fn same_graph(got: &Triples, want: &Triples) -> Result<(), String> {
    if isomorphic(got, want) { Ok(()) } else { Err(format!("got\n{}want\n{}", show(got), show(want))) }
}

/// Whether a bijection of blank nodes turns one graph into the other (RDF 1.1 Concepts, section 3.6).
///
/// Blank nodes are coloured by what surrounds them until the colours no longer split; within a colour, nodes are
/// tried against each other with backtracking. Suite graphs are small, so the worst case does not matter.
pub fn isomorphic(a: &Triples, b: &Triples) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (colours_a, colours_b) = (colours(a), colours(b));
    let mut nodes: Vec<(&Term, u64)> = colours_a.iter().map(|(t, c)| (*t, *c)).collect();
    let (mut counts_a, mut counts_b) = (HashMap::<u64, usize>::new(), HashMap::<u64, usize>::new());
    colours_a.values().for_each(|c| *counts_a.entry(*c).or_default() += 1);
    colours_b.values().for_each(|c| *counts_b.entry(*c).or_default() += 1);
    if counts_a != counts_b {
        return false;
    }
    nodes.sort_by_key(|(_, colour)| (counts_a[colour], *colour));
    assign(&nodes, &colours_b, a, b, &mut HashMap::new())
}

fn assign<'a>(
    nodes: &[(&'a Term, u64)],
    colours_b: &HashMap<&'a Term, u64>,
    a: &'a Triples,
    b: &'a Triples,
    mapping: &mut HashMap<&'a Term, &'a Term>,
) -> bool {
    let mapped = |triple: &Triple, mapping: &HashMap<&Term, &Term>| -> Option<Triple> {
        let term = |t: &Term| {
            if matches!(t, Term::Blank(_)) { mapping.get(t).map(|t| (*t).clone()) } else { Some(t.clone()) }
        };
        Some([term(&triple[0])?, term(&triple[1])?, term(&triple[2])?])
    };
    let Some((node, colour)) = nodes.first() else {
        return a.iter().all(|triple| mapped(triple, mapping).is_some_and(|t| b.contains(&t)));
    };
    let candidates: Vec<&Term> = colours_b.iter().filter(|(_, c)| *c == colour).map(|(t, _)| *t).collect();
    for candidate in candidates {
        if mapping.values().any(|used| *used == candidate) {
            continue;
        }
        mapping.insert(node, candidate);
        let consistent =
            a.iter().filter(|t| t.contains(node)).all(|triple| mapped(triple, mapping).is_none_or(|t| b.contains(&t)));
        if consistent && assign(&nodes[1..], colours_b, a, b, mapping) {
            return true;
        }
        mapping.remove(node);
    }
    false
}

fn colours(triples: &Triples) -> HashMap<&Term, u64> {
    let mut colours: HashMap<&Term, u64> =
        triples.iter().flatten().filter(|t| matches!(t, Term::Blank(_))).map(|t| (t, 0)).collect();
    let hash = |x: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        x(&mut hasher);
        hasher.finish()
    };
    let mut distinct = 0;
    loop {
        // A sum does not depend on the order of the triples.
        let mut next: HashMap<&Term, u64> = colours.iter().map(|(t, c)| (*t, hash(&|h| c.hash(h)))).collect();
        for triple in triples {
            for (at, term) in triple.iter().enumerate() {
                if !colours.contains_key(term) {
                    continue;
                }
                let seen = hash(&|h| {
                    at.hash(h);
                    for other in triple {
                        match colours.get(other) {
                            Some(_) if other == term => "self".hash(h),
                            Some(colour) => colour.hash(h),
                            None => other.hash(h),
                        }
                    }
                });
                let sum = next.get_mut(term).expect("a blank node of the graph");
                *sum = sum.wrapping_add(seen);
            }
        }
        colours = next;
        let now = colours.values().collect::<BTreeSet<_>>().len();
        if now == distinct {
            return colours;
        }
        distinct = now;
    }
}

/// The results of a suite, compared with `expected_failures.txt`.
pub struct Report {
    suite: &'static str,
    passed: usize,
    expected: Vec<(String, String)>,
    failed: Vec<String>,
    seen: BTreeSet<String>,
    wrong: Vec<String>,
}

impl Report {
    /// Starts with the rows that `expected_failures.txt` has for this suite.
    pub fn new(suite: &'static str) -> Report {
        let expected = include_str!("expected_failures.txt")
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .map(|line| {
                let fields: Vec<&str> = line.splitn(3, '\t').collect();
                assert!(fields.len() == 3 && !fields[2].is_empty(), "suite<TAB>id<TAB>reason: {line}");
                (fields[0], fields[1], fields[2])
            })
            .filter(|(of, ..)| *of == suite)
            .map(|(_, id, reason)| (id.to_string(), reason.to_string()))
            .collect();
        Report { suite, passed: 0, expected, failed: Vec::new(), seen: BTreeSet::new(), wrong: Vec::new() }
    }

    /// Takes the result of one case.
    pub fn case(&mut self, id: &str, result: Result<(), String>) {
        self.seen.insert(id.into());
        let expected = self.expected.iter().any(|(of, _)| of == id);
        match result {
            Ok(()) if expected => self.wrong.push(format!("{id}: passes, delete its row in expected_failures.txt")),
            Ok(()) => self.passed += 1,
            Err(_) if expected => self.failed.push(id.into()),
            Err(message) => self.wrong.push(format!("{id}: {message}")),
        }
    }

    /// Prints the counts and fails on any result that is not the expected one.
    pub fn finish(mut self) {
        if self.seen.is_empty() {
            return;
        }
        for (id, _) in &self.expected {
            if !self.seen.contains(id) {
                self.wrong.push(format!("{id}: in expected_failures.txt but not in the suite"));
            }
        }
        println!(
            "{}: {} of {} pass, {} expected failures",
            self.suite,
            self.passed,
            self.seen.len(),
            self.failed.len()
        );
        assert!(self.wrong.is_empty(), "{}: {} wrong\n{}", self.suite, self.wrong.len(), self.wrong.join("\n"));
    }
}

#[test]
fn graphs_are_equal_up_to_blank_node_names() {
    let graph = |s: &str| parse_nt(s).unwrap();
    let ring = |n: [&str; 3]| {
        graph(&format!("_:{} <p:> _:{} .\n_:{} <p:> _:{} .\n_:{} <p:> _:{} .\n", n[0], n[1], n[1], n[2], n[2], n[0]))
    };
    assert!(isomorphic(&ring(["a", "b", "c"]), &ring(["y", "x", "z"])));
    let chain = graph("_:a <p:> _:b .\n_:b <p:> _:c .\n_:c <p:> _:c .\n");
    assert!(!isomorphic(&ring(["a", "b", "c"]), &chain));
    assert!(isomorphic(&graph("<s:> <p:> \"a\\n\\u00e9\"@en .\n"), &graph("<s:> <p:> \"a\\n\u{e9}\"@EN .\n")));
    assert!(!isomorphic(&graph("<s:> <p:> \"1\"^^<d:> .\n"), &graph("<s:> <p:> \"1\" .\n")));
}
