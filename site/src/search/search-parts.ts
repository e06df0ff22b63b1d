// What the search finds: every part of every page. The browser loads the parts and indexes them when somebody searches for the first time:
// an index that is built beforehand would be larger than its text, and could not show the words around what was found.
import type { SitePage } from '../site-page.ts'
import type { SearchEntry } from './search-options.ts'

/** Long lists are found by their headings and first words. */
const longLists = /^(?:security-tests|changelog|dependencies|bench\/results)\//
const listTextMax = 300

export const searchEntries = (pages: readonly SitePage[]): readonly SearchEntry[] =>
  pages.flatMap(({ address, title, parts }) =>
    parts.map((part): SearchEntry => [
      title,
      part.fragment === '' ? '' : part.title,
      part.fragment === '' ? address : `${address}#${part.fragment}`,
      longLists.test(address) ? part.text.slice(0, listTextMax) : part.text.trim(),
    ]),
  )
