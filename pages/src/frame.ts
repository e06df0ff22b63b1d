// The frame of every page: head, card, footer. A state hands over its title and what stands in the card.
import type { PagesDocument } from '@bailiwick/contract'
import { type Html, html } from './html.ts'
import { languageSwitch } from './parts/language-switch.ts'
import type { Language } from './texts/catalogue.ts'
import type { TextOf } from './texts/text-of.ts'

/** What the tenant wants its readers to find; null where it has none. */
export interface PageLinks {
  readonly termsUri?: string | null
  readonly privacyUri?: string | null
  readonly supportUri?: string | null
}

/** Whose page it is. */
export interface FrameTenant {
  readonly name: string
  readonly logoUri: string | null
  /** Takes the place of the logo where the page is dark. */
  readonly darkLogoUri: string | null
  readonly layout: PagesDocument['layout']
}

/** What every page of a tenant needs beside the state that it shows. */
export interface Frame {
  readonly text: TextOf
  readonly language: Pick<Language, 'tag' | 'direction'>
  /** The languages that a reader may choose from. */
  readonly languages: readonly Pick<Language, 'tag' | 'name'>[]
  /** Null on pages that belong to no tenant. */
  readonly tenant: FrameTenant | null
  readonly icon: string
  /** What all paths of the tenant's pages begin with: empty on its own domain, else `/t/acme`. */
  readonly root: string
  /** The path and query of this very state, for links that show it in another language. */
  readonly address: string
  /** Shows with a form that it was sent from a page of ours in this very browser. */
  readonly formToken: string
  readonly styles: readonly string[]
  readonly script: string
  readonly links: PageLinks
}

export interface PageOptions {
  readonly title: string
  /** Whether the page answers a form that was not right: the title says so first, for those who hear it. */
  readonly isRefused?: boolean
  /** The way to the other pages of an area. Such a page is laid out by itself, whatever layout the tenant has chosen. */
  readonly navigation?: Html
}

/** A whole document. Nothing in it is inline: the policy allows neither scripts nor styles in the text. */
export function page(frame: Frame, options: PageOptions, content: Html): string {
  const { text, language, tenant, icon, styles, script } = frame
  const { title, isRefused = false, navigation } = options
  const shown = isRefused ? text('common.errorTitle', { title }) : title
  const whole = tenant === null ? shown : text('common.documentTitle', { title: shown, tenant: tenant.name })
  return html`<!doctype html>
    <html lang="${language.tag}" dir="${language.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${whole}</title>
        <link rel="icon" href="${icon}" />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" /> `)}
        <script type="module" src="${script}"></script>
      </head>
      <body class="${navigation === undefined ? (tenant?.layout ?? 'centered') : 'area'}">
        <main>
          ${tenant !== null && mark(tenant)}${navigation}
          <div class="card">${content}</div>
        </main>
        ${footer(frame)}
      </body>
    </html> `.toString()
}

function mark({ name, logoUri, darkLogoUri }: FrameTenant): Html {
  if (logoUri === null) return html`<p class="mark"><bdi>${name}</bdi></p> `
  const inDark = darkLogoUri !== null && html`<source srcset="${darkLogoUri}" media="(prefers-color-scheme: dark)" />`
  return html`<p class="mark">
    <picture>${inDark}<img src="${logoUri}" alt="${name}" height="40" /></picture>
  </p> `
}

function footer(frame: Frame): Html {
  const { text, links } = frame
  const named = [
    [links.termsUri, text('common.terms')],
    [links.privacyUri, text('common.privacy')],
    [links.supportUri, text('common.support')],
  ] as const
  const shown = named.flatMap(([href, label]) =>
    href === undefined || href === null ? [] : [html`<li><a href="${href}">${label}</a></li>`],
  )
  return html`<footer>
    ${
      shown.length > 0 &&
      html`<ul>
        ${shown}
      </ul> `
    }${languageSwitch(frame)}
  </footer>`
}

/** A line does not end after the "e-" of a word such as "e-mail". */
const unbroken = (title: string) =>
  title
    .split(/(\be-mail\S*)/i)
    .map((part, index) => (index % 2 === 0 ? part : html`<span class="whole">${part}</span>`))

/** The heading of a card, with a sentence below it. */
export const heading = (title: string, lead?: Html | string): Html =>
  html`<h1>${unbroken(title)}</h1>
    ${lead !== undefined && html`<p class="lead">${lead}</p> `}`
