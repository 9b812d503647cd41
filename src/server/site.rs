//! All pages together: read when the server starts, and again when somebody asks and they are old.

use crate::{
    arguments::Plan,
    catalogue::Catalogue,
    fetch::{Failure, Fetcher},
    report,
    source::Source,
};
use agenticschema::{Options, Page};
use std::{
    sync::{Arc, RwLock},
    time::{Duration, Instant},
};
use tokio::{sync::Mutex, task::JoinSet};

/// How soon pages are tried again when one could not be read.
const RETRY: Duration = Duration::from_secs(30);
/// What a time beyond the clock's comes to.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The pages of a server.
pub struct Site {
    /// Where they come from.
    pub sources: Vec<Source>,
    /// The pipeline's options.
    pub options: Options,
    /// Makes requests.
    pub fetcher: Fetcher,
    /// How long they are good for.
    pub ttl: Duration,
    /// Whether to keep silent.
    pub quiet: bool,
    shown: RwLock<Option<Shown>>,
    /// Held while pages are read, so that nobody reads them a second time meanwhile.
    reading: Mutex<()>,
}

struct Shown {
    catalogue: Arc<Catalogue>,
    until: Instant,
}

/// A page that was read.
pub struct Read {
    /// Its tools and entities.
    pub page: Page,
    /// Its address, after redirects.
    pub url: String,
    /// Whether there was more of it than is read.
    pub cut: bool,
}

impl Site {
    /// A site whose pages have not been read yet.
    pub fn new(plan: Plan) -> Site {
        Site {
            fetcher: Fetcher::new(plan.manners),
            sources: plan.sources,
            options: plan.options,
            ttl: plan.ttl,
            quiet: plan.quiet,
            shown: RwLock::new(None),
            reading: Mutex::new(()),
        }
    }

    /// Tools and resources as they are now; reads the pages where they are old.
    pub async fn current(self: &Arc<Self>) -> Arc<Catalogue> {
        let asked = Instant::now();
        if let Some(catalogue) = self.fresh(asked) {
            return catalogue;
        }
        let _reading = self.reading.lock().await;
        // Somebody else may have read them while this waited.
        if let Some(catalogue) = self.fresh(asked) {
            return catalogue;
        }
        let before = self.last();
        let (pages, failures) = self.read(before.as_deref()).await;
        let good_for = if failures.is_empty() { self.ttl } else { self.ttl.min(RETRY) };
        let catalogue = Arc::new(Catalogue::new(&self.sources, pages, failures));
        if !self.quiet {
            report::changes(&self.sources, &catalogue, before.as_deref());
        }
        if let Ok(mut shown) = self.shown.write() {
            let now = Instant::now();
            *shown =
                Some(Shown { catalogue: catalogue.clone(), until: now.checked_add(good_for).unwrap_or(now + FOREVER) });
        }
        catalogue
    }

    /// Reads the pages for the first time; false, with the reasons on standard error, if none could be read.
    pub async fn open(self: &Arc<Self>) -> bool {
        let catalogue = self.current().await;
        let good = catalogue.pages.iter().any(Option::is_some);
        if !good && self.quiet {
            // This is the end of the program, so it is said even then.
            catalogue.failures.iter().for_each(|(at, failure)| report::failed(&self.sources[*at], failure));
        }
        good
    }

    /// What was read last, however old.
    pub fn last(&self) -> Option<Arc<Catalogue>> {
        self.shown.read().ok()?.as_ref().map(|shown| shown.catalogue.clone())
    }

    fn fresh(&self, asked: Instant) -> Option<Arc<Catalogue>> {
        let shown = self.shown.read().ok()?;
        shown.as_ref().filter(|shown| shown.until > asked).map(|shown| shown.catalogue.clone())
    }

    /// Reads every page, side by side. One that cannot be read now stays as it was.
    async fn read(self: &Arc<Self>, before: Option<&Catalogue>) -> (Vec<Option<Arc<Read>>>, Vec<(usize, Failure)>) {
        let mut pages = before.map_or_else(|| vec![None; self.sources.len()], |before| before.pages.clone());
        let mut failures = Vec::new();
        let mut tasks = JoinSet::new();
        for (at, source) in self.sources.iter().enumerate() {
            // Standard input can be read once.
            if *source != Source::Stdin || before.is_none() {
                let site = self.clone();
                tasks.spawn(async move { (at, site.read_one(at).await) });
            }
        }
        while let Some(done) = tasks.join_next().await {
            match done {
                Ok((at, Ok(page))) => pages[at] = Some(Arc::new(page)),
                Ok((at, Err(failure))) => failures.push((at, failure)),
                Err(_) => {}
            }
        }
        failures.sort_by_key(|(at, _)| *at);
        (pages, failures)
    }

    async fn read_one(&self, at: usize) -> Result<Read, Failure> {
        let document = self.sources[at].get(&self.fetcher).await?;
        let options = self.options.clone();
        // A big page takes as long as many answers.
        let read = tokio::task::spawn_blocking(move || Read {
            page: Page::from_html(&document.html, &document.url, &options),
            url: document.url,
            cut: document.cut,
        });
        read.await.map_err(|_| Failure::other("reading it failed; please report its address"))
    }
}
