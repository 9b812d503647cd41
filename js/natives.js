// How an operation is taken from its prototype, so that neither a page that patches the prototype later nor an object that
// answers to the names of its parts (`<form><input name="getAttribute"></form>`) gets in between. Without the prototype, as
// on servers and on the documents of other libraries, it is looked up on the object.

const { bind, call } = Function.prototype;
export const uncurry = bind.bind(call);

/** A function of an object and the method's arguments (one, without the prototype). */
export function method(owner, name) {
  const own = globalThis[owner]?.prototype[name];
  return own ? uncurry(own) : (self, argument) => self[name](argument);
}

/** A function of an object that gives an accessor's value. */
export function getter(owner, name) {
  const own = globalThis[owner] && Object.getOwnPropertyDescriptor(globalThis[owner].prototype, name);
  return own?.get ? uncurry(own.get) : (self) => self[name];
}
