import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import createDOMPurify, { type WindowLike } from 'dompurify'
import { lowerPriority } from '../../platform/startup/lower-priority.ts'
import {
  type DrawnElement,
  SvgProblem,
  checkDrawnElements,
  elementsMax,
  isLocalReference,
  ready,
} from './drawn-elements.ts'
import type { SanitizerAnswer } from './sanitize.ts'

/** The few DOM types used here: jsdom's own types would declare every browser global for the whole server. */
interface SvgElement extends DrawnElement {
  readonly namespaceURI: string | null
  readonly nodeName: string
  textContent: string | null
  setAttribute(name: string, value: string): void
}
interface SvgDocument {
  readonly documentElement: SvgElement
  getElementsByTagName(name: string): { readonly length: number }
  createTreeWalker(root: SvgElement, whatToShow: number): { nextNode(): SvgElement | null }
}
interface SvgWindow {
  readonly DOMParser: new () => { parseFromString(text: string, type: string): SvgDocument }
  readonly XMLSerializer: new () => { serializeToString(node: SvgElement): string }
  close(): void
}
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  readonly JSDOM: new (html: string) => { readonly window: SvgWindow & WindowLike }
}

const svgNamespace = 'http://www.w3.org/2000/svg'
const depthMax = 256
const tag = /<(\/?)[a-z][^<>]*?(\/?)>/gi
/** Embedded pictures are only allowed as raster data, because SVG inside SVG would bypass these checks. */
const rasterData = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z\d+/=\s]*$/i
const withData = new Set(['image', 'feimage'])
/** A reference to a part of the same document, the only allowed content of `url()`. */
const localUrl = /url\(\s*(["']?)#[\w:.-]+\1\s*\)/gi
/** Matches what makes CSS load or run something, even with escapes, which no drawing program needs. */
const loadingCss =
  /url\s*\(|src\s*\(|image-set\s*\(|@import|@font-face|@namespace|expression\s*\(|javascript:|behavior\s*:|-moz-binding|[\\<]/i

/** Replaces each comment by a space. One that is not closed is left, so that what is in it is checked like the rest. */
function withoutComments(css: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = css.indexOf('/*', at)
    const end = start < 0 ? -1 : css.indexOf('*/', start + 2)
    if (end < 0) break
    parts.push(css.slice(at, start))
    at = end + 2
  }
  return [...parts, css.slice(at)].join(' ')
}

const isHarmlessCss = (css: string) => !loadingCss.test(withoutComments(css).replaceAll(localUrl, ' '))

/** Checked before anything builds a tree, which takes a time that grows with the square of the depth. */
function checkDepth(text: string) {
  let depth = 0
  for (const [, closing, empty] of text.matchAll(tag)) {
    if (closing === '/') depth--
    else if (empty !== '/' && ++depth > depthMax) throw new SvgProblem(`must not nest deeper than ${depthMax} elements`)
  }
}

/** CSS Values 4 §6.2. */
const pixelsOfUnit: Readonly<Record<string, number>> = {
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
}

/** Browsers show 96 pixels to the inch, the service's own renderer 72; sizes in pixels look the same in both. */
function nameSizeInPixels(root: SvgElement) {
  for (const name of ['width', 'height']) {
    const [, number, unit = ''] =
      /^\s*\+?([\d.]{1,20})(in|[cm]m|q|p[tc])\s*$/i.exec(root.getAttribute(name) ?? '') ?? []
    const pixels = Number(number) * (pixelsOfUnit[unit.toLowerCase()] ?? Number.NaN)
    if (pixels > 0) root.setAttribute(name, String(Math.round(pixels * 1000) / 1000))
  }
}

const onlyElements = 1

/** The elements in document order, as an array: the document's own lists are searched again at each access. */
function elementsOf(document: SvgDocument, root: SvgElement): SvgElement[] {
  const elements = [root]
  const walker = document.createTreeWalker(root, onlyElements)
  for (let next = walker.nextNode(); next !== null; next = walker.nextNode()) elements.push(next)
  return elements
}

function clean(text: string): string {
  checkDepth(text)
  const { window } = new JSDOM('')
  const purify = createDOMPurify(window)
  const document = new window.DOMParser().parseFromString(text, 'image/svg+xml')
  const root = document.documentElement
  // A document that cannot be parsed gets another root.
  if (root.localName !== 'svg') throw new Error('not SVG')
  if (root.namespaceURI !== svgNamespace) {
    throw new SvgProblem(`must have the root element svg in the namespace ${svgNamespace}`)
  }
  if (document.getElementsByTagName('*').length > elementsMax) {
    throw new SvgProblem(`must not have more than ${elementsMax} elements`)
  }
  const elements = elementsOf(document, root)
  // An HTML sanitiser removes CDATA sections; in a style sheet they are only another notation.
  for (const each of elements) if (each.localName === 'style') each.textContent = each.textContent ?? ''
  checkDrawnElements(elements)

  purify.addHook('uponSanitizeElement', (node: SvgElement) => {
    if (node.nodeName.toLowerCase() === 'style' && !isHarmlessCss(node.textContent ?? '')) node.textContent = ''
  })
  purify.addHook('uponSanitizeAttribute', (node: SvgElement, data) => {
    const { attrName, attrValue } = data
    if (attrName === 'href' || attrName === 'xlink:href' || attrName === 'src') {
      const isData = withData.has(node.nodeName.toLowerCase()) && rasterData.test(attrValue)
      data.keepAttr = isData || isLocalReference(attrValue)
    } else if (!attrName.startsWith('xmlns') && !isHarmlessCss(attrValue)) data.keepAttr = false
  })
  purify.sanitize(root, {
    IN_PLACE: true,
    USE_PROFILES: { svg: true, svgFilters: true },
    // References to this document only; the hook above leaves no others.
    ADD_TAGS: ['use'],
    FORBID_TAGS: ['script', 'foreignobject', 'a', 'iframe', 'object', 'embed', 'audio', 'video'],
    ALLOW_DATA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
  })
  nameSizeInPixels(root)
  const cleaned = new window.XMLSerializer().serializeToString(root)
  window.close()
  return cleaned
}

function answerTo(text: string): SanitizerAnswer {
  try {
    return { svg: clean(text) }
  } catch (error) {
    return { problem: error instanceof SvgProblem ? error.message : 'must be well-formed SVG' }
  }
}

// Answers that need no sanitiser come first. On Linux a thread has its own priority; on other systems this would change the whole
// service's.
if (process.platform === 'linux') lowerPriority(5)
parentPort?.on('message', (text: string) => parentPort?.postMessage(answerTo(text), []))
parentPort?.postMessage(ready, [])
