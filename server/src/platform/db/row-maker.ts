// Turns the values of a row, in the order of its columns, into an object.

/** Makes the object of one row. */
export type RowMaker = (values: readonly unknown[]) => object

/**
 * Returns a function that makes objects with these properties. It is compiled from the names: assigning each property by a name that is
 * only known at run time takes a third of the time of a list. See docs/decisions/0017-speed-tricks.md.
 */
export function rowMaker(columns: readonly string[]): RowMaker {
  const properties = columns.map((name, index) => `[${JSON.stringify(name)}]: values[${index}]`)
  // Column names come from statements in the code, and each becomes a string literal.
  // oxlint-disable-next-line typescript/no-implied-eval -- the names are of our own statements
  return new Function('values', `return { ${properties.join(', ')} }`) as RowMaker
}
