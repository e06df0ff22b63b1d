// The paths of PATCH operations (RFC 7644 section 3.5.2): emails[type eq "work"].value, with or without the URN of a schema before it.
import { type Attribute, type ResourceType, splitUrn } from './attributes.ts'
import { type Comparison, parseValueFilter } from './filter.ts'
import { refuseForbiddenName } from './json.ts'
import { bad } from './scim-error.ts'

export interface Path {
  readonly attribute: Attribute
  readonly sub: Attribute | undefined
  /** Which of several values are meant; undefined means all. */
  readonly within: readonly Comparison[] | undefined
}

const lengthMax = 2048

const refuse = (text: string) =>
  bad('invalidPath', `There is no attribute ${JSON.stringify(text.slice(0, 100))} that this service keeps.`)

function split(text: string): { readonly name: string; readonly filter: string | undefined; readonly rest: string } {
  const open = text.indexOf('[')
  if (open < 0) {
    const dot = text.indexOf('.')
    return dot < 0
      ? { name: text, filter: undefined, rest: '' }
      : { name: text.slice(0, dot), filter: undefined, rest: text.slice(dot) }
  }
  const close = text.lastIndexOf(']')
  if (close < open) throw refuse(text)
  return { name: text.slice(0, open), filter: text.slice(open + 1, close), rest: text.slice(close + 1) }
}

/** @throws ScimError invalidPath, invalidFilter */
export function parsePath(type: ResourceType, text: string): Path {
  if (text.length > lengthMax) throw bad('invalidPath', `A path has at most ${lengthMax} characters.`)
  const schema = splitUrn(type, text.trim())
  if (schema === undefined) throw refuse(text)
  const { name, filter, rest } = split(schema.rest)
  const subName = rest.startsWith('.') ? rest.slice(1) : undefined
  for (const each of [name, ...(subName ?? '').split('.')]) refuseForbiddenName(each)
  const attribute = schema.table.get(name.toLowerCase())
  if (attribute === undefined || (rest !== '' && subName === undefined)) throw refuse(text)
  const sub = subName === undefined ? undefined : attribute.sub.get(subName.toLowerCase())
  if (subName !== undefined && sub === undefined) throw refuse(text)
  if (filter !== undefined && !attribute.multiValued) throw refuse(text)
  const within = filter === undefined ? undefined : parseValueFilter(attribute.sub, filter)
  return { attribute, sub, within }
}
