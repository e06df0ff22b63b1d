// Converts an HTML message to text, for people who read mail as text. One pass from left to right, so that every template, however broken,
// takes linear time.

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#39': "'",
  nbsp: ' ',
  amp: '&',
}
const breaking = new Set(['br', 'p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr', 'li', 'table', 'ul', 'ol'])
/** Elements whose content is not for reading. */
const skipped = new Set(['style', 'script', 'head', 'title'])

const withoutEntities = (text: string) =>
  text.replaceAll(/&([a-z]{2,4}|#3[49]);/g, (entity, name: string) => entities[name] ?? entity)

const tagName = (tag: string) => /^\/?([a-z][a-z0-9]{0,20})/i.exec(tag)?.[1]?.toLowerCase()

/** Returns the address in a link's opening tag, unless it is longer than 2,048 characters. */
function hrefOf(tag: string): string | undefined {
  const begin = tag.slice(0, 4096).search(/\shref="/i)
  if (begin < 0) return undefined
  const [, href = '', rest] = tag.slice(begin).split('"', 3)
  return rest !== undefined && href.length > 0 && href.length <= 2048 ? href : undefined
}

/** Matches tags and the texts between them; a `<` that is never closed is text. */
function* tokens(html: string): Generator<{ readonly text: string; readonly tag: string | undefined }> {
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const close = open < 0 ? -1 : html.indexOf('>', open)
    if (close < 0) {
      yield { text: html.slice(at), tag: undefined }
      return
    }
    yield { text: html.slice(at, open), tag: html.slice(open + 1, close) }
    at = close + 1
  }
}

export function plainText(html: string): string {
  const parts: string[] = []
  let href: string | undefined
  let skipping: string | undefined
  for (const { text, tag } of tokens(html)) {
    if (skipping === undefined) parts.push(withoutEntities(text))
    const name = tag === undefined ? undefined : tagName(tag)
    if (tag === undefined || name === undefined) continue
    const isClosing = tag.startsWith('/')
    if (skipping !== undefined) {
      if (isClosing && name === skipping) skipping = undefined
    } else if (skipped.has(name) && !isClosing) {
      skipping = name
    } else if (name === 'a') {
      if (isClosing && href !== undefined) parts.push(` (${withoutEntities(href)})`)
      href = isClosing ? undefined : hrefOf(tag)
    } else if (breaking.has(name) && (isClosing || name === 'br')) {
      parts.push('\n')
    }
  }
  return parts
    .join('')
    .split('\n')
    .map((line) => line.replaceAll(/[ \t\r]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
