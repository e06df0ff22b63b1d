import type { ResourceType } from '../protocol/attributes.ts'
import { type ListRequest, toParameters, readList, searchUrn } from '../protocol/list.ts'
import { expectSchema } from '../protocol/resource.ts'
import { bad } from '../protocol/scim-error.ts'
import type { ScimCall } from './scim-call.ts'

/** Reads what the query of a list asks for. */
export const readRequest = (type: ResourceType, { query }: ScimCall): ListRequest => readList(type, toParameters(query))

/** Reads what the body of a search asks for. */
export function searchRequest(type: ResourceType, { body }: ScimCall): ListRequest {
  if (body === undefined) throw bad('invalidSyntax', 'A search has a body.')
  expectSchema(body, searchUrn)
  return readList(type, toParameters(body))
}
