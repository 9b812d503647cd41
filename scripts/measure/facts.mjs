// Which facts a page's markup holds, and whether answers hold them.
import { readFileSync } from 'node:fs';

/** What people ask first, and where markup has it: the first of the paths with values counts, and of them the first. */
const HEADLINE = {
  name: ['name', 'headline', 'title'],
  price: ['offers.price', 'offers.lowPrice', 'offers.priceSpecification.price', 'offers.offers.price', 'price'],
  currency: ['offers.priceCurrency', 'offers.priceSpecification.priceCurrency', 'offers.offers.priceCurrency', 'priceCurrency'],
  availability: ['offers.availability', 'offers.offers.availability'],
  rating: ['aggregateRating.ratingValue', 'reviewRating.ratingValue'],
  ratings: ['aggregateRating.ratingCount', 'aggregateRating.reviewCount'],
  brand: ['brand.name', 'brand'],
  author: ['author.name', 'author', 'creator.name', 'creator', 'byArtist.name', 'director.name'],
  published: ['datePublished', 'uploadDate', 'datePosted', 'dateCreated'],
  modified: ['dateModified'],
  start: ['startDate', 'eventSchedule.startDate'],
  end: ['endDate', 'validThrough'],
  place: ['location.name', 'location.address.addressLocality', 'location.address', 'location', 'jobLocation.address.addressLocality', 'jobLocation.address', 'jobLocation'],
  address: ['address.streetAddress', 'address.addressLocality', 'address'],
  telephone: ['telephone'],
  employer: ['hiringOrganization.name', 'hiringOrganization'],
  salary: ['baseSalary.value.minValue', 'baseSalary.value.value', 'baseSalary.minValue', 'baseSalary.value', 'baseSalary'],
  prepTime: ['prepTime'],
  cookTime: ['cookTime'],
  totalTime: ['totalTime', 'duration', 'timeRequired'],
  yield: ['recipeYield', 'yield'],
  hours: ['openingHours', 'openingHoursSpecification.opens'],
};
/** Of a list's entries less is expected at first sight. */
const OF_ENTRIES = ['name', 'price', 'start', 'published'];
const ENTRIES = 3;

/** What pages are about, the most telling first. */
const SUBJECTS = [
  'Recipe', 'Event', 'JobPosting', 'Course', 'Product', 'Book', 'Movie', 'TVSeries', 'TVEpisode', 'SoftwareApplication', 'MusicAlbum', 'PodcastEpisode',
  'Accommodation', 'Dataset', 'MusicRecording', 'HowTo', 'Article', 'SoftwareSourceCode', 'Question', 'MusicGroup', 'LearningResource', 'LocalBusiness',
  'Place', 'VideoObject', 'Review', 'Service', 'Person', 'Organization',
];
/** What says how a page is built, and the measures of pictures. Nothing in it is a fact of what the page is about. */
const MACHINERY = ['Action', 'EntryPoint', 'PropertyValueSpecification', 'SpeakableSpecification', 'WebPageElement', 'ActionAccessSpecification', 'ImageObject'];
const PLUMBING = new Set(
  'potentialAction mainEntityOfPage isPartOf breadcrumb speakable additionalType query-input target position url item sameAs identifier image thumbnailUrl logo primaryImageOfPage'.split(' '),
);

const rows = readFileSync(new URL('../../vocabulary/classes.tsv', import.meta.url), 'utf8').trimEnd().split('\n');
const parents = new Map(rows.map((row) => row.split('\t')).map(([name, above]) => [name, (above ?? '').split(',').filter(Boolean)]));
const isA = (type, ancestor) => type === ancestor || (parents.get(type) ?? []).some((parent) => isA(parent, ancestor));
const is = (item, ancestor) => item.types.some((type) => isA(type, ancestor));

/** The facts of a page's items: `headline` of what the page is about, `all` of everything. Each is `{ fact, value }`. */
export function factsOf(items, url) {
  return { headline: headlineFacts(items, url), all: allFacts(items) };
}

function headlineFacts(items, url) {
  const held = new Set(items.filter((item) => !is(item, 'WebPage') && !is(item, 'ItemList') && !is(item, 'ListItem')).flatMap((item) => [...item.properties.values()].flat().filter((v) => v !== item)));
  const free = items.filter((item) => !held.has(item));
  const family = SUBJECTS.find((type) => free.some((item) => is(item, type)));
  const alike = free.filter((item) => family && is(item, family));
  const distinct = new Set(alike.map((item) => squashed(at(item, HEADLINE.name)[0] ?? '')));
  const here = alike.find((item) => [...at(item, ['url']), ...at(item, ['mainEntityOfPage']), item.id].some((address) => same(address, url)));
  const facts = (item, names) =>
    names.flatMap((fact) => {
      const value = at(item, HEADLINE[fact])[0];
      return value && squashed(value) ? [{ fact, value }] : [];
    });
  if (distinct.size <= 1 || here) return alike.length ? facts(here ?? alike[0], Object.keys(HEADLINE)) : [];
  return alike.slice(0, ENTRIES).flatMap((item) => facts(item, OF_ENTRIES));
}

const same = (a, b) => a.split('#')[0].replace(/^https?:|\/$/g, '') === b.split('#')[0].replace(/^https?:|\/$/g, '');

/** The texts at the first of the paths that has some. */
function at(item, paths) {
  for (const path of paths) {
    let found = [item];
    for (const step of path.split('.')) found = found.flatMap((value) => value.properties?.get(step) ?? []);
    const texts = found.filter((value) => typeof value === 'string' && value.trim());
    if (texts.length) return texts;
  }
  return [];
}

