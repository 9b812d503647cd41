//! Throughput over sets of pages: this project's own, generated ones, and those in `$AGENTICSCHEMA_PAGES` (a folder of
//! `.html` files) if it is set. `read` is the whole path from HTML text, `snapshot` its parser, the others go on from
//! a snapshot that is ready.

use agenticschema::{
    Options, Page,
    diagnostic::Diagnostics,
    dom::{Snapshot, html::snapshot},
    extract::{jsonld, microdata, rdfa},
    graph::Builder,
};
use agenticschema_benches::{SYNTAXES, URL, pages};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, path::Path, time::Duration};

type Reader = fn(&Snapshot, &mut dyn agenticschema::graph::Sink, &mut Diagnostics);

fn sets() -> Vec<(&'static str, Vec<String>)> {
    let mut out = vec![
        ("own", pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/snapshot"))),
        ("generated", SYNTAXES.iter().map(|(_, page)| page(200)).collect()),
    ];
    if let Some(folder) = std::env::var_os("AGENTICSCHEMA_PAGES") {
        out.push(("given", pages(Path::new(&folder))));
    }
    out
}

fn read(c: &mut Criterion) {
    for (set, html) in sets() {
        let bytes: usize = html.iter().map(String::len).sum();
        println!("{set}: {} pages, {bytes} bytes; pages/s = {} / time", html.len(), html.len());
        let snapshots: Vec<Snapshot> = html.iter().map(|page| snapshot(page, URL)).collect();
        let options = Options::default();
        let mut group = c.benchmark_group(set);
        group.throughput(Throughput::BytesDecimal(bytes as u64));
        group.bench_function("read", |b| {
            b.iter(|| html.iter().for_each(|page| drop(black_box(Page::from_html(page, URL, &options)))));
        });
        group.bench_function("snapshot", |b| {
            b.iter(|| html.iter().for_each(|page| drop(black_box(snapshot(page, URL)))));
        });
        group.bench_function("from snapshot", |b| {
            b.iter(|| snapshots.iter().for_each(|page| drop(black_box(Page::read(page, &options)))));
        });
        let readers: [(&str, Reader); 3] =
            [("jsonld", jsonld::read), ("microdata", microdata::read), ("rdfa", rdfa::read)];
        for (name, reader) in readers {
            group.bench_function(name, |b| {
                b.iter(|| {
                    for page in &snapshots {
                        let mut graph = Builder::new(page.base());
                        reader(page, &mut graph, &mut Diagnostics::default());
                        black_box(graph);
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = read
}
criterion_main!(benches);
