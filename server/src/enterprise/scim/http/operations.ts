// What a directory can ask for, by path and method.
import type { Deps } from '../../deps.ts'
import type { ResourceType } from '../protocol/attributes.ts'
import { resourceTypes, schemas, serviceProviderConfig } from '../protocol/documents.ts'
import type { Json } from '../protocol/json.ts'
import { listBody } from '../protocol/list.ts'
import { ScimError } from '../protocol/scim-error.ts'
import { groupOperations } from './group-operations.ts'
import { readRequest, searchRequest } from './list-request.ts'
import { type ScimAnswer, type ScimCall, pathParts } from './scim-call.ts'
import { searchAll } from './search-all.ts'
import { userOperations } from './user-operations.ts'

export type Operation = (deps: Deps, call: ScimCall) => Promise<ScimAnswer>

/** The operations on one kind of resource. */
export interface ResourceOperations {
  readonly type: ResourceType
  readonly list: (deps: Deps, call: ScimCall, request: ReturnType<typeof readRequest>) => Promise<ScimAnswer>
  readonly create: Operation
  readonly read: Operation
  readonly replace: Operation
  readonly patch: Operation
  readonly remove: Operation
}

const byResource: ReadonlyMap<string, ResourceOperations> = new Map([
  ['users', userOperations],
  ['groups', groupOperations],
])

const notAllowed = (call: ScimCall, allow: string) => {
  call.reply.header('allow', allow)
  return new ScimError(405, `This address takes ${allow}.`)
}

function onCollection(deps: Deps, call: ScimCall, operations: ResourceOperations) {
  switch (call.request.method) {
    case 'GET':
    case 'HEAD':
      return operations.list(deps, call, readRequest(operations.type, call))
    case 'POST':
      return operations.create(deps, call)
    default:
      throw notAllowed(call, 'GET, HEAD, POST')
  }
}

function onResource(deps: Deps, call: ScimCall, operations: ResourceOperations) {
  switch (call.request.method) {
    case 'GET':
    case 'HEAD':
      return operations.read(deps, call)
    case 'PUT':
      return operations.replace(deps, call)
    case 'PATCH':
      return operations.patch(deps, call)
    case 'DELETE':
      return operations.remove(deps, call)
    default:
      throw notAllowed(call, 'GET, HEAD, PUT, PATCH, DELETE')
  }
}

const nothingThere = () => new ScimError(404, 'There is nothing at this address.')

/** Returns one of the documents by its id, or all of them as a list. */
function documents(all: readonly Json[], id: string | undefined): ScimAnswer {
  if (id === undefined || id === '') {
    return { status: 200, body: listBody({ total: all.length, startIndex: 1, resources: all }) }
  }
  const found = all.find((each) => (each as { readonly id: string }).id.toLowerCase() === id.toLowerCase())
  if (found === undefined) throw nothingThere()
  return { status: 200, body: found }
}

function document(call: ScimCall, name: string, id: string | undefined): ScimAnswer {
  const { base } = call.entered
  if (!['serviceproviderconfig', 'resourcetypes', 'schemas'].includes(name)) throw nothingThere()
  if (!['GET', 'HEAD'].includes(call.request.method)) throw notAllowed(call, 'GET, HEAD')
  // So that nobody believes that the filter was applied (RFC 7644 section 4).
  if (call.query['filter'] !== undefined) throw new ScimError(403, 'This address takes no filter.')
  if (name === 'resourcetypes') return documents(resourceTypes(base), id)
  if (name === 'schemas') return documents(schemas(base), id)
  if (id !== undefined) throw nothingThere()
  return { status: 200, body: serviceProviderConfig(base) }
}

/** @throws ScimError 404, 405, 501, and what the operation throws. */
export async function operate(deps: Deps, call: ScimCall): Promise<ScimAnswer> {
  const [name = '', id, ...more] = pathParts(call.request)
  const operations = byResource.get(name.toLowerCase())
  if (more.length > 0) throw nothingThere()
  if (name === 'Bulk' || name === 'Me') throw new ScimError(501, `This service does not offer ${name}.`)
  if (name === '.search' && id === undefined) {
    if (call.request.method !== 'POST') throw notAllowed(call, 'POST')
    return searchAll(deps, call, [userOperations, groupOperations])
  }
  if (operations === undefined) return document(call, name.toLowerCase(), id)
  if (id === '.search') {
    if (call.request.method !== 'POST') throw notAllowed(call, 'POST')
    return operations.list(deps, call, searchRequest(operations.type, call))
  }
  return id === undefined || id === '' ? onCollection(deps, call, operations) : onResource(deps, call, operations)
}
