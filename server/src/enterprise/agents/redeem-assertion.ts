// Identity assertions for agents (draft-ietf-oauth-identity-assertion-authz-grant, ID-JAG): the provider of an organization says that a client
// may act for one of its users at a resource. Each is redeemed once, and admits only whom a sign-in with the connection would admit.
import { actingObstacle } from '../../identity/organizations/acting-for.ts'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { type Timestamp, fromMs } from '../../platform/clock.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { DiscoveryError } from '../../tenancy/custom-providers/discovery.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { AttributesMissing, admit } from '../connections/admit.ts'
import { type AssertedPerson, assertedPerson } from '../connections/asserted-person.ts'
import { type ConnectionRow, findAssertingConnections, findConnectionIdentity } from '../connections/find-connection.ts'
import { oidcSettings } from '../connections/present.ts'
import type { Deps } from '../deps.ts'
import { useAssertion } from '../saml/seen-assertions.ts'
import { readConnectionJwt } from '../universal-logout/connection-jwt.ts'

export const idJagType = 'oauth-id-jag+jwt'
/** How old an assertion may be, and for how long valid: it is redeemed at once. */
const assertionSecondsMax = 10 * 60
const jtiLengthMax = 512
const requiredClaims = ['jti', 'iss', 'sub', 'client_id', 'resource']

export interface Redeemed {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  readonly connectionId: string
  readonly resource: string
  /** Those of the assertion that the connection allows; undefined if neither limits them. */
  readonly scopes: readonly string[] | undefined
  /** In seconds. */
  readonly ttl: number
}

/** Why an assertion is refused: for the log and the description of the error, never for a decision. */
export class AssertionRefused extends Error {}

interface Redeeming {
  readonly assertion: string
  /** The client that has authenticated itself. */
  readonly clientId: string
  /** All that this tenant's authorization server is called. */
  readonly issuers: readonly string[]
  readonly actor: Actor
}

/** What an assertion says of itself, of which nothing is believed yet. */
async function peek(assertion: string): Promise<{ readonly iss: string; readonly sub: string }> {
  const { decodeJwt } = await import('jose')
  try {
    const { iss, sub } = decodeJwt(assertion)
    if (typeof iss === 'string' && typeof sub === 'string') return { iss, sub }
  } catch {
    throw new AssertionRefused('the assertion is not a JWT')
  }
  throw new AssertionRefused('the assertion names no issuer or no user')
}

/**
 * Returns the connection whose provider has issued the assertion. The same subject of two issuers is two people, and an issuer that serves
 * several organizations must have signed the person in before, so that it is clear for which one it speaks.
 */
async function connectionFor(deps: Deps, { row }: TenantEntry, iss: string, sub: string): Promise<ConnectionRow> {
  const connections = await findAssertingConnections(deps.db, row.id, iss)
  const [only, ...others] = connections
  if (only === undefined) throw new AssertionRefused('no live connection takes assertions of this issuer')
  if (others.length === 0) return only
  const identities = await Promise.all(connections.map(({ id }) => findConnectionIdentity(deps.db, row.id, id, sub)))
  const known = connections.filter((_, index) => identities[index] !== undefined)
  const [one, ...more] = known
  if (one === undefined || more.length > 0)
    throw new AssertionRefused('several organizations use this issuer, and the user has signed in with none or several')
  return one
}

interface Verified {
  readonly person: AssertedPerson
  readonly jti: string
  readonly resource: string
  readonly scopes: readonly string[] | undefined
  readonly expiresAtMs: number
  readonly provenAtMs: number
}

