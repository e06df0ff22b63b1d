// HTML as a browser reads it, for tests of what it would show and run.
import { createRequire } from 'node:module'

interface Element {
  readonly href?: string
  readonly outerHTML: string
  readonly textContent: string | null
  getAttribute(name: string): string | null
  getAttributeNames(): string[]
}

/** Only what is used here: jsdom's own types would declare every browser global in the whole server. */
interface HtmlDocument {
  readonly body: { readonly textContent: string | null }
  querySelectorAll(selector: string): Iterable<Element> & { readonly length: number }
}

const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  readonly JSDOM: new (html: string) => { readonly window: { readonly document: HtmlDocument } }
}

export const parseHtml = (html: string): HtmlDocument => new JSDOM(html).window.document
