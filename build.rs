//! Compiles `src/profiles/**/*.toml` and `vocabulary/classes.tsv` into the tables of `src/profiles/mod.rs`.
//!
//! `$OUT_DIR/profiles.rs` holds the profiles and the class table, `$OUT_DIR/classes.tsv` (tests only) the profile of
//! every class as found here. A mistake in a profile stops the build and names the file.

use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    env, fs,
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
    #[serde(default)]
    compact: bool,
}

/// In the order of `ProfileKind`.
const KINDS: [&str; 5] = ["subject", "part", "page", "furniture", "machinery"];

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
    for (class, at) in &resolved {
        let root = root_by_name(class);
        assert_eq!(Some(at), resolved.get(root), "{class} is named like a {root} and is none");
    }

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
    must(KINDS.contains(&profile.kind.as_str()), "kind: subject, part, page, furniture or machinery");
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

/// Property names, each once. The most used come first, since the first ones are referred to by one byte; the others
/// in the order of the alphabet, which compresses best.
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
        let mut names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
        let short = names.len().min(DIGIT as usize);
        names[short..].sort();
        Names(names)
    }
}

/// The profiles as one string of ASCII, read by the cursor in `src/profiles/mod.rs`: numbers have one digit of six
/// bits a character, texts and lists follow their length.
struct Table<'a> {
    text: String,
    names: &'a Names,
}

/// Numbers below it take one character.
const DIGIT: u32 = 64;

impl Table<'_> {
    fn number(&mut self, mut n: u32) {
        while n >= DIGIT {
            self.text.push(char::from((n % DIGIT + DIGIT) as u8));
            n /= DIGIT;
        }
        self.text.push(char::from(n as u8));
    }

    fn text(&mut self, text: &str) {
        assert!(text.is_ascii(), "{text}: only ASCII");
        self.number(text.len() as u32);
        self.text.push_str(text);
    }

    fn list(&mut self, list: &[String]) {
        let start = self.text.len();
        for name in list {
            let at = self.names.0.iter().position(|n| n == name).unwrap();
            self.number(at as u32);
        }
        let numbers = self.text.split_off(start);
        self.text(&numbers);
    }

    /// Runs `write` and puts the length of what it wrote before it.
    fn record(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        write(self);
        let record = self.text.split_off(start);
        self.text(&record);
    }
}

fn generate(profiles: &[Profile], hierarchy: &Hierarchy, resolved: &BTreeMap<&str, usize>) -> String {
    let names = Names::of(profiles);
    let mut table = Table { text: String::new(), names: &names };
    for p in profiles {
        let kind = KINDS.iter().position(|kind| *kind == p.kind).unwrap();
        table.record(|table| {
            table.number(kind as u32);
            table.number(p.rank.into());
            table.text(&p.slug);
            table.text(&p.title);
            table.text(&p.about);
            table.list(&p.headline);
            table.list(&p.item);
            table.list(&p.brief);
            table.record(|table| {
                for (name, list) in p.sections() {
                    table.text(name);
                    table.list(&list);
                }
            });
            for (name, tool) in p.tools() {
                table.number(tool.compact.into());
                table.text(name);
                table.list(&tool.property);
            }
        });
    }
    let lengths: Vec<u8> = names.0.iter().map(|name| u8::try_from(name.len()).unwrap()).collect();
    let seed = seed(hierarchy, resolved);
    let (counts, lows, owners) = class_table(resolved, seed);
    format!(
        "pub(super) static PROFILES: &str = {:?};\npub(super) static NAMES: &str = {:?};\n\
         pub(super) static NAME_LENGTHS: &[u8] = &{lengths:?};\npub(super) const SEED: u32 = {seed};\n\
         pub(super) static CLASS_COUNTS: [u8; 16] = {counts:?};\n\
         pub(super) static CLASS_LOWS: &[u8] = &{lows:?};\npub(super) static CLASS_PROFILES: &[u8] = &{owners:?};\n",
        table.text,
        names.0.concat(),
    )
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

/// The classes by fingerprint: how many have each of the sixteen upper digits, the lower sixteen bits of each in order
/// (low byte first), and the profile of each.
fn class_table(resolved: &BTreeMap<&str, usize>, seed: u32) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let classes = resolved.iter().filter(|(class, _)| root_by_name(class) == **class);
    let prints: BTreeMap<u32, usize> = classes.map(|(class, at)| (fingerprint(seed, class), *at)).collect();
    let mut counts = vec![0u8; 16];
    for print in prints.keys() {
        counts[(print >> 16) as usize] += 1;
    }
    let lows = prints.keys().flat_map(|print| (*print as u16).to_le_bytes()).collect();
    let profiles = prints.values().map(|&at| u8::try_from(at).unwrap()).collect();
    (counts, lows, profiles)
}
