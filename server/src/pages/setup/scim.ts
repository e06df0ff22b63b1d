// Provisioning by the organization's directory: its tokens, and what it has last changed.
import type { Connection } from '@bailiwick/contract'
import { setupScimPage, setupScimWaitingPage } from '@bailiwick/pages'
import { provenDomains } from '../../enterprise/connections/find-connection.ts'
import { listScimLog } from '../../enterprise/scim/log.ts'
import { baseUri } from '../../enterprise/scim/place.ts'
import { createScimToken, deleteScimToken, listScimTokens } from '../../enterprise/scim/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { type Setup, inSection } from './area.ts'
import { currentConnection, goTo, findProvider } from './current-connection.ts'

/** Two tokens work at the same time. */
const tokensMax = 2
const requestsShown = '10'

interface Result {
  readonly newToken?: string
  readonly error?: string
}

async function showScim(page: PageCall, setup: Setup, connection: Connection, { newToken, error }: Result = {}) {
  const { deps, text } = page
  const { tenantId, organizationId } = setup
  const domains = await provenDomains(deps.db, tenantId, organizationId)
  const tokens = await listScimTokens(deps, tenantId, connection.id)
  const { data } = await listScimLog(deps, tenantId, connection.id, { perPage: requestsShown })
  const view = {
    ...setup.view,
    connectionId: connection.id,
    provider: findProvider(page, connection),
    baseUri: baseUri(deps.config, { tenant_id: tenantId, id: connection.id as Parameters<typeof baseUri>[1]['id'] }),
    tokens: tokens.map(({ id, last4, lastUsedAt }) => ({ id, last4, lastUsedAt })),
    requests: data.map(({ createdAt, method, resource, status, reason }) => ({
      at: createdAt,
      method,
      resource,
      status,
      reason,
    })),
    now: deps.clock.now(),
    newToken,
    needsDomain: domains.length === 0,
    canCreate: tokens.length < tokensMax,
    done: page.query('done') === 'revoked' ? text('setup.scimRevoked') : undefined,
    ...(error === undefined ? {} : { errors: { form: error } }),
  }
  return page.show(setupScimPage(page.frame(), view), error === undefined ? 200 : 422)
}

/** GET …/scim?id&provider&done */
export const openScim = inSection('scim', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return page.show(setupScimWaitingPage(page.frame(), setup.view))
  return showScim(page, setup, connection)
})

async function create(page: PageCall, setup: Setup, connection: Connection) {
  try {
    const name = setup.link === undefined ? 'Security page' : 'Set-up link'
    const { token } = await createScimToken(page.deps, setup.tenantId, connection.id, { name }, setup.caller)
    return await showScim(page, setup, connection, { newToken: token })
  } catch (error) {
    if (apiErrorOf(error).code !== 'scim_token_limit_reached') throw error
    return showScim(page, setup, connection, { error: page.text('setup.scimFull') })
  }
}

/** POST …/scim with an action. */
export const changeScim = inSection('scim', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return goTo(page, setup, 'scim', {})
  if (page.field('action') === 'create') return create(page, setup, connection)
  try {
    await deleteScimToken(page.deps, setup.tenantId, connection.id, page.field('tokenId') ?? '', setup.caller)
  } catch (error) {
    // It was revoked in another window already.
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
  return goTo(page, setup, 'scim', { id: connection.id, done: 'revoked' })
})
