// A page of the site before it is put into the frame that all pages share.
import type { Heading, SearchPart } from './documents/markdown.ts'
import type { Markup } from './markup/html.ts'

export interface SitePage {
  readonly address: string
  readonly title: string
  /** One or two sentences for search engines and previews. */
  readonly description: string
  /** Which navigation stands beside it. */
  readonly area: 'home' | 'guides' | 'reference'
  readonly body: Markup
  /** What "On this page" lists. */
  readonly headings: readonly Heading[]
  /** What the search finds. */
  readonly parts: readonly SearchPart[]
  /** What can be linked to. */
  readonly fragments: ReadonlySet<string>
  /** Whether the page takes the whole width, because it brings columns of its own. */
  readonly isWide: boolean
}
