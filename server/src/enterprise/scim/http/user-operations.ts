import { userType } from '../protocol/attributes.ts'
import { type Wanted, listBody, toParameters, readWanted } from '../protocol/list.ts'
import { applyChanges, readPatch } from '../protocol/patch.ts'
import { readResource } from '../protocol/resource.ts'
import { bad } from '../protocol/scim-error.ts'
import { type UserRow, selectUser } from '../queries.ts'
import { changeScimUser, deleteScimUser, noUser } from '../users/change-user.ts'
import { createScimUser } from '../users/create-user.ts'
import { findScimUsers } from '../users/find-users.ts'
import { etag, presentUser } from '../users/present-user.ts'
import type { ResourceOperations } from './operations.ts'
import type { ScimAnswer, ScimCall } from './scim-call.ts'

const wanted = ({ query }: ScimCall): Wanted => readWanted(toParameters(query))

const expectBody = ({ body }: ScimCall) => {
  if (body === undefined) throw bad('invalidSyntax', 'The request needs a body.')
  return body
}

const answerWith = (call: ScimCall, row: UserRow, status: 200 | 201): ScimAnswer => ({
  status,
  body: presentUser(call.entered, row, wanted(call)),
  etag: etag(row),
  location: `${call.entered.base}/Users/${row.id}`,
  resourceId: row.id,
})

export const userOperations: ResourceOperations = {
  type: userType,

  async list(deps, { entered }, request) {
    const { rows, total } = await findScimUsers(deps, entered, request)
    const resources = rows.map((row) => presentUser(entered, row, request))
    return { status: 200, body: listBody({ total, startIndex: request.startIndex, resources }) }
  },

  async create(deps, call) {
    const attributes = readResource(userType, expectBody(call))
    return answerWith(call, await createScimUser(deps, call.entered, attributes), 201)
  },

  async read({ db }, call) {
    const { tenantId, connection } = call.entered
    const row = await selectUser(db, tenantId, call.id)
    if (row?.connection_id !== connection.id) throw noUser(call.id)
    return call.tags('if-none-match')?.includes(etag(row)) === true
      ? { status: 304, etag: etag(row) }
      : answerWith(call, row, 200)
  },

  async replace(deps, call) {
    const attributes = readResource(userType, expectBody(call))
    // Whether the user is active stays as it is if the directory does not say.
    const row = await changeScimUser(deps, call.entered, call.id, call.tags('if-match'), ({ active }) =>
      active === undefined ? attributes : { active, ...attributes },
    )
    return answerWith(call, row, 200)
  },

  async patch(deps, call) {
    const changes = readPatch(userType, expectBody(call))
    const row = await changeScimUser(deps, call.entered, call.id, call.tags('if-match'), (before) =>
      applyChanges(userType, before, changes),
    )
    return answerWith(call, row, 200)
  },

  async remove(deps, call) {
    await deleteScimUser(deps, call.entered, call.id, call.tags('if-match'))
    return { status: 204, resourceId: call.id }
  },
}
