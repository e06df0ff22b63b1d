// The frame of every page: head, card, footer. A state provides its title and the content of the card.
import type { PagesDocument } from '@bailiwick/contract'
import { type Html, html } from './html.ts'
import { isolated } from './parts/isolated.ts'
import { languageSwitch } from './parts/language-switch.ts'
import type { Language } from './texts/catalogue.ts'
import type { TextOf } from './texts/text-of.ts'

/** The tenant's links for its readers, such as its terms; null if it has none. */
export interface PageLinks {
  readonly termsUri?: string | null
  readonly privacyUri?: string | null
  readonly supportUri?: string | null
}

/** The tenant to which the page belongs. */
export interface FrameTenant {
  readonly name: string
  readonly logoUri: string | null
  /** Replaces the logo on dark pages. */
  readonly darkLogoUri: string | null
  readonly layout: PagesDocument['layout']
  /** The app to which pages about an account or an organization lead back. */
  readonly homeUri?: string | null
}

/** The data that every page of a tenant needs, whatever state it shows. */
export interface Frame {
  readonly text: TextOf
  readonly language: Pick<Language, 'tag' | 'direction'>
  /** The IANA time zone that the signed-in user has chosen. */
  readonly timezone?: string
  /** The languages that readers can choose from. */
  readonly languages: readonly Pick<Language, 'tag' | 'name'>[]
  /** Null on pages that belong to no tenant. */
  readonly tenant: FrameTenant | null
  readonly icon: string
  /** The prefix of all paths of the tenant's pages: empty on its own domain, else `/t/acme`. */
  readonly root: string
  /** The path and query of this state, for links that show it in another language. */
  readonly address: string
  /** The token that proves that a form was sent from one of our pages in this browser. */
  readonly formToken: string
  readonly styles: readonly string[]
  readonly script: string
  readonly links: PageLinks
}

export interface PageOptions {
  readonly title: string
  /** Whether the page answers a form with mistakes: then the title says so first, for screen readers. */
  readonly isRefused?: boolean
  /** The navigation between the pages of an area. Such a page has a layout of its own, whatever layout the tenant has chosen. */
  readonly navigation?: Html
}

/** Returns a whole document. It contains nothing inline, because the policy allows neither inline scripts nor inline styles. */
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
          ${tenant !== null && mark(tenant, navigation !== undefined && wayBack(frame, tenant))}${navigation}
          <div class="card">${content}</div>
        </main>
        ${footer(frame)}
      </body>
    </html> `.toString()
}

function mark({ name, logoUri, darkLogoUri }: FrameTenant, beside: Html | false): Html {
  if (logoUri === null) return html`<p class="mark"><bdi>${name}</bdi>${beside}</p> `
  const inDark = darkLogoUri !== null && html`<source srcset="${darkLogoUri}" media="(prefers-color-scheme: dark)" />`
  return html`<p class="mark">
    <picture>${inDark}<img src="${logoUri}" alt="${name}" height="40" /></picture>${beside}
  </p> `
}

function wayBack(frame: Frame, { name, homeUri }: FrameTenant): Html | false {
  if (homeUri === undefined || homeUri === null || homeUri === '') return false
  return html`<a class="home" href="${homeUri}">${frame.text('common.backTo', { tenant: isolated(frame, name) })}</a>`
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

/** Keeps a line from breaking after the "e-" of a word such as "e-mail". */
const unbroken = (title: string) =>
  title
    .split(/(\be-mail\S*)/i)
    .map((part, index) => (index % 2 === 0 ? part : html`<span class="whole">${part}</span>`))

/** The heading of a card, with a sentence below it. */
export const heading = (title: string, lead?: Html | string): Html =>
  html`<h1>${unbroken(title)}</h1>
    ${lead !== undefined && html`<p class="lead">${lead}</p> `}`
