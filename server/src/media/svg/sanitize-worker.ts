import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import createDOMPurify, { type WindowLike } from 'dompurify'
import type { SanitizerAnswer } from './sanitize.ts'

/** As much of the document as is used here: jsdom's own types would make every browser's global known to the whole server. */
interface SvgElement {
  readonly namespaceURI: string | null
  readonly localName: string
  readonly nodeName: string
  textContent: string | null
}
interface SvgWindow {
  readonly DOMParser: new () => {
    parseFromString(
      text: string,
      type: string,
    ): { readonly documentElement: SvgElement; getElementsByTagName(name: string): { readonly length: number } }
  }
  readonly XMLSerializer: new () => { serializeToString(node: SvgElement): string }
  close(): void
}
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  readonly JSDOM: new (html: string) => { readonly window: SvgWindow & WindowLike }
}

const svgNamespace = 'http://www.w3.org/2000/svg'
const elementsMax = 50_000
const depthMax = 256
const tag = /<(\/?)[a-z][^<>]*?(\/?)>/gi
/** Pictures inside the picture: only as raster data, for SVG inside SVG would be a way around all of this. */
const rasterData = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z\d+/=\s]*$/i
const withData = new Set(['image', 'feimage'])
/** A reference to a part of the same document, the only thing that `url()` may say. */
const localUrl = /url\(\s*(["']?)#[\w:.-]+\1\s*\)/gi
/** What makes CSS load or run something, also written with escapes, which no drawing program needs. */
const loadingCss =
  /url\s*\(|src\s*\(|image-set\s*\(|@import|@font-face|@namespace|expression\s*\(|javascript:|behavior\s*:|-moz-binding|[\\<]/i

const isHarmlessCss = (css: string) => !loadingCss.test(css.replaceAll(/\/\*[^]*?\*\//g, ' ').replaceAll(localUrl, ' '))

class TooMuch extends Error {}

/** Counted before anything builds a tree of it, which takes a time that grows with the square of the depth. */
function checkDepth(text: string) {
  let depth = 0
  for (const [, closing, empty] of text.matchAll(tag)) {
    if (closing === '/') depth--
    else if (empty !== '/' && ++depth > depthMax) throw new TooMuch(`must not nest deeper than ${depthMax} elements`)
  }
}

function clean(text: string): string {
  checkDepth(text)
  const { window } = new JSDOM('')
  const purify = createDOMPurify(window)
  const document = new window.DOMParser().parseFromString(text, 'image/svg+xml')
  const root = document.documentElement
  if (root.namespaceURI !== svgNamespace || root.localName !== 'svg') throw new Error('not SVG')
  if (document.getElementsByTagName('*').length > elementsMax) {
    throw new TooMuch(`must not have more than ${elementsMax} elements`)
  }

  purify.addHook('uponSanitizeElement', (node: SvgElement) => {
    if (node.nodeName.toLowerCase() === 'style' && !isHarmlessCss(node.textContent ?? '')) node.textContent = ''
  })
  purify.addHook('uponSanitizeAttribute', (node: SvgElement, data) => {
    const { attrName, attrValue } = data
    if (attrName === 'href' || attrName === 'xlink:href' || attrName === 'src') {
      const isData = withData.has(node.nodeName.toLowerCase()) && rasterData.test(attrValue)
      data.keepAttr = isData || /^#[\w:.-]+$/.test(attrValue.trim())
    } else if (!attrName.startsWith('xmlns') && !isHarmlessCss(attrValue)) data.keepAttr = false
  })
  purify.sanitize(root, {
    IN_PLACE: true,
    USE_PROFILES: { svg: true, svgFilters: true },
    FORBID_TAGS: ['script', 'foreignobject', 'a', 'use', 'iframe', 'object', 'embed', 'audio', 'video'],
    ALLOW_DATA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
  })
  const cleaned = new window.XMLSerializer().serializeToString(root)
  window.close()
  return cleaned
}

function answerTo(text: string): SanitizerAnswer {
  try {
    return { svg: clean(text) }
  } catch (error) {
    return { problem: error instanceof TooMuch ? error.message : 'must be well-formed SVG' }
  }
}

// Answers that need no sanitiser come first. On Linux a thread has a priority of its own; elsewhere it would be the service's.
if (process.platform === 'linux') setPriority(5)
parentPort?.on('message', (text: string) => parentPort?.postMessage(answerTo(text), []))
