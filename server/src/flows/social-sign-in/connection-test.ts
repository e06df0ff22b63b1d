// The test of a connection: an administrator signs in at its provider, in any browser. It ends in a report and signs nobody in.
import type { BegunConnectionTest } from '@bailiwick/contract'
import { type ConnectionRow, findConnection } from '../../enterprise/connections/find-connection.ts'
import { beginTest, recordTest } from '../../enterprise/connections/tests.ts'
import type { Deps } from '../../identity/deps.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { hostedRoot } from '../../tenancy/tenants/hosted-pages.ts'
import { leaveForConnection, personFromConnection } from '../providers/connection-client.ts'
import type { VerifiedPerson } from '../providers/provider.ts'
import { type StateRow, challengeOf, readOutcome, takeState } from '../providers/states.ts'

/** The tests of a connection, of which only the newest exists. */
const testFlow = (id: string) => `test:${id}`

/** Anybody may sign in for a test: it makes nothing. */
const actor = { type: 'system', id: null, ip: null, ua: null } as const

/**
 * @param returnUri the page to which the browser returns; the tenant's page `/return` by default.
 * @throws ApiError not_found
 */
export async function beginConnectionTest(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  returnUri?: string,
): Promise<BegunConnectionTest> {
  const connection = await findConnection(deps.db, tenantId, id)
  const tenant = await deps.tenants.byId(tenantId)
  if (connection === undefined || tenant === undefined) throw notFound()
  const expiresAt = await deps.db.transaction((tx) => beginTest(deps, tx, connection))
  try {
    const place = { tenantId, transport: 'body', ownHost: null } as const
    const { authorizeUri, statements } = await leaveForConnection(deps, place, connection, {
      purpose: 'enterprise_test',
      flowId: testFlow(id),
      flowHash: '',
      userId: null,
      returnUri: returnUri ?? `${hostedRoot(deps.config, tenant)}/return`,
      loginHint: undefined,
    })
    await deps.db.write(() => statements)
    return { authorizeUri, expiresAt }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await recordTest(deps, connection, { problem: describeProblem(error) }, actor)
    return { authorizeUri: null, expiresAt }
  }
}

/** The administrator learns what the library has found wrong; it quotes nothing secret. */
function describeProblem({ cause, message }: ApiError): string {
  const problem = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : message
  return problem.slice(0, 500)
}

/** Returns the person whom a SAML response has identified before the browser came here. */
export function personOfResponse(deps: Deps, row: StateRow): VerifiedPerson {
  const outcome = readOutcome(deps, row)
  if (outcome !== undefined && 'person' in outcome) return outcome
  const cause = outcome === undefined ? 'no response was posted' : `${outcome.reason}: ${outcome.message}`
  throw new ApiError('provider_refused', { cause: new Error(cause) })
}

function testedPerson(deps: Deps, connection: ConnectionRow, row: StateRow, parameters: URLSearchParams) {
  if (connection.type === 'saml') return personOfResponse(deps, row).person
  const challenge = challengeOf(deps, row, parameters.get('state') ?? '')
  return personFromConnection(deps, connection, parameters, challenge)
}

/**
 * Stores the report, and returns the page that says so.
 * @throws ApiError oauth_state_invalid if the state was used before.
 */
export async function finishConnectionTest(deps: Deps, row: StateRow, parameters: URLSearchParams): Promise<string> {
  const connection = await findConnection(deps.db, row.tenant_id, row.provider_id)
  if (connection === undefined || !(await takeState(deps, row))) throw new ApiError('oauth_state_invalid')
  const page = new URL(row.return_uri)
  page.searchParams.set('purpose', 'connection_test')
  page.searchParams.set('connection', row.provider_id)
  try {
    if (parameters.has('error')) throw new ApiError('provider_refused', { cause: parameters.get('error') })
    const person = await testedPerson(deps, connection, row, parameters)
    await recordTest(deps, connection, { person }, actor)
  } catch (thrown) {
    const error = apiErrorOf(thrown)
    if (error.code === 'internal_error') throw thrown
    deps.log.warn(
      { err: error.cause ?? error, tenantId: row.tenant_id },
      `the test of a connection failed: ${error.code}`,
    )
    await recordTest(deps, connection, { problem: describeProblem(error) }, actor)
    page.searchParams.set('error', error.code)
  }
  return page.href
}
