// Scripts beside each other in one browser: what each costs on the same pages.
import { median, p95, percent } from '../measure/table.mjs';
import { say } from '../setup/command.mjs';
import { ADD_BLOCK, CHANGES, GROWING } from './pages.mjs';
import { reference, visit } from './visit.mjs';

/** Visits of each page with each script. */
const VISITS = 3;
/** Milliseconds that a page without measure may take. */
const LONG = 60_000;

/** Tables of what `scripts` (by name; `ours` among them) cost, as `{ title, rows }`. */
export class Bench {
  constructor(browser, scripts, throttle) {
    Object.assign(this, { browser, scripts, throttle, unit: 0 });
  }

  /** The medians of some visits with each script; processor time and heap less what the page takes without one. */
  async both(page, { visits = VISITS, ...options } = {}) {
    const runs = Object.fromEntries(['control', ...Object.keys(this.scripts)].map((who) => [who, []]));
    // In turn, so that what else the machine does is shared.
    for (let i = 0; i < visits; i++) for (const who of Object.keys(runs)) runs[who].push(await visit(this.browser, page, this.scripts[who], { throttle: this.throttle, ...options }));
    const middle = (who, what) => median(runs[who].map((run) => run[what]));
    const found = {};
    for (const who of Object.keys(this.scripts)) {
      found[who] = { toTools: middle(who, 'toTools') || undefined, longest: middle(who, 'longest') };
      for (const what of ['cpu', 'heap', 'changed']) found[who][what] = middle(who, what) - middle('control', what);
    }
    return found;
  }

  async start(chosen) {
    say(`Visiting ${chosen.length} pages, about ${Math.ceil((chosen.length * VISITS * (1 + Object.keys(this.scripts).length) * 5) / 60)} minutes`);
    const found = [], units = [];
    for (const page of chosen) {
      units.push(await reference(this.browser));
      found.push(await this.both(page, { change: ADD_BLOCK }));
    }
    this.unit = median(units);
    const measures = [
      ['from the parsed page to the last tool, ms', 'toTools', 1],
      ['the page’s thread at the start, ms', 'cpu', 1],
      ['its longest piece of work, ms', 'longest', 1],
      ['heap, kB', 'heap', 1000, true],
      ['the page’s thread after a new JSON-LD block, ms', 'changed', 1],
    ];
    const rows = measures.map(([name, key, per, size]) => this.row(name, (who) => found.map((page) => page[who][key]).filter((value) => value !== undefined).map((value) => value / per), size));
    return { title: `${chosen.length} pages, script in the head${this.throttled()}: median (p95)`, rows: [this.heads(''), ...rows] };
  }

  async changes() {
    this.unit ||= await reference(this.browser);
    const rows = [];
    for (const [what, page, change] of CHANGES) {
      const found = await this.both(page, { change, visits: 5 });
      rows.push(this.row(`${what}, ms`, (who) => [found[who].changed]));
    }
    return { title: `The page’s thread after a change${this.throttled()}`, rows: [this.heads(''), ...rows] };
  }

  async growth() {
    this.unit ||= await reference(this.browser);
    const rows = [];
    for (const [what, page, most] of GROWING) {
      let before;
      for (const n of [most / 4, most / 2, most]) {
        const found = await this.both(page(n), { visits: 1, patience: LONG });
        const ratio = (who) => (before ? (found[who].cpu / before[who].cpu).toFixed(1) : '');
        const row = this.row(`${n.toLocaleString('en')} ${what}, ms`, (who) => [found[who].cpu]);
        rows.push([...row, ...Object.keys(this.scripts).map(ratio)]);
        before = found;
      }
    }
    return { title: `Pages without measure: the page’s thread at the start${this.throttled()}`, rows: [[...this.heads(''), ...Object.keys(this.scripts).map((who) => `${who}: times the row above`)], ...rows] };
  }

  throttled() {
    return this.throttle > 1 ? `, processor ${this.throttle} times slower` : '';
  }
  heads(first) {
    const who = Object.keys(this.scripts);
    return [first, ...who, 'reference work', ...(who.length > 1 ? ['ours of other’s'] : [])];
  }
  /** Medians, with the 95th percentile where there are several; ours as a multiple of the reference work, and of the other's. */
  row(name, values, size) {
    const who = Object.keys(this.scripts), digits = (value) => (value === undefined ? '–' : value.toFixed(value < 20 ? 1 : 0));
    const middle = Object.fromEntries(who.map((one) => [one, median(values(one))]));
    const shown = who.map((one) => digits(middle[one]) + (values(one).length > 1 ? ` (${digits(p95(values(one)))})` : ''));
    return [name, ...shown, size || middle.ours === undefined ? '' : `× ${(middle.ours / this.unit).toFixed(2)}`, ...(who.length > 1 ? [percent(middle.ours, middle.other)] : [])];
  }
}
