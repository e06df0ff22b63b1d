// Counts names that a reader must look up: participles in place of nouns (`given`, `shown`), and functions that end in `Of` in place of
// a verb (`rowsOf` for `readRows`). There must not be more of them; lower a limit when a count has fallen.

export interface VagueNames {
  readonly what: string
  readonly say: string
  readonly pattern: RegExp
  /** The most that are accepted in all sources together. */
  readonly most: number
}

export const vagueNames: readonly VagueNames[] = [
  {
    what: 'declarations that end in Of',
    say: 'a verb, such as readRows for rowsOf',
    pattern: /\b(?:function\*?|const|let) +\w+Of\b/g,
    most: 850,
  },
  {
    what: 'variables and parameters named given, shown, held or told',
    say: 'a noun, such as input, visible or locked',
    pattern: /(?:\b(?:const|let|function) +|[([,] *)(?:given|shown|held|told)(?= *[:,)=(])/g,
    most: 500,
  },
]

/** Returns what there is too much of. */
export function findTooManyNames(sources: readonly string[]): readonly (VagueNames & { readonly count: number })[] {
  return vagueNames
    .map((names) => ({
      ...names,
      count: sources.reduce((sum, each) => sum + (each.match(names.pattern)?.length ?? 0), 0),
    }))
    .filter(({ count, most }) => count > most)
}
