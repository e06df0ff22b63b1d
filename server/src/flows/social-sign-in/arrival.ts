// Sign-ins that begin at the SAML provider of an organization, of which nobody here knows: only for connections that switch them on. Any site can
// make a browser post somebody's response, so nobody is signed in by it: the browser is asked on a page of the tenant, which names the account.
import { AttributesMissing, refusalStatement } from '../../enterprise/connections/admit.ts'
import { type ConnectionRow, findConnection } from '../../enterprise/connections/find-connection.ts'
import { samlSettings } from '../../enterprise/connections/saml-settings.ts'
import { useAssertion } from '../../enterprise/saml/seen-assertions.ts'
import { attemptStatements, newAttemptRow } from '../../identity/attempts/new-sign-in.ts'
import type { Deps } from '../../identity/deps.ts'
import { writeReturning } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { newId } from '../../platform/ids.ts'
import { hostedRoot } from '../../tenancy/tenants/hosted-pages.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { VerifiedPerson } from '../providers/provider.ts'
import { readSamlAnswer, verifiedBySaml } from '../providers/saml-client.ts'
import {
  type StateRow,
  keepPerson,
  newState,
  readOutcome,
  selectOpenState,
  stateStatements,
  updateOutcome,
  useArrival,
} from '../providers/states.ts'
import { enterpriseProof } from '../sign-in/enterprise-proof.ts'
import { enterpriseStrategy } from '../sign-in/strategies/enterprise.ts'
import { redeemAnswer } from './finish.ts'

/** The page that asks, below the root of the tenant's pages. */
export const arrivalPath = '/sign-in/arrival'

interface Place {
  readonly tenantId: string
  readonly connectionId: string
}

/** Reasons that a response can only be refused for once its signature has been verified: anybody could cause the others without end. */
const ofProvider: ReadonlySet<string> = new Set([
  'wrong_audience',
  'wrong_recipient',
  'wrong_destination',
  'wrong_issuer',
  'wrong_request',
  'expired',
  'not_yet_valid',
  'no_name_id',
  'too_many_attributes',
  'repeated',
])

async function placed({ db, tenants }: Deps, { tenantId, connectionId }: Place) {
  const tenant = await tenants.byId(tenantId)
  const connection = tenant?.row.id === tenantId ? await findConnection(db, tenant.row.id, connectionId) : undefined
  const isAccepted = connection?.type === 'saml' && connection.state === 'live' && samlSettings(connection).idpInitiated
  return isAccepted && tenant !== undefined ? { tenant, connection } : undefined
}

async function refuse(
  deps: Deps,
  { tenant, connection }: { readonly tenant: TenantEntry; readonly connection: ConnectionRow },
  reason: Parameters<typeof refusalStatement>[2],
  actor: Actor,
) {
  if (ofProvider.has(reason))
    await deps.db.write(() => [refusalStatement(deps, connection, reason, { email: null, actor })])
  deps.log.warn({ tenantId: tenant.row.id, reason }, 'a response that nobody asked for was refused')
  return `${hostedRoot(deps.config, tenant)}/sign-in?error=provider_refused`
}

/**
 * Keeps who has come, for the browser to confirm; returns the page that asks.
 * @throws ApiError oauth_state_invalid unless the connection accepts such sign-ins.
 */
export async function acceptArrival(deps: Deps, place: Place, samlResponse: string, actor: Actor): Promise<string> {
  const found = await placed(deps, place)
  if (found === undefined) throw new ApiError('oauth_state_invalid')
  const { tenant, connection } = found
  const answer = await readSamlAnswer(deps, connection, samlResponse, null)
  if ('reason' in answer) return refuse(deps, found, answer.reason, actor)
  const state = newState(tenant.row.id)
  const page = `${hostedRoot(deps.config, tenant)}${arrivalPath}`
  const isFirst = await deps.db.transaction(async (tx) => {
    if (!(await useAssertion(tx, connection, answer.assertion))) return false
    const flow = { purpose: 'enterprise_arrival', flowId: newId(), flowHash: '', userId: null } as const
    const provider = { providerId: connection.id, providerKey: 'enterprise' } as const
    const way = { transport: 'cookie', ownHost: null, callbackUri: page, returnUri: page } as const
    const challenge = { state, verifier: '', nonce: '', callbackUri: page }
    await tx.runAll(stateStatements(deps, { tenantId: tenant.row.id, ...flow, ...provider, ...way }, challenge))
    const row = await selectOpenState(tx, state, deps.clock.now())
    return row !== undefined && (await tx.run(updateOutcome(deps, row, verifiedBySaml(connection, answer)))) === 1
  })
  return isFirst ? `${page}?state=${encodeURIComponent(state)}` : refuse(deps, found, 'repeated', actor)
}

export interface Arrival {
  readonly state: StateRow
  readonly verified: VerifiedPerson
  readonly connection: ConnectionRow
}

/** Returns who has come with a state; undefined if it was used, has expired, or is another tenant's. */
export async function findArrival(deps: Deps, tenant: TenantEntry, state: string): Promise<Arrival | undefined> {
  const row = await selectOpenState(deps.db, state, deps.clock.now())
  if (row?.purpose !== 'enterprise_arrival' || row.tenant_id !== tenant.row.id) return undefined
  const found = await placed(deps, { tenantId: row.tenant_id, connectionId: row.provider_id })
  const outcome = readOutcome(deps, row)
  if (found === undefined || outcome === undefined || !('person' in outcome)) return undefined
  return { state: row, verified: outcome, connection: found.connection }
}

/**
 * Signs in whoever has come, in the browser that has agreed; returns the attempt, which may ask for attributes or a second factor.
 * @throws ApiError connection_refused, factor_refused, sign_in_disabled
 */
export async function confirmArrival(deps: Deps, call: AnyCall, { state, verified, connection }: Arrival) {
  const { tenantId } = call
  const held = call.newHeld('flow')
  const attempt = await writeReturning(deps.db, (context) => {
    const input = { tenantId, userId: null, identifier: null, factors: ['enterprise'], redirectUri: null } as const
    const begun = { ...newAttemptRow(deps, input), oauth_provider_id: connection.id }
    const hash = { flowHash: held.hash }
    const { statements, row: returns } = attemptStatements(deps, context, begun, hash, call.actor(null))
    return { statements, returns }
  })
  call.give('flow', held.token)
  const proof = enterpriseProof(deps, call, attempt, verified, (tx) => useArrival(tx, state))
  try {
    if (await redeemAnswer(deps, call, attempt, { strategy: enterpriseStrategy(deps), proof })) return attempt
  } catch (error) {
    if (!(error instanceof AttributesMissing)) throw error
    await keepPerson(deps, state, verified, { flowId: attempt.id, flowHash: held.hash })
    return attempt
  }
  throw new ApiError(proof.isRefused() ? 'connection_refused' : 'factor_refused')
}
