//! Compiles `src/profiles/**/*.toml` and `vocabulary/classes.tsv` into the tables of `src/profiles/mod.rs`.
//!
//! `$OUT_DIR/profiles.rs` holds the profiles and the class table, `$OUT_DIR/classes.tsv` (tests only) the profile of
//! every class as found here. A mistake in a profile stops the build and names the file.

use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

// The word hash, shared with the wasm: same function, same results.
include!("src/profiles/fingerprint.rs");

/// A profile file. `docs/profiles.md` says what each key means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    slug: String,
    title: String,
    kind: String,
    rank: u8,
    types: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    about: String,
    #[serde(default)]
    headline: Vec<String>,
    #[serde(default)]
    item: Vec<String>,
    #[serde(default)]
    brief: Vec<String>,
    #[serde(default)]
    sections: toml::Table,
    #[serde(default)]
    tools: toml::Table,
    #[serde(skip)]
    file: String,
}

/// A row of `[tools]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FinerTool {
    /// Paths, the first that has values is read.
    property: Vec<String>,
    about: String,
    #[serde(default)]
    compact: bool,
}

const KINDS: [(&str, &str); 5] = [
    ("subject", "Subject"),
    ("part", "Part"),
    ("page", "Page"),
    ("furniture", "Furniture"),
    ("machinery", "Machinery"),
];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    for input in ["build.rs", "src/profiles", "vocabulary"] {
        println!("cargo:rerun-if-changed={input}");
    }

    let mut hierarchy = hierarchy(&fs::read_to_string(root.join("vocabulary/classes.tsv")).unwrap());
    let properties = fs::read_to_string(root.join("vocabulary/properties.tsv")).unwrap();
    let properties: BTreeSet<&str> = properties.lines().collect();
    let profiles = read_profiles(&root.join("src/profiles"));
    for profile in &profiles {
        check(profile, &hierarchy, &properties);
    }
    for profile in &profiles {
        for name in &profile.also {
            let before = hierarchy.insert(name.clone(), vec![profile.types[0].clone()]);
            assert!(before.is_none(), "{}: also: {name} is a class of the vocabulary", profile.file);
        }
    }
    let resolved = resolve(&hierarchy, &profiles);

    fs::write(out.join("profiles.rs"), generate(&profiles, &hierarchy, &resolved)).unwrap();
    let rows = hierarchy.keys().map(|class| {
        let slug = resolved.get(class.as_str()).map_or("", |&at| profiles[at].slug.as_str());
        format!("{class}\t{slug}\n")
    });
    fs::write(out.join("classes.tsv"), rows.collect::<String>()).unwrap();
}

/// Class → its parents.
type Hierarchy = BTreeMap<String, Vec<String>>;

fn hierarchy(tsv: &str) -> Hierarchy {
    let row = |line: &str| {
        let (class, parents) = line.split_once('\t').expect("a tab in every row of classes.tsv");
        (class.to_string(), parents.split(',').filter(|p| !p.is_empty()).map(str::to_string).collect())
    };
    tsv.lines().map(row).collect()
}

/// All profiles in the order of their files' paths, so that the build is the same everywhere.
fn read_profiles(folder: &Path) -> Vec<Profile> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let mut profile: Profile = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        profile.file = path.display().to_string();
        profile
    };
    files.iter().map(read).collect()
}

impl Profile {
    fn tools(&self) -> Vec<(&String, FinerTool)> {
        let row = |(name, value): (_, &toml::Value)| {
            let tool = value.clone().try_into().unwrap_or_else(|e| panic!("{}: [tools] {name}: {e}", self.file));
            (name, tool)
        };
        self.tools.iter().map(row).collect()
    }

    fn sections(&self) -> Vec<(&String, Vec<String>)> {
        let row = |(name, value): (_, &toml::Value)| {
            let list = value.clone().try_into().unwrap_or_else(|e| panic!("{}: [sections] {name}: {e}", self.file));
            (name, list)
        };
        self.sections.iter().map(row).collect()
    }
}

/// The budgets of tool names and descriptions, and that every term is Schema.org's.
fn check(profile: &Profile, hierarchy: &Hierarchy, properties: &BTreeSet<&str>) {
    let must = |good: bool, what: &str| assert!(good, "{}: {what}", profile.file);
    let word = |s: &str| s.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') && !s.is_empty();
    must(word(&profile.slug) && profile.slug.len() <= 20, "slug: lower-case words, at most 20 characters");
    must(Path::new(&profile.file).file_stem().unwrap() == profile.slug.as_str(), "the file is named after its slug");
    must(KINDS.iter().any(|(kind, _)| *kind == profile.kind), "kind: subject, part, page, furniture or machinery");
    must(profile.about.len() <= 120, "about: at most 120 characters");
    must(!profile.title.is_empty() && profile.title.len() <= 30, "title: at most 30 characters");
    must((profile.kind == "subject") <= !profile.about.is_empty(), "about: a subject says what it holds");
    must(!profile.types.is_empty(), "types: at least one");
    for class in &profile.types {
        must(hierarchy.contains_key(class), &format!("types: {class} is not in vocabulary/classes.tsv"));
    }
    let mut lists = vec![("headline", &profile.headline), ("item", &profile.item), ("brief", &profile.brief)];
    let sections = profile.sections();
    for (name, list) in &sections {
        must(word(name) && name.len() <= 20, "sections: names are lower-case words, at most 20 characters");
        lists.push((name, list));
    }
    let tools = profile.tools();
    for (name, tool) in &tools {
        must(word(name), "tools: names are lower-case words");
        must("get__".len() + profile.slug.len() + name.len() <= 30, "tools: a tool's name has at most 30 characters");
        must(tool.about.len() <= 120, "tools: about has at most 120 characters");
        lists.push((name, &tool.property));
    }
    for (name, list) in lists {
        let mut seen = BTreeSet::new();
        for path in list {
            must(seen.insert(path), &format!("{name}: {path} stands twice"));
            for property in path.split('.') {
                must(properties.contains(property), &format!("{name}: {property} is not in vocabulary/properties.tsv"));
            }
        }
    }
}

