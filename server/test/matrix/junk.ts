// Bodies that break one rule of a schema, made from the schema: each with the place at which its issue must point.

/** The keywords that the contract's shapes use. */
interface Rules {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly pattern?: string
  readonly items?: Rules
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Rules>>
  readonly required?: readonly string[]
  readonly 'x-bytes-max'?: number
}

export interface Junk {
  readonly what: string
  /** The body as JSON text, because no JavaScript value could represent some of them. */
  readonly json: string
  /** The JSON pointer that every issue must have. */
  readonly path: string
}

interface RefusedValue {
  readonly what: string
  readonly value: unknown
  /** The place of the issue within the value. */
  readonly at?: string
}

/** Replaced by a number that JSON can write but no double can represent. */
const hugeNumber = '@1e400@'
const asJson = (value: unknown) => JSON.stringify(value).replaceAll(`"${hugeNumber}"`, '1e400')
const parsed = (json: string): unknown => JSON.parse(json)

/** Values that are refused in any place. */
const neverAccepted: readonly RefusedValue[] = [
  { what: 'NUL', value: 'a\0b' },
  { what: 'a lone high surrogate', value: 'a\ud800' },
  { what: 'a lone low surrogate', value: '\udfffa' },
  { what: 'a number beyond a double', value: hugeNumber },
  { what: '__proto__', value: parsed('{"__proto__":{"isAdmin":true}}'), at: '/__proto__' },
  { what: 'a nested constructor', value: { a: [{ constructor: 1 }] }, at: '/a/0/constructor' },
  { what: 'a NUL in a name', value: { 'a\0b': 1 }, at: '/a\0b' },
  { what: 'more levels than allowed', value: parsed('['.repeat(20) + ']'.repeat(20)), at: '/0'.repeat(19) },
  { what: 'more items than allowed', value: Array.from({ length: 1001 }, () => 0) },
]

const valueOfType = { null: null, boolean: true, integer: 12, number: 12.5, string: 'text', array: [], object: {} }

function wrongTypes({ type }: Rules): RefusedValue[] {
  if (type === undefined) return []
  const types = new Set([type].flat())
  if (types.has('number')) types.add('integer')
  return Object.entries(valueOfType)
    .filter(([name]) => !types.has(name))
    .map(([name, value]) => ({ what: `a value of type ${name}`, value }))
}

/** Refused by every enumeration, format and pattern of the contract. */
const badText = ' \u0001;'

function outOfBounds(rules: Rules): RefusedValue[] {
  const { minLength, maxLength, minimum, maximum } = rules
  const isRestricted = rules.enum !== undefined || (rules.format !== undefined && rules.format !== 'text')
  return [
    ...(minLength === undefined ? [] : [{ what: 'too short a text', value: 'x'.repeat(minLength - 1) }]),
    ...(maxLength === undefined ? [] : [{ what: 'too long a text', value: 'x'.repeat(maxLength + 1) }]),
    ...(rules.pattern === undefined ? [] : [{ what: 'a text against the pattern', value: '    ' }]),
    ...(isRestricted ? [{ what: 'a text of the wrong form', value: badText }] : []),
    ...(minimum === undefined ? [] : [{ what: 'too small a number', value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ what: 'too large a number', value: maximum + 1 }]),
    ...(rules['x-bytes-max'] === undefined
      ? []
      : [{ what: 'too much JSON', value: 'x'.repeat(rules['x-bytes-max'] - 1) }]),
  ]
}

/** For lists of ids that are empty in the valid body. */
const anyId = 'c000000000000'

/** Too many of the items of a valid list, and junk in place of one item. */
function badItems({ items, maxItems }: Rules, valid: unknown): RefusedValue[] {
  if (items === undefined || !Array.isArray(valid)) return []
  const refused = [...wrongTypes(items), ...outOfBounds(items)]
  return [
    ...(maxItems === undefined ? [] : [{ what: 'too many items', value: Array(maxItems + 1).fill(valid[0] ?? anyId) }]),
    ...refused.map(({ what, value }) => ({ what: `an item that is ${what}`, value: [value], at: '/0' })),
  ]
}

/** Bodies that differ from a valid one in one thing, for each property and each rule of the schema. */
export function junkBodies(schema: object, valid: object): Junk[] {
  const { properties = {}, required = [] } = schema as Rules
  const junk: Junk[] = []
  const add = (what: string, body: unknown, path: string) => junk.push({ what, json: asJson(body), path })

  for (const { what, value } of wrongTypes({ type: 'object' })) add(`${what} as the body`, value, '')
  for (const name of required) {
    add(`no ${name}`, Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)), `/${name}`)
  }
  add('an unknown property', { ...valid, unheardOf: 1 }, '/unheardOf')
  add('a property of another case', { ...valid, TENANTID: 'c12345678' }, '/TENANTID')
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    add(`a property ${name}`, Object.fromEntries([...Object.entries(valid), [name, {}]]), `/${name}`)
  }
  for (const [name, rules] of Object.entries(properties)) {
    const items = badItems(rules, Reflect.get(valid, name))
    // null counts as left out for optional properties.
    const wrong = wrongTypes(rules).filter(({ value }) => value !== null || required.includes(name))
    const refused = [...neverAccepted, ...wrong, ...outOfBounds(rules), ...items]
    for (const { what, value, at = '' } of refused) {
      add(`${what} as ${name}`, { ...valid, [name]: value }, `/${name}${at}`)
    }
  }
  return junk
}
