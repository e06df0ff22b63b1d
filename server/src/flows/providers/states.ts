// The states of redirects to a provider and back: each is bound to its tenant, browser, attempt and provider, lasts ten minutes and can be
// used once.
import { type AnyProviderKey, type SamlRefusalReason, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken, newTokenOfTenant, tenantInToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Challenge } from './provider-client.ts'
import type { Identity, VerifiedPerson } from './provider.ts'
import { type StatePurpose, oauthStates } from './tables.ts'

const stateMs = 10 * 60_000
/** The time from the provider's answer until the app sends the ticket. */
const ticketMs = 2 * 60_000
/** The time in which a new user gives what the tenant asks for. */
export const askingMs = 30 * 60_000

export interface NewState {
  readonly tenantId: TenantId
  readonly purpose: StatePurpose
  /** The id of the attempt, or of the session for a connection. */
  readonly flowId: string
  /** The hash of the token that the browser holds. */
  readonly flowHash: string
  readonly userId: UserId | null
  /** The provider, or the connection of an organization. */
  readonly providerId: string
  readonly providerKey: AnyProviderKey | 'enterprise'
  readonly transport: 'cookie' | 'body'
  /** The tenant's own domain if the browser holds its token there; null if it does on the deployment's address. */
  readonly ownHost: string | null
  readonly callbackUri: string
  readonly returnUri: string
  /** The scopes that are requested for access that the tenant keeps. */
  readonly accessScopes?: readonly string[] | undefined
}

export type StateRow = RowOf<typeof oauthStates>

/** SAML allows 80 characters for the state; this has 78. */
export const newState = (tenantId: TenantId) => newTokenOfTenant(tokenPrefixes.providerState, tenantId)

/** Returns the statements that replace older states of the same flow: only the newest exists. */
export function stateStatements({ clock, sealer }: Deps, input: NewState, challenge: Challenge): readonly Statement[] {
  const at = clock.now()
  const place = { tenant_id: input.tenantId, state_hash: hashToken(challenge.state) }
  const { verifier, nonce } = challenge
  return [
    sql`DELETE FROM oauth_states WHERE tenant_id = ${input.tenantId} AND flow_id = ${input.flowId}`,
    oauthStates.insert({
      ...place,
      stage: 'open',
      purpose: input.purpose,
      flow_id: input.flowId,
      flow_hash: input.flowHash,
      user_id: input.userId,
      provider_id: input.providerId,
      provider_key: input.providerKey,
      transport: input.transport,
      own_host: input.ownHost,
      callback_uri: input.callbackUri,
      return_uri: input.returnUri,
      access_scopes: input.accessScopes === undefined ? null : toJson(input.accessScopes),
      sealed_secrets: sealer.seal(JSON.stringify({ verifier, nonce }), oauthStates.place('sealed_secrets', place)),
      expires_at: addMilliseconds(at, stateMs),
      created_at: at,
    }),
  ]
}

/** Finds a state of any tenant: the state says which, unless a version that did not say so has made it. */
export const selectOpenState = (db: Reader, state: string, at: Timestamp) => {
  const tenantId = tenantInToken(state)
  const ofTenant = tenantId === undefined ? sql`` : sql`AND tenant_id = ${tenantId}`
  return oauthStates.first(db)`state_hash = ${hashToken(state)} AND stage = 'open' AND expires_at > ${at} ${ofTenant}`
}

/**
 * Returns whether this request may use the state: of fifty simultaneous ones, one may. What follows waits for the disk. If the power fails
 * before, the browser may bring the state once more, with a code that its provider has redeemed or a response that has been kept.
 */
export async function takeState({ db }: Deps, { tenant_id: tenantId, state_hash: hash }: StateRow): Promise<boolean> {
  const taking = sql`UPDATE oauth_states SET stage = 'used'
    WHERE tenant_id = ${tenantId} AND state_hash = ${hash} AND stage = 'open'`
  return (await db.write(() => [taking], { isProvisional: true })) === 1
}

export function challengeOf({ sealer }: Deps, row: StateRow, state: string): Challenge {
  const secrets = JSON.parse(sealer.open(row.sealed_secrets, oauthStates.place('sealed_secrets', row))) as Omit<
    Challenge,
    'state'
  >
  return { ...secrets, state, callbackUri: row.callback_uri }
}

/** Keeps the identity for the app that began the flow: a ticket, used once by the holder of the flow's token. */
export async function issueTicket(
  { db, clock, sealer }: Deps,
  row: StateRow,
  identity: Identity | VerifiedPerson,
  validMs = ticketMs,
): Promise<string> {
  const ticket = newToken(tokenPrefixes.providerTicket)
  const sealed = sealer.seal(JSON.stringify(identity), oauthStates.place('sealed_identity', row))
  await db.write(() => [
    sql`UPDATE oauth_states SET stage = 'ticket', ticket_hash = ${hashToken(ticket)}, sealed_identity = ${sealed},
        expires_at = ${addMilliseconds(clock.now(), validMs)}
      WHERE tenant_id = ${row.tenant_id} AND state_hash = ${row.state_hash} AND stage = 'used'`,
  ])
  return ticket
}