async function verify(deps: Deps, connection: ConnectionRow, redeeming: Redeeming): Promise<Verified> {
  const { assertion, clientId, issuers } = redeeming
  const expected = { typ: idJagType, audience: issuers, requiredClaims, secondsMax: assertionSecondsMax } as const
  const payload = await readConnectionJwt(deps, connection, assertion, { ...expected, subject: 'user' })
  if (payload === undefined) throw new AssertionRefused('the assertion is not valid')
  const { aud, jti, client_id: client, resource, scope, exp = 0, iat = 0, auth_time: authTime } = payload
  // One for several servers could be redeemed at each of them (RFC 7523 section 3, draft section 4.4.1).
  if (Array.isArray(aud) && aud.length !== 1) throw new AssertionRefused('the assertion must be for one audience')
  if (client !== clientId) throw new AssertionRefused('the assertion is for another client')
  if (typeof jti !== 'string' || jti === '' || jti.length > jtiLengthMax)
    throw new AssertionRefused('the assertion has no usable jti')
  if (typeof resource !== 'string') throw new AssertionRefused('the assertion must be for one resource')
  const { claims: names } = oidcSettings(connection)
  const person = assertedPerson({
    subject: payload.sub,
    email: payload[names.email],
    isEmailUnverified: payload['email_verified'] === false,
    name: payload[names.name],
    givenName: payload[names.givenName],
    familyName: payload[names.familyName],
    claims: payload,
  })
  if (person === undefined) throw new AssertionRefused('the assertion names no usable user')
  const said = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : undefined
  const allowed = fromJson(connection.id_jag_scopes)
  const scopes = allowed.length === 0 ? said : (said ?? allowed).filter((each) => allowed.includes(each))
  const provenAtMs = (typeof authTime === 'number' ? authTime : iat) * 1000
  return { person, jti, resource, scopes, expiresAtMs: exp * 1000, provenAtMs }
}

/** An organization's rules hold for agents: its provider has signed the user in, and answers for a second factor if it is left to it. */
async function assertMayAct(
  deps: Deps,
  tenant: TenantEntry,
  redeemed: Redeemed,
  connection: ConnectionRow,
  at: Timestamp,
) {
  const { userId, organizationId } = redeemed
  const membership = await findMembershipOf(deps, tenant.row.id, organizationId, userId)
  if (membership === undefined) throw new AssertionRefused('the user is not a member of the organization')
  const session = {
    created_at: at,
    auth_time: at,
    second_factor_at: connection.second_factor === 'skip' ? at : null,
    factors: toJson(['enterprise' as const]),
    actor_type: null,
  }
  const obstacle = actingObstacle(session, tenant.auth, membership, deps.clock.nowMs())
  if (obstacle !== undefined) throw new AssertionRefused(obstacle.message)
}

/** An agent cannot be asked for what the tenant wants to know of new users. */
function refuseNewcomer(error: unknown): never {
  if (!(error instanceof AttributesMissing)) throw error
  throw new AssertionRefused(
    'the user is new, and must sign in first, because this tenant asks new users for attributes',
  )
}

/**
 * Redeems an assertion: admits its user as a sign-in with the connection would, and spends it.
 * @throws AssertionRefused
 */
export async function redeemAssertion(deps: Deps, tenant: TenantEntry, redeeming: Redeeming): Promise<Redeemed> {
  if (!tenant.auth.organizationsEnabled) throw new AssertionRefused('this tenant has no organizations')
  const { iss, sub } = await peek(redeeming.assertion)
  const connection = await connectionFor(deps, tenant, iss, sub)
  const verified = await verify(deps, connection, redeeming).catch((error: unknown) => {
    if (!(error instanceof DiscoveryError)) throw error
    throw new AssertionRefused('the keys of the provider cannot be read')
  })
  const { person, jti, resource, scopes, expiresAtMs, provenAtMs } = verified
  const admission = await deps.db
    .transaction(async (tx) => {
      // The tolerance of clocks is part of the time in which it could be sent again.
      const use = { id: `id-jag ${jti}`, repeatableUntil: expiresAtMs + 2 * 60_000 }
      if (!(await useAssertion(tx, connection, use))) return undefined
      const actorOf = (userId: UserId | null): Actor =>
        userId === null ? redeeming.actor : { ...redeeming.actor, type: 'user', id: userId }
      const asked = { attributes: tenant.attributes, values: {} }
      const admitted = await admit(deps, tx, connection, person, actorOf, asked)
      if ('statements' in admitted) await tx.runAll(admitted.statements)
      return admitted
    })
    .catch(refuseNewcomer)
  if (admission === undefined) throw new AssertionRefused('the assertion has been used before')
  if ('refusal' in admission) throw new AssertionRefused(`the user is refused: ${admission.refusal}`)
  const redeemed: Redeemed = {
    userId: admission.userId,
    organizationId: connection.organization_id,
    connectionId: connection.id,
    resource,
    scopes,
    ttl: connection.id_jag_ttl,
  }
  await assertMayAct(deps, tenant, redeemed, connection, fromMs(provenAtMs))
  return redeemed
}
