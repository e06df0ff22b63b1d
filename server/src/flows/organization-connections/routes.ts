// The connections of an organization in the frontend interface, so that apps can embed what the set-up pages do for members.
import { frontendEndpoints } from '@bailiwick/contract'
import { checkConnection, previewConnection } from '../../enterprise/connections/check.ts'
import * as connections from '../../enterprise/connections/connections.ts'
import { getTest } from '../../enterprise/connections/tests.ts'
import { listScimLog } from '../../enterprise/scim/log.ts'
import { baseUri } from '../../enterprise/scim/place.ts'
import {
  getGroupRules,
  listScimGroups,
  previewGroupRules,
  updateGroupRules,
} from '../../enterprise/scim/rules/group-rules.ts'
import { createScimToken, deleteScimToken, listScimTokens } from '../../enterprise/scim/tokens.ts'
import { listAnswer, pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { beginConnectionTest } from '../social-sign-in/connection-test.ts'
import { type ConnectionPlace, assertConnection, assertMayMap, assertMayRule, openChange, openPlace } from './place.ts'

type ConnectionCall = AnyCall & { readonly params: { readonly id: string; readonly connectionId: string } }

export function organizationConnectionRoutes(frontend: Frontend) {
  const { deps, handle } = frontend
  handle(frontendEndpoints.listOwnOrganizationConnections, async (call) => {
    const { tenantId, organizationId } = await openPlace(deps, call, call.params.id)
    const items = await connections.listConnections(deps, tenantId, organizationId)
    return pageOfWhole('connections', { items, order: 'newest first' }, call.query)
  })
  handle(frontendEndpoints.createOwnOrganizationConnection, async (call) => {
    const place = await openChange(deps, call, call.params.id)
    const { tenantId, organizationId, caller } = place
    const input = { ...call.body, organizationId }
    return { connection: await connections.createConnection(deps, tenantId, input, caller, memberLimits(place)) }
  })
  handle(frontendEndpoints.updateOwnOrganizationConnection, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    const { tenantId, caller } = place
    return {
      connection: await connections.updateConnection(deps, tenantId, id, call.body, caller, memberLimits(place)),
    }
  })
  handle(frontendEndpoints.deleteOwnOrganizationConnection, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    return { connection: await connections.deleteConnection(deps, place.tenantId, id, place.caller) }
  })
  handle(frontendEndpoints.checkOwnOrganizationConnection, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    return { check: await checkConnection(deps, place.tenantId, id) }
  })
  handle(frontendEndpoints.testOwnOrganizationConnection, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    return { test: await beginConnectionTest(deps, place.tenantId, id) }
  })
  handle(frontendEndpoints.getOwnOrganizationConnectionTest, async (call) => {
    const { place, id } = await readOne(frontend, call)
    return { test: await getTest(deps, place.tenantId, id) }
  })
  handle(frontendEndpoints.previewOwnOrganizationConnection, async (call) => {
    const { place, id } = await readOne(frontend, call)
    return { preview: await previewConnection(deps, place.tenantId, id) }
  })
  provisioningRoutes(frontend)
}

function provisioningRoutes(frontend: Frontend) {
  const { deps, handle } = frontend
  handle(frontendEndpoints.getOwnOrganizationProvisioning, async (call) => {
    const { place, id, row } = await readOne(frontend, call)
    const tokens = await listScimTokens(deps, place.tenantId, id)
    const { rules } = await getGroupRules(deps, place.tenantId, id)
    return { scim: { baseUri: baseUri(deps.config, row), tokens, rules } }
  })
  handle(frontendEndpoints.createOwnOrganizationScimToken, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    return { token: await createScimToken(deps, place.tenantId, id, call.body, place.caller) }
  })
  handle(frontendEndpoints.deleteOwnOrganizationScimToken, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    return { token: await deleteScimToken(deps, place.tenantId, id, call.params.tokenId, place.caller) }
  })
  handle(frontendEndpoints.listOwnOrganizationScimGroups, async (call) => {
    const { place, id } = await readOne(frontend, call)
    return listAnswer('groups', await listScimGroups(deps, place.tenantId, id, call.query))
  })
  handle(frontendEndpoints.updateOwnOrganizationGroupRules, async (call) => {
    const { place, id } = await changeOne(frontend, call)
    return updateGroupRules(deps, place.tenantId, id, call.body, place.caller, keepRules(place))
  })
  handle(frontendEndpoints.previewOwnOrganizationGroupRules, async (call) => {
    const { place, id } = await readOne(frontend, call)
    const { tenantId, caller } = place
    return { preview: await previewGroupRules(deps, tenantId, id, call.body, caller.actor, keepRules(place)) }
  })
  handle(frontendEndpoints.listOwnOrganizationScimLog, async (call) => {
    const { place, id } = await readOne(frontend, call)
    return listAnswer('entries', await listScimLog(deps, place.tenantId, id, call.query))
  })
}

const keepRules =
  (place: ConnectionPlace): connections.AssertRules =>
  (db, before, after) =>
    assertMayRule(db, place, before, after)

const memberLimits = (place: ConnectionPlace): connections.ConnectionLimits => ({
  assertRules: keepRules(place),
  assertMappings: (tx, before, after) => assertMayMap(tx, place.tenantId, before, after),
})

async function readOne({ deps }: Frontend, call: ConnectionCall) {
  const place = await openPlace(deps, call, call.params.id)
  const row = await assertConnection(deps, place, call.params.connectionId)
  return { place, row, id: row.id }
}

async function changeOne({ deps }: Frontend, call: ConnectionCall) {
  const place = await openChange(deps, call, call.params.id)
  const { id } = await assertConnection(deps, place, call.params.connectionId)
  return { place, id }
}
