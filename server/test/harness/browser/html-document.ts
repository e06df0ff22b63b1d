// HTML as a browser reads it, for tests of what it would show and run.
import { createRequire } from 'node:module'

interface Element {
  readonly href?: string
  readonly outerHTML: string
  readonly textContent: string
  getAttribute(name: string): string | null
  getAttributeNames(): string[]
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element> & { readonly length: number }
}

interface Control {
  readonly name: string
  readonly value: string
  readonly type: string
  readonly disabled: boolean
}

interface HtmlForm extends Element {
  readonly elements: Iterable<Control>
}

/** Only what is used here: jsdom's own types would declare every browser global in the whole server. */
export interface HtmlDocument {
  readonly title: string
  readonly body: Element
  readonly forms: Iterable<HtmlForm>
  readonly documentElement: Element
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element> & { readonly length: number }
}

interface Parser {
  parseFromString(html: string, type: 'text/html'): HtmlDocument
}

const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  readonly JSDOM: new () => { readonly window: { readonly DOMParser: new () => Parser } }
}

/** Each document that is searched leaves listeners at its window, so that it becomes slower. */
const documentsPerWindow = 30

let parser: Parser | undefined
let parsed = 0

/** Returns the document, without a window of its own: opening one for each page would take most of the time of the tests of pages. */
export function parseHtml(html: string): HtmlDocument {
  if (parser === undefined || parsed++ % documentsPerWindow === 0) parser = new new JSDOM().window.DOMParser()
  return parser.parseFromString(html, 'text/html')
}
