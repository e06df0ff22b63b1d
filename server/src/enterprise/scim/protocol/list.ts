// Lists and searches (RFC 7644 sections 3.4.2 and 3.4.3).
import type { ResourceType } from './attributes.ts'
import { type Condition, parseFilter } from './filter.ts'
import type { Json, JsonObject } from './json.ts'
import { bad } from './scim-error.ts'

export const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

export const countMax = 200
const countDefault = 100
const namesMax = 100

/** Which attributes an answer has: only these, or all except those; in lower case. */
export interface Wanted {
  readonly only: ReadonlySet<string> | undefined
  readonly except: ReadonlySet<string>
}

export interface ListRequest extends Wanted {
  /** 1 for the first. */
  readonly startIndex: number
  /** 0 asks for the number of resources alone. */
  readonly count: number
  readonly conditions: readonly Condition[]
}

type Parameters = ReadonlyMap<string, Json>

function names(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : []
  if (list.length > namesMax) throw bad('invalidValue', `At most ${namesMax} attributes can be named.`)
  return list.map((each) => each.trim().toLowerCase()).filter((each) => each !== '')
}

export function readWanted(parameters: Parameters): Wanted {
  const only = names(parameters.get('attributes'))
  return {
    only: only.length === 0 ? undefined : new Set(only),
    except: new Set(names(parameters.get('excludedattributes'))),
  }
}

function integer(parameters: Parameters, name: string, otherwise: number): number {
  const value = parameters.get(name)
  if (value === undefined || value === null) return otherwise
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (!/^-?\d{1,9}$/.test(text)) throw bad('invalidValue', `${name} must be a whole number.`)
  return Number(text)
}

/**
 * Reads what a list is asked for. A number below the smallest counts as the smallest (RFC 7644 table 6).
 * @throws ScimError invalidFilter, invalidValue
 */
export function readList(type: ResourceType, parameters: Parameters): ListRequest {
  const filter = parameters.get('filter')
  if (filter !== undefined && filter !== null && typeof filter !== 'string') {
    throw bad('invalidFilter', 'filter must be a text.')
  }
  return {
    ...readWanted(parameters),
    startIndex: Math.max(1, integer(parameters, 'startIndex'.toLowerCase(), 1)),
    count: Math.min(countMax, Math.max(0, integer(parameters, 'count', countDefault))),
    conditions: filter === undefined || filter === null || filter.trim() === '' ? [] : parseFilter(type, filter),
  }
}

/** Parameters as a query or the body of a search has them; names do not depend on case. */
export const toParameters = (from: JsonObject): Parameters =>
  new Map(Object.entries(from).map(([name, each]) => [name.toLowerCase(), each]))

export interface ListAnswer {
  readonly total: number
  readonly startIndex: number
  readonly resources: readonly Json[]
}

export const listBody = ({ total, startIndex, resources }: ListAnswer): Json => ({
  schemas: [listUrn],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
