// What stands beside a page: the guides by section, or the tags of the reference with the operations of the one that is open.
import { guideSections } from '../documents/pages.ts'
import { pageAddress } from '../documents/sources.ts'
import { linkBetween } from '../markup/addresses.ts'
import { type Markup, html } from '../markup/html.ts'
import type { Interface } from '../reference/openapi.ts'
import type { SitePage } from '../site-page.ts'

interface Entry {
  readonly address: string
  readonly title: string
  /** Parts of the page, shown while it is open. */
  readonly parts: readonly { readonly title: string; readonly fragment: string }[]
}

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

const shortTitle = (title: string) => title.replace(/: an app whose users sign in$/, '')

/** @param titles the pages' titles by their addresses. */
export const guideGroups = (titles: ReadonlyMap<string, string>): readonly Group[] =>
  guideSections().map(({ title, sources }) => ({
    title,
    entries: sources.map((source) => {
      const address = pageAddress(source)
      return {
        address,
        title: shortTitle(titles.get(address) ?? source),
        parts: [],
      }
    }),
  }))

export const referenceGroups = (interfaces: readonly Interface[]): readonly Group[] =>
  interfaces.map(({ title, address, tags }) => ({
    title,
    entries: [
      { address, title: 'Overview', parts: [] },
      ...tags.map((tag) => ({
        address: tag.address,
        title: tag.name,
        parts: tag.operations.map(({ summary, id }) => ({ title: summary, fragment: id })),
      })),
    ],
  }))

function drawEntry(open: string, { address, title, parts }: Entry): Markup {
  const isOpen = address === open
  const inner = parts.map((part) => html`<li><a href="#${part.fragment}">${part.title}</a></li>`)
  const current = isOpen ? html` aria-current="page"` : html``
  return html`<li>
    <a href="${linkBetween(open, address)}" ${current}>${title}</a>${
      isOpen &&
      parts.length > 0 &&
      html`<ul>
        ${inner}
      </ul>`
    }
  </li>`
}

/** @param open the address of the page that is open. */
export const drawNavigation = (groups: readonly Group[], open: string): Markup =>
  html`${groups.map(
    ({ title, entries }) =>
      html`<h2>${title}</h2>
        <ul>
          ${entries.map((entry) => drawEntry(open, entry))}
        </ul>`,
  )}`

/** Draws the links to the pages before and after one, in the order of the navigation. */
export function drawNeighbours(groups: readonly Group[], { address }: SitePage): Markup {
  const all = groups.flatMap(({ entries }) => entries)
  const at = all.findIndex((entry) => entry.address === address)
  const link = (entry: Entry | undefined, word: string, name: string) =>
    entry === undefined
      ? html``
      : html`<a class="${name}" href="${linkBetween(address, entry.address)}"
          ><span class="quiet">${word}</span> ${entry.title}</a
        >`
  if (at < 0) return html``
  return html`<nav class="neighbours" aria-label="Next and previous page">
    ${link(all[at - 1], 'Previous', 'previous')}${link(all[at + 1], 'Next', 'next')}
  </nav>`
}
