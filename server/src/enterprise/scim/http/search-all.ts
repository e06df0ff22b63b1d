// A search over users and groups: the users first, then the groups.
import type { Deps } from '../../deps.ts'
import { type JsonObject } from '../protocol/json.ts'
import { listBody } from '../protocol/list.ts'
import { ScimError } from '../protocol/scim-error.ts'
import { searchRequest } from './list-request.ts'
import type { ResourceOperations } from './operations.ts'
import type { ScimAnswer, ScimCall } from './scim-call.ts'

/** Returns what a search asks of one kind; undefined if its filter compares what the kind does not have. */
function requestFor({ type }: ResourceOperations, call: ScimCall) {
  try {
    return searchRequest(type, call)
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return error
    throw error
  }
}

/** @throws ScimError invalidFilter if no kind of resource has what the filter compares. */
export async function searchAll(deps: Deps, call: ScimCall, kinds: readonly ResourceOperations[]): Promise<ScimAnswer> {
  const resources: JsonObject[] = []
  let total = 0
  let startIndex = 1
  let refusal: ScimError | undefined
  let isAsked = false
  for (const operations of kinds) {
    const request = requestFor(operations, call)
    if (request instanceof ScimError) {
      refusal = request
      continue
    }
    isAsked = true
    startIndex = request.startIndex
    const own = {
      ...request,
      startIndex: Math.max(1, request.startIndex - total),
      count: request.startIndex + request.count > total + 1 ? request.count - resources.length : 0,
    }
    const { body } = await operations.list(deps, call, own)
    const list = body as { readonly totalResults: number; readonly Resources: readonly JsonObject[] }
    resources.push(...list.Resources)
    total += list.totalResults
  }
  if (!isAsked && refusal !== undefined) throw refusal
  return { status: 200, body: listBody({ total, startIndex, resources }) }
}
