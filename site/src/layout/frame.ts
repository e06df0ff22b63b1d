// The frame of every page: head, navigation, search, and the choice between light and dark.
import { linkBetween } from '../markup/addresses.ts'
import { type Markup, asMarkup, html } from '../markup/html.ts'
import type { SitePage } from '../site-page.ts'
import { type Group, drawNavigation, drawNeighbours } from './navigation.ts'

/** Names of the files that every page loads, such as `assets/site-1a2b3c4d.css`. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly icon: string
}

export interface FrameInput {
  readonly page: SitePage
  readonly groups: Readonly<Record<'guides' | 'reference', readonly Group[]>>
  readonly assets: Assets
  /** Whether the service serves the site itself, so that its own address can stand in the examples. */
  readonly isServed: boolean
}

/**
 * Applies the reader's choices before anything is drawn. The policy names it by its hash. The console keeps its choice under the same name.
 */
export const themeScript =
  "{const{dataset:d}=document.documentElement,s=localStorage;d.theme=s.getItem('bailiwick-console-theme')||'system';d.language=s.getItem('bailiwick-docs-language')||'curl'}"

const mark = asMarkup(
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8" class="mark-ground"/><path class="mark-figure" d="M16 7a5 5 0 0 0-5 5v3h-1v9h12v-9h-1v-3a5 5 0 0 0-5-5Zm0 2.5a2.5 2.5 0 0 1 2.5 2.5v3h-5v-3A2.5 2.5 0 0 1 16 9.5Z"/></svg>',
)
const magnifier = asMarkup(
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3 3"/></svg>',
)
const bars = asMarkup(
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><path d="M2.5 4h11M2.5 8h11M2.5 12h11"/></svg>',
)

const areas = [
  { area: 'guides', title: 'Guides', address: '' },
  { area: 'reference', title: html`API<span class="wide-only"> reference</span>`, address: 'reference/' },
] as const

function drawHead({ page, assets }: FrameInput): Markup {
  const { address, title, description, area } = page
  const at = (to: string) => linkBetween(address, to)
  return html`<head>
    <meta charset="utf-8" />
    <title>${title}${area === 'home' ? '' : ' · Bailiwick'}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="description" content="${description}" />
    <link rel="icon" href="${at(assets.icon)}" type="image/svg+xml" />
    ${asMarkup(`<script>${themeScript}</script>`)}
    <link rel="stylesheet" href="${at(assets.style)}" />
    <script type="module" src="${at(assets.script)}"></script>
  </head>`
}

function drawHeader({ page }: FrameInput): Markup {
  const at = (to: string) => linkBetween(page.address, to)
  const tabs = areas.map(({ area, title, address }) => {
    const isOpen = page.area === area || (page.area === 'home' && area === 'guides')
    return html`<a href="${at(address)}" ${isOpen && html` aria-current="true"`}>${title}</a>`
  })
  return html`<header class="top">
    <button type="button" class="button narrow-only" popovertarget="pages" aria-label="Pages">${bars}</button>
    <a class="mark" href="${at('')}" aria-label="Bailiwick Docs"
      >${mark}<span>Bailiwick</span> <span class="quiet wide-only">Docs</span></a
    >
    <nav class="tabs" aria-label="Areas">${tabs}</nav>
    <button type="button" class="button search-button" aria-label="Search" data-search hidden>
      ${magnifier} <span class="wide-only">Search</span> <kbd class="wide-only">/</kbd>
    </button>
    <button type="button" class="button" data-theme-button hidden>Light or dark</button>
  </header>`
}

function drawContents({ headings }: SitePage): Markup {
  const listed = headings.filter(({ depth }) => depth <= 3)
  if (listed.length < 2) return html``
  const items = listed.map(
    ({ depth, text, fragment }) => html`<li class="depth-${depth}"><a href="#${fragment}">${text}</a></li>`,
  )
  return html`<aside class="contents">
    <nav aria-labelledby="contents-title">
      <h2 id="contents-title">On this page</h2>
      <ul>
        ${items}
      </ul>
    </nav>
  </aside>`
}

/** Returns the whole document of a page. */
export function drawPage(input: FrameInput): string {
  const { page, groups, isServed } = input
  const own = groups[page.area === 'reference' ? 'reference' : 'guides']
  const root = linkBetween(page.address, '')
  return html`<!doctype html>
    <html lang="en" data-root="${root}" ${isServed && html` data-served`}>
      ${drawHead(input)}
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${drawHeader(input)}
        <div class="frame ${page.isWide ? 'wide' : page.area}">
          <nav id="pages" class="pages" popover aria-label="Pages">${drawNavigation(own, page.address)}</nav>
          <main id="content" tabindex="-1">${page.body}${drawNeighbours(own, page)}</main>
          ${!page.isWide && drawContents(page)}
        </div>
      </body>
    </html> `.markup
}
