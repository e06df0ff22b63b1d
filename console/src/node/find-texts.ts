// Finds the texts that users read in a source of the console, and wraps them in calls that translate them. A text is what stands between
// tags, what is said in an attribute or property for people, and whatever else reads like a sentence or a title. Names, classes and values
// that are found by mistake are shown as they are, because no translation has them.
import { parseAst } from 'vite'

export interface Found {
  /** As a file of translations has it: values are `{0}`, `{1}` and so on. */
  readonly text: string
  readonly start: number
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly code: string
}

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Attributes and properties whose value is read by people, whatever it looks like. */
const readable: ReadonlySet<string> = new Set(
  (
    'title about label hint placeholder submit done add search empty alt heading none what aria-label emptyLabel section detail ' +
    'reason problem'
  ).split(' '),
)
/** Attributes whose value is never read by people. */
const technical: ReadonlySet<string> = new Set(
  (
    'className operation key id to href src type role rel target method autoComplete inputMode htmlFor list pattern d viewBox ' +
    'accept tone kind width height style popover popoverTarget sandbox scope aria-describedby aria-labelledby data-label fill of'
  ).split(' '),
)

const hasLetter = (text: string) => /\p{L}/u.test(text)
/** A title, or something with several words. */
const readsLikeText = (text: string) =>
  /^[“(…]?\p{Lu}[\p{L}\d’'-]*\p{Ll}/u.test(text) || (hasLetter(text) && /[\p{L}\d}’'”,.:;)] [\p{L}\d{“(…]/u.test(text))

const entities: Readonly<Record<string, string>> = { nbsp: '\u00A0', amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text between tags as React shows it: line breaks with the spaces around them are one space, or nothing at an end. */
function readJsxText(raw: string): string {
  const lines = raw.split('\n')
  const cleaned = lines.map((line, index) => {
    const begun = index === 0 ? line : line.trimStart()
    return index === lines.length - 1 ? begun : begun.trimEnd()
  })
  return cleaned
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll(/&(\w+);/g, (match, name: string) => entities[name] ?? match)
}

const call = 'translateText'

/** Spaces at the ends belong to the sentence around a text. */
function withoutEnds(whole: string) {
  const text = whole.trim()
  const at = whole.indexOf(text)
  return { before: whole.slice(0, at), text, after: whole.slice(at + text.length) }
}

/** Returns an expression with the spaces at the ends of a text. */
function between(before: string, code: string, after: string): string {
  const parts = [
    ...(before === '' ? [] : [JSON.stringify(before)]),
    code,
    ...(after === '' ? [] : [JSON.stringify(after)]),
  ]
  return parts.length === 1 ? code : `(${parts.join(' + ')})`
}

class TextFinder {
  readonly found: Found[] = []
  readonly edits: Edit[] = []

  #add(text: string, node: Node) {
    this.found.push({ text, start: node.start })
  }

  #literal(node: Node, isAttribute: boolean) {
    const { before, text, after } = withoutEnds(String(node['value']))
    this.#add(text, node)
    const code = between(before, `${call}(${JSON.stringify(text)})`, after)
    this.edits.push({ start: node.start, end: node.end, code: isAttribute ? `{${code}}` : code })
  }

  #template(node: Node) {
    const quasis = node['quasis'] as readonly (Node & { readonly value: { readonly cooked: string } })[]
    const values = node['expressions'] as readonly Node[]
    const whole = quasis.map(({ value }, index) => value.cooked + (index < values.length ? `{${index}}` : '')).join('')
    const { before, text, after } = withoutEnds(whole)
    this.#add(text, node)
    const first = `${call}(${JSON.stringify(text)}`
    const edges = between(before, '\0', after).split('\0')
    const starts = [node.start, ...values.map(({ end }) => end)]
    const ends = [...values.map(({ start }) => start), node.end]
    // The code of the values stays where it is, between the parts of the call.
    for (const [index, start] of starts.entries()) {
      const isFirst = index === 0
      const isLast = index === values.length
      const code = [isFirst ? (edges[0] ?? '') + first : '', isLast ? ')' : ', ', isLast ? (edges[1] ?? '') : ''].join(
        '',
      )
      this.edits.push({ start, end: ends[index] ?? node.end, code })
    }
  }

  #jsxText(node: Node) {
    const { before, text, after } = withoutEnds(readJsxText(String(node['raw'])))
    if (!hasLetter(text)) return
    this.#add(text, node)
    const parts = [before, `${call}(${JSON.stringify(text)})`, after]
    const code = parts
      .flatMap((part, index) => (part === '' ? [] : [index === 1 ? `{${part}}` : `{${JSON.stringify(part)}}`]))
      .join('')
    this.edits.push({ start: node.start, end: node.end, code })
  }

  /** @param isRead whether the value is read by people, whatever it looks like. */
  visit(node: Node, isRead = false): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (isNode(node['declaration'])) this.visit(node['declaration'])
        return
      case 'JSXText':
        this.#jsxText(node)
        return
      case 'Literal':
        if (typeof node['value'] === 'string' && this.#isText(node['value'], isRead)) this.#literal(node, false)
        return
      case 'TemplateLiteral':
        this.#visitTemplate(node, isRead)
        return
      case 'JSXAttribute':
        this.#visitAttribute(node)
        return
      case 'JSXExpressionContainer':
        this.#visitValue(node['expression'], isRead)
        return
      case 'TaggedTemplateExpression':
        for (const each of (node['quasi'] as { readonly expressions: readonly Node[] }).expressions) this.visit(each)
        return
      case 'MemberExpression':
        this.visit(node['object'] as Node)
        if (node['computed'] === true && (node['property'] as Node).type !== 'Literal')
          this.visit(node['property'] as Node)
        return
      case 'CallExpression':
        if (this.#isTranslated(node)) return
        this.#visitOther(node, isRead)
        return
      case 'JSXElement':
      case 'JSXFragment':
        this.#visitElement(node)
        return
      default:
        this.#visitOther(node, isRead)
    }
  }

  /** Words that do not look like texts are translated by name: `translate('waiting')`. */
  #isTranslated(node: Node): boolean {
    const [text] = node['arguments'] as readonly Node[]
    if ((node['callee'] as { readonly name?: string }).name !== 'translate' || text?.type !== 'Literal') return false
    this.#add(String(text['value']), text)
    return true
  }

  #isText = (text: string, isRead: boolean) => (isRead ? hasLetter(text) : readsLikeText(text))

  #visitTemplate(node: Node, isRead: boolean) {
    const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
    const text = quasis.map(({ value }) => value.cooked).join('{0}')
    if (isRead ? hasLetter(text) : readsLikeText(text) && !/^(?:\/|https?:)/.test(text)) this.#template(node)
    for (const each of node['expressions'] as readonly Node[]) this.visit(each)
  }

  #visitAttribute(node: Node) {
    const { name } = node['name'] as { readonly name: string }
    const value = node['value']
    if (!isNode(value) || technical.has(name)) {
      if (isNode(value) && value.type === 'JSXExpressionContainer') this.#visitInner(value['expression'])
      return
    }
    const isRead = readable.has(name)
    if (value.type === 'Literal') {
      if (this.#isText(String(value['value']), isRead)) this.#literal(value, true)
    } else this.visit(value, isRead)
  }

  /** Elements and functions within a technical value can have texts; its own strings are none. */
  #visitInner(value: unknown) {
    if (isNode(value) && /Element|Function/.test(value.type)) this.visit(value)
  }

  #visitElement(node: Node) {
    const opening = node['openingElement']
    if (isNode(opening)) for (const each of opening['attributes'] as readonly Node[]) this.visit(each)
    for (const child of node['children'] as readonly Node[]) this.visit(child, true)
  }

  /** What is shown is one of the branches. */
  #visitValue(value: unknown, isRead: boolean) {
    if (!isNode(value)) return
    if (value.type === 'ConditionalExpression') {
      this.visit(value['test'] as Node)
      this.#visitValue(value['consequent'], isRead)
      this.#visitValue(value['alternate'], isRead)
    } else if (value.type === 'LogicalExpression') {
      this.#visitValue(value['left'], isRead)
      this.#visitValue(value['right'], isRead)
    } else if (value.type === 'ParenthesizedExpression') this.#visitValue(value['expression'], isRead)
    else this.visit(value, isRead && (value.type === 'Literal' || value.type === 'TemplateLiteral'))
  }

  #visitOther(node: Node, isRead: boolean) {
    // A value that is compared, chosen by, looked up or thrown is no text.
    if (node.type.startsWith('TS') && isNode(node['expression'])) {
      this.#visitValue(node['expression'], isRead)
      return
    }
    if (node.type.startsWith('TS') || node.type === 'NewExpression') {
      if (node.type === 'NewExpression') for (const each of node['arguments'] as readonly Node[]) this.#visitInner(each)
      return
    }
    const isComparison = (node.type === 'BinaryExpression' && node['operator'] !== '+') || node.type === 'SwitchCase'
    for (const [name, value] of Object.entries(node)) {
      if (name === 'parent' || name === 'typeArguments' || name === 'typeAnnotation' || name === 'returnType') continue
      if (node.type === 'Property' && name === 'key') continue
      const isProperty = node.type === 'Property' && name === 'value'
      const key = isProperty ? keyName(node['key']) : ''
      if (isProperty && technical.has(key) && !readable.has(key)) {
        this.#visitInner(value)
        continue
      }
      for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
        if (!isNode(each)) continue
        if (isComparison && (each.type === 'Literal' || each.type === 'TemplateLiteral') && name !== 'consequent')
          continue
        if (isProperty || node.type === 'ArrowFunctionExpression')
          this.#visitValue(each, isProperty && readable.has(key))
        else this.visit(each)
      }
    }
  }
}

function keyName(key: unknown): string {
  const name = isNode(key) ? (key['name'] ?? key['value']) : ''
  return typeof name === 'string' ? name : ''
}

function findIn(code: string, file: string): TextFinder {
  const finder = new TextFinder()
  // Its types name each kind of node; here they are told apart as they come.
  finder.visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node)
  return finder
}

/** Returns the texts of a source, in their order. */
export const findTexts = (code: string, file: string): readonly Found[] => findIn(code, file).found

/** Returns the source with its texts translated when it runs; undefined if it has none. */
export function wrapTexts(code: string, file: string, translateFrom: string): string | undefined {
  const { edits } = findIn(code, file)
  if (edits.length === 0) return undefined
  let wrapped = ''
  let at = 0
  for (const { start, end, code: replacement } of edits.toSorted((one, other) => one.start - other.start)) {
    wrapped += code.slice(at, start) + replacement
    at = end
  }
  return `import { translate as ${call} } from ${JSON.stringify(translateFrom)};${wrapped}${code.slice(at)}`
}
