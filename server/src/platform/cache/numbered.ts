// Numbers for objects, which make keys of caches out of what a value was made from without keeping it alive: once an object is replaced,
// nothing is found by its number any more.
let count = 0
const numbers = new WeakMap<object, number>()

/** Returns a number that only this object has. */
export function numberOf(object: object): number {
  const known = numbers.get(object)
  if (known !== undefined) return known
  numbers.set(object, ++count)
  return count
}