function allFacts(items) {
  const facts = new Map();
  for (const item of items) {
    if (MACHINERY.some((type) => is(item, type))) continue;
    for (const [fact, values] of item.properties) {
      if (PLUMBING.has(fact) || /\W/.test(fact)) continue;
      for (const value of values) if (typeof value === 'string' && squashed(value)) facts.set(`${fact} ${squashed(value)}`, { fact, value, of: item.types[0] });
    }
  }
  return [...facts.values()];
}

/** Letters and digits only, so that neither spaces nor punctuation nor markup decide. */
const squashed = (text) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const words = (text) => ` ${text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** Texts up to this long may stand anywhere by chance: they count only under a fitting name, or as whole words. */
const SHORT = 6;
/** Longer texts are looked for by their start, middle and end. */
const LONG = 90;
const WINDOW = 40;

/** Names under which answers may have a number. Others: the property's own. */
const KEYS = [
  [/price|cost/i, /price|offer|cost|amount/i],
  [/rating|review.?count/i, /rating|review/i],
  [/salary|minvalue|maxvalue|^value$/i, /salary|value|amount|min|max/i],
  [/yield/i, /yield|servings/i],
  // An entity that has nothing but a name stands as that name, under the property that leads to it.
  [/^name$/, /./],
  [/place|address|postal|hours/i, /place|address|locat|postal|hour|open/i],
  [/published|modified|start|end/i, /date|start|end|valid|time|published|modified|upload|posted|created/i],
];

/** UN/CEFACT's codes as people write them: answers may have either. */
const UNITS = {
  KGM: 'kg', GRM: 'g', LBR: 'lb', ONZ: 'oz', MTR: 'm', CMT: 'cm', MMT: 'mm', KMT: 'km', INH: 'in', FOT: 'ft', SMI: 'mi', MTK: 'm²', FTK: 'ft²', LTR: 'l', MLT: 'ml',
  SEC: 's', MIN: 'min', HUR: 'h', DAY: 'days', WEE: 'weeks', MON: 'months', ANN: 'years', KWH: 'kWh',
};
const MEASURES = ['QuantitativeValue', 'MonetaryAmount'];
/** A number and its unit, `12 kg`. */
const AMOUNT = /^([\d.,]+) (\S+)$/;

/** What answers say. `has(fact)` tells whether the fact is in them, `start` whether the start of a long text is enough. */
export function heard(answers, plain = {}) {
  const leaves = [];
  const visit = (value, path) => {
    if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? path : `${path} ${key}`);
    else if (value !== null && !/ (?:next|total|page|truncated)$/.test(path)) leaves.push({ path, text: String(value) });
  };
  const amounts = () => leaves.flatMap(({ text }) => (AMOUNT.test(text) ? [text.match(AMOUNT)] : []));
  for (const answer of answers) {
    let value = answer;
    try {
      value = JSON.parse(answer);
    } catch {}
    visit(value, '');
  }
  const run = leaves.map(({ text }) => squashed(text)).join('');
  const spoken = leaves.map(({ text }) => words(text)).join('|');
  return {
    has({ fact, value, of }, start = false) {
      // A line break that was escaped twice is no text.
      let text = (plain[value] ?? bare(value)).replace(/(?:\\n)+(?![a-z])/g, ' ');
      // Of a quantity that is written `12 kg`, the number has no name of its own.
      if (fact === 'value' && MEASURES.includes(of) && amounts().some(([, number]) => squashed(number) === squashed(text) || Number(number) === Number(text))) return true;
      if (fact === 'unitCode' && UNITS[text] && leaves.some((leaf) => (leaf.text.match(AMOUNT)?.[2] ?? leaf.text) === UNITS[text])) return true;
      if (/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)\w+$/i.test(text)) text = text.replace(/.*[/:]/, '');
      if (/^[-+]?[\d.,\s]*\d$/.test(text)) return hasNumber(leaves, fact, text);
      const wanted = squashed(text);
      if (!wanted) return true;
      if (wanted.length <= SHORT) return spoken.includes(words(text)) || leaves.some((leaf) => squashed(leaf.text) === wanted);
      if (wanted.length <= LONG) return run.includes(wanted) || isDate(text) && run.includes(squashed(text.slice(0, 10)));
      const middle = Math.floor(wanted.length / 2);
      const windows = start ? [0] : [0, middle, wanted.length - WINDOW];
      return windows.every((from) => run.includes(wanted.slice(from, from + WINDOW)));
    },
  };
}

/** Character references and tags out of a text that the browser did not see as one: repaired JSON, RDFa's XML. */
function bare(text) {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
  const decoded = text.replace(/&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|nbsp));/gi, (_, decimal, hex, name) => (name ? named[name.toLowerCase()] : String.fromCodePoint(Math.min(decimal ?? parseInt(hex, 16), 0x10ffff))));
  return /<\/[a-z]/i.test(decoded) ? decoded.replace(/<\/?[a-z][^<>]*>/gi, ' ') : decoded;
}

const isDate = (text) => /^\d{4}-\d\d-\d\d/.test(text);

function hasNumber(leaves, fact, text) {
  const key = KEYS.find(([property]) => property.test(fact))?.[1] ?? new RegExp(fact.replace(/\W/g, '.'), 'i');
  const digits = squashed(text);
  return leaves.some((leaf) => {
    if (!key.test(leaf.path) && digits.length < SHORT) return false;
    return (leaf.text.match(/[-+]?\d[\d.,]*/g) ?? []).some((number) => Number(number) === Number(text) || squashed(number) === digits) || squashed(leaf.text).includes(digits) && digits.length >= SHORT;
  });
}
