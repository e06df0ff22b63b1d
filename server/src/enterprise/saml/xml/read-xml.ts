// Reads XML that strangers send, in linear time and within bounds. It knows what SAML needs, and refuses everything that has served to make two
// readers of the same document see different things: document types, entities, processing instructions, CDATA sections, names outside ASCII.
// Comments are dropped, and the text on both sides of one is joined, as canonical XML has it.
import { XmlProblem } from './xml-problem.ts'
import type { XmlAttribute, XmlElement } from './xml-tree.ts'

/** What a document may have. A response with a thousand groups has some 1,100 elements. */
const limits = { elements: 4000, depth: 32, attributes: 32, namespaces: 32 } as const
export const charactersMax = 131_072

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const namePattern = /(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)/y
const spacePattern = /[ \t\n]*/y
/** Matches what XML 1.0 section 2.2 has no place for. */
const forbiddenCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const declarationPattern = /^<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?(?: standalone="(?:yes|no)")?\s*\?>/

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[]
  /** As it is written, for the end tag. */
  readonly tag: string
}
interface Place {
  readonly text: string
  at: number
  elements: number
}
interface QualifiedName {
  readonly prefix: string
  readonly local: string
}

const malformed = (what: string) => new XmlProblem('malformed', what)

function skipSpace(place: Place): boolean {
  spacePattern.lastIndex = place.at
  const length = spacePattern.exec(place.text)?.[0].length ?? 0
  place.at += length
  return length > 0
}

function readName(place: Place): QualifiedName {
  namePattern.lastIndex = place.at
  const match = namePattern.exec(place.text)
  if (match === null) throw malformed('a name was expected')
  place.at += match[0].length
  return { prefix: match[1] ?? '', local: match[2] ?? '' }
}

function characterFrom(reference: string): string {
  const known = Object.hasOwn(entities, reference) ? entities[reference] : undefined
  if (known !== undefined) return known
  const match = /^#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}))$/.exec(reference)
  if (match === null) throw new XmlProblem('entity', 'it has an entity that XML itself does not define')
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16)
  const character = code > 0x10_ff_ff ? '' : String.fromCodePoint(code)
  if (character === '' || forbiddenCharacter.test(character))
    throw malformed('a character reference is not a character')
  return character
}

/** Returns text with its references replaced. */
function decoded(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw
    .split('&')
    .map((part, n) => {
      if (n === 0) return part
      // The longest reference is &#x10FFFF; a later semicolon belongs to the text.
      const end = part.slice(0, 10).indexOf(';')
      if (end < 0) throw malformed('a reference has no end')
      return characterFrom(part.slice(0, end)) + part.slice(end + 1)
    })
    .join('')
}

function readValue(place: Place): string {
  const quote = place.text[place.at]
  if (quote !== '"' && quote !== "'") throw malformed('a value has no quotation marks')
  const end = place.text.indexOf(quote, place.at + 1)
  if (end < 0) throw malformed('a value has no end')
  const raw = place.text.slice(place.at + 1, end)
  if (raw.includes('<')) throw malformed('a value has a bracket')
  place.at = end + 1
  return decoded(raw.replaceAll(/[\t\n]/g, ' '))
}

type RawAttribute = QualifiedName & { readonly value: string }

function readAttributes(place: Place): RawAttribute[] {
  const found: RawAttribute[] = []
  for (;;) {
    const isApart = skipSpace(place)
    const next = place.text[place.at]
    if (next === '>' || next === '/' || next === undefined) return found
    if (!isApart) throw malformed('attributes stand without a space between')
    if (found.length >= limits.attributes) throw new XmlProblem('too_large', 'an element has too many attributes')
    const name = readName(place)
    skipSpace(place)
    if (place.text[place.at] !== '=') throw malformed('an attribute has no value')
    place.at += 1
    skipSpace(place)
    found.push({ ...name, value: readValue(place) })
  }
}

const isDeclaration = ({ prefix, local }: QualifiedName) => prefix === 'xmlns' || (prefix === '' && local === 'xmlns')

function scopeWithin(outer: ReadonlyMap<string, string>, declarations: readonly RawAttribute[]) {
  if (declarations.length === 0) return outer
  const scope = new Map(outer)
  const names = new Set<string>()
  for (const { prefix, local, value } of declarations) {
    const name = prefix === '' ? '' : local
    const isReserved = name === 'xml' || name === 'xmlns' || value === xmlNamespace || value === xmlnsNamespace
    if (isReserved || names.has(name) || (name !== '' && value === ''))
      throw malformed('a namespace is declared wrongly')
    names.add(name)
    scope.set(name, value)
  }
  if (scope.size > limits.namespaces) throw new XmlProblem('too_large', 'it has too many namespaces')
  return scope
}

