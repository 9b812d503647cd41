import { keys } from './primitives.js';

/** Attributes that frameworks and consent tools put on every script; `agenticschema` marks the tag. */
const NOT_OURS = /^(agenticschema|nscript|cf|rocket|cookie|category|usercentrics|ot[A-Z])/;

/** The options on a script tag, by their names in the API; the core judges names and values. */
export function tagOptions(tag) {
  const options = {};
  if (tag) for (const name of keys(tag.dataset)) if (!NOT_OURS.test(name)) options[name] = tag.dataset[name];
  return options;
}
