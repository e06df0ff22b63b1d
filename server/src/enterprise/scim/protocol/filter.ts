// Filters (RFC 7644 section 3.4.2.2), of which directories use little: comparisons by `eq`, joined by `and`. Every text is read once, from left
// to right, within fixed bounds.
import { type Attribute, type AttributeTable, type ResourceType, splitUrn } from './attributes.ts'
import { bad } from './scim-error.ts'

export interface Condition {
  readonly attribute: Attribute
  readonly sub: Attribute | undefined
  /** What the value of an attribute with several values must have besides: emails[type eq "work"].value. */
  readonly within: readonly Comparison[]
  readonly value: string | boolean
}

/** A comparison of one sub-attribute. */
export interface Comparison {
  readonly sub: Attribute
  readonly value: string | boolean
}

const lengthMax = 2048
const depthMax = 20
const conditionsMax = 20

const refuse = (detail: string) => bad('invalidFilter', detail)
const unsupported = (word: string) =>
  refuse(`This service compares by eq and joins comparisons by and; it does not know "${word.slice(0, 40)}" there.`)

interface Token {
  readonly kind: 'word' | 'text' | '(' | ')' | '[' | ']'
  readonly text: string
}

const spaces = /\s/
const wordCharacter = /[A-Za-z0-9_$.:\-+]/

function endOfText(filter: string, start: number): number {
  for (let at = start + 1; at < filter.length; at++) {
    if (filter[at] === '\\') at++
    else if (filter[at] === '"') return at + 1
  }
  throw refuse('A text in the filter has no closing quotation mark.')
}

function textToken(filter: string, start: number, end: number): Token {
  try {
    return { kind: 'text', text: JSON.parse(filter.slice(start, end)) as string }
  } catch {
    throw refuse('A text in the filter is not written as in JSON.')
  }
}

export function tokens(filter: string): readonly Token[] {
  if (filter.length > lengthMax) throw refuse(`A filter has at most ${lengthMax} characters.`)
  const found: Token[] = []
  let at = 0
  while (at < filter.length) {
    const character = filter[at] as string
    let end = at + 1
    if (character === '(' || character === ')' || character === '[' || character === ']') {
      found.push({ kind: character, text: character })
    } else if (character === '"') {
      end = endOfText(filter, at)
      found.push(textToken(filter, at, end))
    } else if (wordCharacter.test(character)) {
      while (end < filter.length && wordCharacter.test(filter[end] as string)) end++
      found.push({ kind: 'word', text: filter.slice(at, end) })
    } else if (!spaces.test(character)) {
      throw refuse(`The filter has an unexpected ${JSON.stringify(character)}.`)
    }
    at = end
  }
  return found
}

/** What is read, token by token. */
class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(filter: string) {
    this.#tokens = tokens(filter)
  }

  get next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  take(): Token {
    const token = this.next
    if (token === undefined) throw refuse('The filter ends too early.')
    this.#at++
    return token
  }

  /** Takes the next token if it is this one. */
  skips(kind: Token['kind'], text?: string): boolean {
    const token = this.next
    if (token?.kind !== kind || (text !== undefined && token.text.toLowerCase() !== text)) return false
    this.#at++
    return true
  }

  expect(kind: Token['kind']) {
    const token = this.take()
    if (token.kind !== kind) throw unsupported(token.text)
    return token.text
  }

  expectOperator() {
    const word = this.expect('word')
    if (word.toLowerCase() !== 'eq') throw unsupported(word)
  }

  /** Reads a value to compare with: a text or a truth value. */
  expectValue(attribute: Attribute): string | boolean {
    const { kind, text } = this.take()
    if (kind !== 'word' && kind !== 'text') throw unsupported(text)
    const word = text.toLowerCase()
    if (attribute.type === 'boolean') {
      if (word === 'true' || word === 'false') return word === 'true'
      throw refuse(`${attribute.name} is compared with true or false.`)
    }
    if (kind === 'text') return text
    throw refuse(`${attribute.name} is compared with a text in quotation marks.`)
  }
}

type ReadOne<C> = (reader: Reader) => C

/** Reads conditions that are joined by `and`, some of them in brackets. */
function conjunction<C>(reader: Reader, readOne: ReadOne<C>, depth: number): C[] {
  if (depth > depthMax) throw refuse(`The filter is nested more than ${depthMax} deep.`)
  const found: C[] = []
  do {
    if (reader.skips('(')) {
      found.push(...conjunction(reader, readOne, depth + 1))
      reader.expect(')')
    } else found.push(readOne(reader))
    if (found.length > conditionsMax) throw refuse(`A filter has at most ${conditionsMax} comparisons.`)
  } while (reader.skips('word', 'and'))
  return found
}

const comparison =
  (table: AttributeTable): ReadOne<Comparison> =>
  (reader) => {
    const name = reader.expect('word')
    const sub = table.get(name.toLowerCase())
    if (sub === undefined) throw refuse(`There is no attribute ${name.slice(0, 100)}.`)
    reader.expectOperator()
    return { sub, value: reader.expectValue(sub) }
  }

/** Finds what `emails.value` names; an attribute with several values alone means their `value`. */
export function findAttribute(type: ResourceType, text: string) {
  const split = splitUrn(type, text)
  const [name = '', subName, ...more] = (split?.rest ?? '').split('.')
  const attribute = split?.table.get(name.toLowerCase())
  if (attribute === undefined || more.length > 0) return undefined
  if (subName === undefined) return { attribute, sub: undefined }
  const sub = attribute.sub.get(subName.toLowerCase())
  return sub === undefined ? undefined : { attribute, sub }
}

const condition =
  (type: ResourceType): ReadOne<Condition> =>
  (reader) => {
    const name = reader.expect('word')
    const found = findAttribute(type, name)
    if (found === undefined) throw refuse(`There is no attribute ${name.slice(0, 100)}.`)
    const { attribute } = found
    let { sub } = found
    let within: readonly Comparison[] = []
    if (sub === undefined && attribute.multiValued && reader.skips('[')) {
      within = conjunction(reader, comparison(attribute.sub), 1)
      reader.expect(']')
      const after = reader.expect('word')
      sub = after.startsWith('.') ? attribute.sub.get(after.slice(1).toLowerCase()) : undefined
      if (sub === undefined) throw refuse(`There is no attribute ${name}${after.slice(0, 100)}.`)
    }
    sub ??= attribute.type === 'complex' ? attribute.sub.get('value') : undefined
    if (attribute.type === 'complex' && sub === undefined) throw refuse(`${attribute.name} has no value to compare.`)
    reader.expectOperator()
    return { attribute, sub, within, value: reader.expectValue(sub ?? attribute) }
  }

function readWhole<C>(filter: string, readOne: ReadOne<C>): C[] {
  const reader = new Reader(filter)
  const found = conjunction(reader, readOne, 0)
  if (reader.next !== undefined) throw unsupported(reader.next.text)
  return found
}

/**
 * Returns the conditions of a filter, all of which a resource must meet.
 * @throws ScimError invalidFilter
 */
export const parseFilter = (type: ResourceType, filter: string): readonly Condition[] =>
  readWhole(filter, condition(type))

/**
 * Returns the comparisons in the brackets of a path, such as type eq "work".
 * @throws ScimError invalidFilter
 */
export const parseValueFilter = (table: AttributeTable, filter: string): readonly Comparison[] =>
  readWhole(filter, comparison(table))
