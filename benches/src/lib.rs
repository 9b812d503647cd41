//! The pages that are measured.

use std::{fs, path::Path};

/// The address of every page here.
pub const URL: &str = "https://bench.test/d/p";

/// The pages of a folder and of the folders in it, or none.
pub fn pages(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        if path.is_dir() {
            out.extend(pages(&path));
        } else if path.extension().is_some_and(|e| e == "html") {
            out.push(String::from_utf8_lossy(&fs::read(path).expect("a readable page")).into_owned());
        }
    }
    out
}

/// How the `n` products of a page may be written.
pub const SYNTAXES: [(&str, fn(usize) -> String); 3] = [("jsonld", jsonld), ("microdata", microdata), ("rdfa", rdfa)];

/// `n` products in one block.
pub fn jsonld(n: usize) -> String {
    let items: Vec<String> = (0..n)
        .map(|i| {
            format!(
                r##"{{"@type":"Product","@id":"#p{i}","name":"Lamp {i}","description":"A lamp for desk {i}.","image":"/i/{i}.jpg",
"offers":{{"@type":"Offer","price":{i}.90,"priceCurrency":"EUR","availability":"https://schema.org/InStock"}}}}"##
            )
        })
        .collect();
    let items = items.join(",\n");
    format!(r#"<script type="application/ld+json">{{"@context":"https://schema.org","@graph":[{items}]}}</script>"#)
}

/// The same products in microdata.
pub fn microdata(n: usize) -> String {
    (0..n)
        .map(|i| {
            format!(
                r##"<div itemscope itemtype="https://schema.org/Product" itemid="#p{i}"><h2 itemprop="name">Lamp {i}</h2>
<p itemprop="description">A lamp for desk {i}.</p><img itemprop="image" src="/i/{i}.jpg">
<p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">{i}.90</b>
<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></p></div>
"##
            )
        })
        .collect()
}

/// The same products in RDFa.
pub fn rdfa(n: usize) -> String {
    let items: String = (0..n)
        .map(|i| {
            format!(
                r##"<div typeof="Product" resource="#p{i}"><h2 property="name">Lamp {i}</h2>
<p property="description">A lamp for desk {i}.</p><img property="image" src="/i/{i}.jpg">
<p property="offers" typeof="Offer"><b property="price">{i}.90</b>
<meta property="priceCurrency" content="EUR"><link property="availability" href="https://schema.org/InStock"></p></div>
"##
            )
        })
        .collect();
    format!(r#"<body vocab="https://schema.org/">{items}</body>"#)
}
