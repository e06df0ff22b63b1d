import type { Deps } from '../../deps.ts'
import { findScimGroups } from '../groups/find-groups.ts'
import { changeScimGroup, createScimGroup, deleteScimGroup, noGroup } from '../groups/groups.ts'
import { presentGroup } from '../groups/present-group.ts'
import { groupType } from '../protocol/attributes.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import { listBody, toParameters, readWanted } from '../protocol/list.ts'
import { memberChanges, splitChanges } from '../protocol/member-changes.ts'
import { applyChanges, readPatch } from '../protocol/patch.ts'
import { readMembers, readResource } from '../protocol/resource.ts'
import { bad } from '../protocol/scim-error.ts'
import { type GroupRow, selectGroup } from '../queries.ts'
import { etag } from '../users/present-user.ts'
import type { ResourceOperations } from './operations.ts'
import type { ScimAnswer, ScimCall } from './scim-call.ts'

const expectBody = ({ body }: ScimCall): JsonObject => {
  if (body === undefined) throw bad('invalidSyntax', 'The request needs a body.')
  return body
}

const membersIn = (body: JsonObject): Json | undefined =>
  Object.entries(body).find(([name]) => name.toLowerCase() === 'members')?.[1]

async function answerWith({ db }: Deps, call: ScimCall, row: GroupRow, status: 200 | 201): Promise<ScimAnswer> {
  return {
    status,
    body: await presentGroup(db, call.entered, row, readWanted(toParameters(call.query))),
    etag: etag(row),
    location: `${call.entered.base}/Groups/${row.id}`,
    resourceId: row.id,
  }
}

export const groupOperations: ResourceOperations = {
  type: groupType,

  async list({ db }, { entered }, request) {
    const { rows, total } = await findScimGroups(db, entered, request)
    const resources: Json[] = []
    for (const row of rows) resources.push(await presentGroup(db, entered, row, request))
    return { status: 200, body: listBody({ total, startIndex: request.startIndex, resources }) }
  },

  async create(deps, call) {
    const body = expectBody(call)
    const attributes = readResource(groupType, body)
    return answerWith(
      deps,
      call,
      await createScimGroup(deps, call.entered, attributes, readMembers(membersIn(body))),
      201,
    )
  },

  async read(deps, call) {
    const { tenantId, connection } = call.entered
    const row = await selectGroup(deps.db, tenantId, call.id)
    if (row?.connection_id !== connection.id) throw noGroup(call.id)
    return call.tags('if-none-match')?.includes(etag(row)) === true
      ? { status: 304, etag: etag(row) }
      : answerWith(deps, call, row, 200)
  },

  async replace(deps, call) {
    const body = expectBody(call)
    const attributes = readResource(groupType, body)
    const members = { removesAll: true, added: new Set(readMembers(membersIn(body))), removed: new Set<string>() }
    const row = await changeScimGroup(deps, call.entered, call.id, call.tags('if-match'), () => ({
      attributes,
      members,
    }))
    return answerWith(deps, call, row, 200)
  },

  async patch(deps, call) {
    const { ofMembers, others } = splitChanges(readPatch(groupType, expectBody(call)))
    const members = memberChanges(ofMembers)
    const row = await changeScimGroup(deps, call.entered, call.id, call.tags('if-match'), (before) => ({
      attributes: applyChanges(groupType, before, others),
      members,
    }))
    return answerWith(deps, call, row, 200)
  },

  async remove(deps, call) {
    await deleteScimGroup(deps, call.entered, call.id, call.tags('if-match'))
    return { status: 204, resourceId: call.id }
  },
}