export interface TicketPlace {
  readonly tenantId: TenantId
  readonly purpose: StateRow['purpose']
  readonly flowId: string
  readonly flowHash: string | undefined
}

/** Returns the state of a ticket; undefined if it does not belong to this flow, or has expired. */
export function findTicket({ db, clock }: Deps, { tenantId, purpose, flowId, flowHash }: TicketPlace, ticket: string) {
  return oauthStates.first(db)`tenant_id = ${tenantId} AND flow_id = ${flowId} AND purpose = ${purpose}
    AND flow_hash = ${flowHash ?? ''}
    AND stage = 'ticket' AND ticket_hash = ${hashToken(ticket)} AND expires_at > ${clock.now()}`
}

export function identityOf({ sealer }: Deps, row: StateRow): Identity | undefined {
  if (row.sealed_identity === null) return undefined
  return JSON.parse(sealer.open(row.sealed_identity, oauthStates.place('sealed_identity', row))) as Identity
}

/** Returns the person whom the connection of an organization has identified. */
export function openPerson({ sealer }: Deps, row: StateRow): VerifiedPerson | undefined {
  if (row.sealed_identity === null) return undefined
  return JSON.parse(sealer.open(row.sealed_identity, oauthStates.place('sealed_identity', row))) as VerifiedPerson
}

/** Uses the ticket up, in the transaction of what it allows; returns whether it still existed. */
export const useTicket = async (tx: Transaction, row: StateRow): Promise<boolean> =>
  (await tx.run(sql`DELETE FROM oauth_states
    WHERE tenant_id = ${row.tenant_id} AND state_hash = ${row.state_hash} AND stage = 'ticket'`)) === 1

/**
 * Keeps a person who has come back in a browser and is asked for more there, for the attempt of that browser.
 * @throws ApiError oauth_state_invalid if the state has been used otherwise.
 */
export async function keepPerson(
  { db, clock, sealer }: Deps,
  row: StateRow,
  person: VerifiedPerson,
  { flowId, flowHash }: { readonly flowId: string; readonly flowHash: string },
): Promise<void> {
  const sealed = sealer.seal(JSON.stringify(person), oauthStates.place('sealed_identity', row))
  // Whoever comes unasked has used nothing up yet.
  const stage = row.purpose === 'enterprise_arrival' ? 'open' : 'used'
  const kept = await db.write(() => [
    sql`UPDATE oauth_states SET stage = 'ticket', purpose = 'enterprise', flow_id = ${flowId}, flow_hash = ${flowHash},
        sealed_identity = ${sealed}, expires_at = ${addMilliseconds(clock.now(), askingMs)}
      WHERE tenant_id = ${row.tenant_id} AND state_hash = ${row.state_hash} AND stage = ${stage}`,
  ])
  if (kept === 0) throw new ApiError('oauth_state_invalid')
}

/** Finds the state of a person who is asked for more in this browser. Without a cookie only the ticket shows who came back. */
export const findKeptPerson = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { tenantId, flowId, flowHash }: Pick<TicketPlace, 'tenantId' | 'flowId' | 'flowHash'>,
) => oauthStates.first(db)`tenant_id = ${tenantId} AND flow_id = ${flowId} AND purpose = 'enterprise'
    AND flow_hash = ${flowHash ?? ''} AND transport = 'cookie'
    AND stage = 'ticket' AND expires_at > ${clock.now()}`

/** What became of the response that a SAML provider had the browser post: it waits for the browser to continue. */
export type SamlOutcome = VerifiedPerson | { readonly reason: SamlRefusalReason; readonly message: string }

/** Uses the state of a sign-in that began at the provider, in the transaction of what it allows; returns whether it was still open. */
export const useArrival = async (tx: Transaction, row: StateRow): Promise<boolean> =>
  (await tx.run(sql`DELETE FROM oauth_states WHERE tenant_id = ${row.tenant_id} AND state_hash = ${row.state_hash}
    AND stage = 'open' AND purpose = 'enterprise_arrival'`)) === 1

/** Returns the statement that keeps the first outcome of an open state; it changes nothing if there is one already, or the state is no longer open. */
export const updateOutcome = (
  { sealer }: Deps,
  row: StateRow,
  outcome: SamlOutcome,
): Statement => sql`UPDATE oauth_states
    SET sealed_identity = ${sealer.seal(JSON.stringify(outcome), oauthStates.place('sealed_identity', row))}
    WHERE tenant_id = ${row.tenant_id} AND state_hash = ${row.state_hash} AND stage = 'open' AND sealed_identity IS NULL`

export function readOutcome({ sealer }: Deps, row: StateRow): SamlOutcome | undefined {
  if (row.sealed_identity === null) return undefined
  return JSON.parse(sealer.open(row.sealed_identity, oauthStates.place('sealed_identity', row))) as SamlOutcome
}
