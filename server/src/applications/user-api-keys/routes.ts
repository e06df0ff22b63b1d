import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import type { Frontend } from '../../flows/frontend/frontend-steps.ts'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { whenReady } from '../../platform/maybe-promise.ts'
import { checkKey, findKeyChecks } from './check-key.ts'
import { authorizeKey } from './gateway.ts'
import { reportKey } from './leaked-keys.ts'
import { createKeyFor, findEntry, listKeysOfOrganization, listKeysOfUser } from './managed-keys.ts'
import * as own from './own-keys.ts'
import { deleteKey } from './user-api-keys.ts'

export function userApiKeyRoutes({ handle }: Management, deps: Deps) {
  const checks = findKeyChecks(deps)
  handle(endpoints.createUserApiKey, ({ tenantId, body, actor }) => createKeyFor(deps, tenantId, body, actor))
  handle(endpoints.listUserApiKeys, ({ tenantId, params }) => listKeysOfUser(deps, tenantId, params.id))
  handle(endpoints.listOrganizationApiKeys, ({ tenantId, params }) => listKeysOfOrganization(deps, tenantId, params.id))
  handle(endpoints.deleteUserApiKey, async ({ tenantId, params, actor }) =>
    deleteKey(deps, await findEntry(deps, tenantId), { id: params.id, mayTouch: () => true }, actor),
  )
  handle(endpoints.verifyUserApiKey, ({ tenantId, body }) =>
    whenReady(findEntry(deps, tenantId), (tenant) => checkKey(checks, tenant, body)),
  )
  handle(endpoints.authorizeUserApiKey, ({ tenantId, query, request, reply }) =>
    whenReady(findEntry(deps, tenantId), (tenant) =>
      authorizeKey(checks, tenant, { ...query, key: request.headers['x-api-key'] }, reply),
    ),
  )
  handle(endpoints.reportUserApiKey, async ({ tenantId, body, actor }) =>
    reportKey(deps, await findEntry(deps, tenantId), body, actor),
  )
}

export function ownApiKeyRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.listOwnApiKeys, (call) => own.listOwnKeys(deps, call, call.query))
  handle(frontendEndpoints.createOwnApiKey, async (call) => ({ apiKey: await own.createOwnKey(deps, call, call.body) }))
  handle(frontendEndpoints.rotateOwnApiKey, async (call) => ({
    apiKey: await own.rotateOwnKey(deps, call, call.params.id, call.body.expiresAt),
  }))
  handle(frontendEndpoints.deleteOwnApiKey, async (call) => ({
    apiKey: await own.deleteOwnKey(deps, call, call.params.id),
  }))
  handle(frontendEndpoints.listOwnOrganizationApiKeys, (call) =>
    own.listOrganizationKeys(deps, call, call.params.id, call.query),
  )
  handle(frontendEndpoints.createOwnOrganizationApiKey, async (call) => ({
    apiKey: await own.createOrganizationKey(deps, call, call.params.id, call.body),
  }))
  handle(frontendEndpoints.rotateOwnOrganizationApiKey, async (call) => ({
    apiKey: await own.rotateOrganizationKey(deps, call, call.params, call.body.expiresAt),
  }))
  handle(frontendEndpoints.deleteOwnOrganizationApiKey, async (call) => ({
    apiKey: await own.deleteOrganizationKey(deps, call, call.params),
  }))
}