function resolve(scope: ReadonlyMap<string, string>, prefix: string): string {
  if (prefix === 'xml') return xmlNamespace
  const namespace = scope.get(prefix)
  if (namespace === undefined) throw malformed('a prefix is not declared')
  return namespace
}

function resolvedAttributes(scope: ReadonlyMap<string, string>, raw: readonly RawAttribute[]): XmlAttribute[] {
  const names = new Set<string>()
  return raw.map((each) => {
    const namespace = each.prefix === '' ? '' : resolve(scope, each.prefix)
    const name = `${namespace} ${each.local}`
    if (names.has(name)) throw malformed('an attribute stands twice')
    names.add(name)
    return { ...each, namespace }
  })
}

/** Reads a start tag, from after its bracket. */
function readStart(place: Place, outer: ReadonlyMap<string, string>): { element: OpenElement; isEmpty: boolean } {
  place.elements += 1
  if (place.elements > limits.elements) throw new XmlProblem('too_large', 'it has too many elements')
  const { prefix, local } = readName(place)
  const raw = readAttributes(place)
  const isEmpty = place.text[place.at] === '/'
  if (isEmpty) place.at += 1
  if (place.text[place.at] !== '>') throw malformed('a tag has no end')
  place.at += 1
  const scope = scopeWithin(outer, raw.filter(isDeclaration))
  const attributes = resolvedAttributes(
    scope,
    raw.filter((each) => !isDeclaration(each)),
  )
  const tag = prefix === '' ? local : `${prefix}:${local}`
  return {
    element: { prefix, local, namespace: resolve(scope, prefix), attributes, scope, children: [], tag },
    isEmpty,
  }
}

function readEnd(place: Place, element: OpenElement) {
  if (!place.text.startsWith(element.tag, place.at)) throw malformed('an end tag does not fit')
  place.at += element.tag.length
  skipSpace(place)
  if (place.text[place.at] !== '>') throw malformed('an end tag does not fit')
  place.at += 1
}

/** Skips a comment, from after its bracket; everything else that begins so is refused. */
function skipComment(place: Place) {
  const { text, at } = place
  if (text.startsWith('!DOCTYPE', at)) throw new XmlProblem('doctype', 'it has a document type')
  if (text[at] === '?') throw new XmlProblem('processing_instruction', 'it has a processing instruction')
  if (text.startsWith('![CDATA[', at)) throw new XmlProblem('cdata', 'it has a CDATA section')
  if (!text.startsWith('!--', at)) throw malformed('a declaration stands where none may')
  const end = text.indexOf('--', at + 3)
  if (end < 0 || text[end + 2] !== '>') throw malformed('a comment has no end')
  place.at = end + 3
}

/** Reads text up to the next tag or comment; returns false at the end of the document. */
function readText(place: Place, inside: OpenElement | undefined): boolean {
  const next = place.text.indexOf('<', place.at)
  const end = next < 0 ? place.text.length : next
  const raw = place.text.slice(place.at, end)
  if (raw !== '') {
    if (inside === undefined && /[^ \t\n]/.test(raw)) throw malformed('text stands outside the document')
    if (raw.includes(']]>')) throw malformed('a CDATA section ends that never began')
    inside?.children.push(decoded(raw))
  }
  place.at = end + 1
  return next >= 0
}

/** @throws XmlProblem */
export function readXml(source: string): XmlElement {
  if (source.length > charactersMax) throw new XmlProblem('too_large', 'it is too long')
  if (forbiddenCharacter.test(source)) throw malformed('it has characters that XML does not allow')
  const text = source.replaceAll(/\r\n?/g, '\n')
  const place: Place = { text, at: declarationPattern.exec(text)?.[0].length ?? 0, elements: 0 }
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  while (readText(place, open.at(-1))) {
    const inside = open.at(-1)
    if (text[place.at] === '/') {
      place.at += 1
      if (inside === undefined) throw malformed('an end tag does not fit')
      readEnd(place, inside)
      open.pop()
    } else if (text[place.at] === '!' || text[place.at] === '?') skipComment(place)
    else {
      if (inside === undefined && root !== undefined) throw malformed('it has more than one root')
      const { element, isEmpty } = readStart(place, inside?.scope ?? new Map([['', '']]))
      inside?.children.push(element)
      root ??= element
      if (!isEmpty && open.push(element) > limits.depth) throw new XmlProblem('too_large', 'it is nested too deeply')
    }
  }
  if (root === undefined || open.length > 0) throw malformed('it is not complete')
  return root
}