/// Class → index of the profile whose type is the nearest ancestor, the class itself being nearest of all; between
/// equals the lower rank.
fn resolve<'a>(hierarchy: &'a Hierarchy, profiles: &[Profile]) -> BTreeMap<&'a str, usize> {
    let mut roots: HashMap<&str, usize> = HashMap::new();
    for (at, profile) in profiles.iter().enumerate() {
        for class in &profile.types {
            let before = roots.insert(class, at);
            assert!(before.is_none(), "{}: {class} has a profile already", profile.file);
        }
    }
    let nearest = |class: &'a String| {
        let mut level: BTreeSet<&str> = BTreeSet::from([class.as_str()]);
        while !level.is_empty() {
            let found = level.iter().filter_map(|c| roots.get(c)).copied();
            if let Some(at) = found.min_by_key(|&at| (profiles[at].rank, at)) {
                return Some((class.as_str(), at));
            }
            level = level.iter().flat_map(|c| &hierarchy[*c]).map(String::as_str).collect();
        }
        None
    };
    hierarchy.keys().filter_map(nearest).collect()
}

/// Property names, each once: the most used first, since the first ones are referred to by one byte.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn of(profiles: &[Profile]) -> Self {
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        for profile in profiles {
            let sections = profile.sections().into_iter().flat_map(|(_, list)| list);
            let tools = profile.tools().into_iter().flat_map(|(_, tool)| tool.property);
            let lists = [&profile.headline, &profile.item, &profile.brief];
            for name in lists.into_iter().flatten().cloned().chain(sections).chain(tools) {
                *uses.entry(name).or_default() += 1;
            }
        }
        let mut names: Vec<(String, usize)> = uses.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Names(names.into_iter().map(|(name, _)| name).collect())
    }

    /// A list as an expression: its indexes as variable-length numbers.
    fn list(&self, list: &[String]) -> String {
        let mut bytes = Vec::new();
        for name in list {
            let at = self.0.iter().position(|n| n == name).unwrap();
            push_number(&mut bytes, at as u32);
        }
        format!("Names(&{bytes:?})")
    }
}

/// LEB128: seven bits a byte, the lowest first, the high bit set on all but the last.
fn push_number(out: &mut Vec<u8>, mut n: u32) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn generate(profiles: &[Profile], hierarchy: &Hierarchy, resolved: &BTreeMap<&str, usize>) -> String {
    let names = Names::of(profiles);
    let mut out = String::from("pub(super) static PROFILES: &[Profile] = &[\n");
    for p in profiles {
        let kind = KINDS.iter().find(|(kind, _)| *kind == p.kind).unwrap().1;
        let mut sections = String::new();
        for (name, list) in p.sections() {
            write!(sections, "Section {{ name: {name:?}, properties: {} }}, ", names.list(&list)).unwrap();
        }
        let mut tools = String::new();
        for (name, tool) in p.tools() {
            let FinerTool { property, about, compact } = tool;
            let property = names.list(&property);
            write!(tools, "FinerTool {{ name: {name:?}, paths: {property}, about: {about:?}, compact: {compact} }}, ")
                .unwrap();
        }
        writeln!(
            out,
            "Profile {{ slug: {:?}, title: {:?}, about: {:?}, kind: ProfileKind::{kind}, rank: {}, headline: {}, \
             item: {}, brief: {}, sections: &[{sections}], tools: &[{tools}] }},",
            p.slug,
            p.title,
            p.about,
            p.rank,
            names.list(&p.headline),
            names.list(&p.item),
            names.list(&p.brief),
        )
        .unwrap();
    }
    out.push_str("];\n");

    let mut ends = Vec::new();
    let mut at = 0;
    for name in &names.0 {
        at += name.len();
        ends.push(u16::try_from(at).unwrap());
    }
    writeln!(out, "pub(super) static NAMES: &str = {:?};", names.0.concat()).unwrap();
    writeln!(out, "pub(super) static NAME_ENDS: &[u16] = &{ends:?};").unwrap();

    let seed = seed(hierarchy, resolved);
    writeln!(out, "pub(super) const SEED: u32 = {seed};").unwrap();
    writeln!(out, "pub(super) static CLASSES: &[u8] = &{:?};", class_table(profiles.len(), resolved, seed)).unwrap();
    out
}

/// The first seed with which no two classes share a fingerprint, unless they share the profile, too.
fn seed(hierarchy: &Hierarchy, resolved: &BTreeMap<&str, usize>) -> u32 {
    let good = |seed: &u32| {
        let mut seen = HashMap::new();
        hierarchy.keys().all(|class| {
            let profile = resolved.get(class.as_str());
            *seen.entry(fingerprint(*seed, class)).or_insert(profile) == profile
        })
    };
    (1..100_000).find(good).expect("a seed without collisions")
}

/// For each profile: how many classes, then their fingerprints in order as differences.
fn class_table(profiles: usize, resolved: &BTreeMap<&str, usize>, seed: u32) -> Vec<u8> {
    let mut table = Vec::new();
    for profile in 0..profiles {
        let mut prints: Vec<u32> =
            resolved.iter().filter(|r| *r.1 == profile).map(|r| fingerprint(seed, r.0)).collect();
        prints.sort_unstable();
        prints.dedup();
        push_number(&mut table, prints.len() as u32);
        let mut before = 0;
        for print in prints {
            push_number(&mut table, print - before);
            before = print;
        }
    }
    table
}
