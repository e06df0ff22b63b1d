// A user's passkeys and security keys: how they are added, named, removed, and used to sign in.
import type { CreatePasskey, Passkey, PasskeyOptionsInput } from '@bailiwick/contract'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { assertFresh } from '../sessions/fresh-session.ts'
import type { OwnCall } from '../sessions/own-call.ts'
import { rotateToken } from '../sessions/rotate-token.ts'
import { lockUser } from '../users/find-user.ts'
import { accountLabel } from '../users/present.ts'
import { getUser } from '../users/users.ts'
import { canSignInWithout } from './can-sign-in-without.ts'
import { challengeMs, issueChallenge, takeChallenge } from './challenges.ts'
import { parseAttestation } from './credential-json.ts'
import {
  type FactorOwner,
  type FactorSetup,
  assertMayAddFirst,
  assertMayRemoveLast,
  authenticatorEvent,
  lockFactorOwner,
  ownSetup,
  recordAdded,
  recordRemoved,
  replaceRecoveryCodes,
} from './factor-changes.ts'
import * as queries from './passkey-queries.ts'
import { presentPasskey, presentPasskeys } from './present.ts'
import { newRecoveryCodes, selectRecoveryCodes } from './recovery-codes.ts'
import { relyingPartyId } from './relying-party.ts'
import { type AssertedUse, algorithms, verifyAttestation } from './webauthn.ts'

type PasskeyRow = queries.PasskeyRow

export function assertSecurityKeysEnabled({ tenant }: Pick<OwnCall, 'tenant'>) {
  if (!tenant.auth.strategySecurityKeyEnabled) throw new ApiError('strategy_unavailable')
}

const ownerOf = ({ signedIn, tenantId }: OwnCall) => ({ tenantId, userId: signedIn.row.user_id })

/** The challenge is bound to the session or attempt, so whoever answers it has already passed what that had to prove. */
const registrationOf = ({ tenantId, place }: FactorSetup, isConditional: boolean) =>
  ({ tenantId, purpose: isConditional ? 'conditional_registration' : 'registration', subject: place }) as const

const changed = ({ id, name }: PasskeyRow) => ({ kind: 'security_key', id, name }) as const

const credentialsOf = (rows: readonly PasskeyRow[]) =>
  rows.map(({ credential_id: id, transports }) => ({
    id,
    type: 'public-key',
    transports: fromJson(transports),
  }))

/** Returns the passkeys with which a user can sign in at a relying party. */
export async function credentialsAt(db: Reader, tenantId: TenantId, userId: UserId, relyingParty: string) {
  const rows = await queries.selectPasskeys(db, tenantId, userId)
  return credentialsOf(rows.filter((row) => row.relying_party_id === relyingParty))
}

/** Returns the ids of a user's credentials at a relying party, and whether the user has as many passkeys as are allowed. */
export async function acceptedCredentials(db: Reader, tenantId: TenantId, userId: UserId, relyingParty: string) {
  const rows = await queries.selectPasskeys(db, tenantId, userId)
  const accepted = rows.filter((row) => row.relying_party_id === relyingParty)
  return { ids: accepted.map((row) => row.credential_id), isFull: rows.length >= queries.passkeysMax }
}

/** Finds the passkey that an assertion names. */
export const findPasskey = (db: Reader, tenantId: TenantId, credentialId: string) =>
  queries.selectPasskeyByCredential(db, tenantId, credentialId)

/** @throws ApiError strategy_unavailable, reauthentication_required, passkey_limit_reached */
export async function passkeyOptions(
  deps: Deps,
  call: OwnCall,
  { mediation }: PasskeyOptionsInput = {},
): Promise<unknown> {
  assertSecurityKeysEnabled(call)
  assertFresh(deps, call.signedIn)
  await assertMayAddFirst(deps, call)
  return creationOptions(deps, ownSetup(call), mediation !== undefined)
}

/**
 * Makes the challenge that a new passkey answers.
 * @param isConditional whether the browser may make it without asking the user, so that nobody need be there.
 * @returns the options for `navigator.credentials.create()`.
 * @throws ApiError strategy_unavailable, passkey_limit_reached
 */
export async function creationOptions(deps: Deps, setup: FactorSetup, isConditional = false): Promise<unknown> {
  assertSecurityKeysEnabled(setup)
  const { tenant, tenantId, userId } = setup
  const user = await getUser(deps, tenantId, userId)
  const rows = await queries.selectPasskeys(deps.db, tenantId, userId)
  if (rows.length >= queries.passkeysMax) throw new ApiError('passkey_limit_reached')
  const id = relyingPartyId(deps.config, tenant, setup.request)
  const challenge = await issueChallenge(deps, registrationOf(setup, isConditional), id, userId)
  const label = accountLabel(user)
  return {
    rp: { id, name: tenant.row.name },
    user: { id: userHandleOf(userId), name: label, displayName: user.row.name ?? label },
    challenge: Buffer.from(challenge).toString('base64url'),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    attestation: 'none',
    excludeCredentials: credentialsOf(rows),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
    extensions: { credProps: true },
  }
}

/** Returns the handle that an authenticator stores with a passkey, and sends back to name its user. */
export const userHandleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

/** A new passkey that has answered its challenge, before it is stored. */
export type AcceptedPasskey = Omit<PasskeyRow, 'name' | 'created_at' | 'updated_at'>

/**
 * Takes the challenge, and returns the passkey that answers it; undefined if the answer is wrong.
 * @param isConditional whether the challenge was made for a browser that does not ask the user.
 */
export async function acceptPasskey(
  deps: Deps,
  setup: FactorSetup,
  credential: unknown,
  isConditional = false,
): Promise<AcceptedPasskey | undefined> {
  const { tenant, tenantId, userId } = setup
  assertSecurityKeysEnabled(setup)
  const attestation = parseAttestation(credential)
  const challenge = await takeChallenge(deps, registrationOf(setup, isConditional))
  const accepted = challenge && (await verifyAttestation(deps, tenant, challenge, attestation, isConditional))
  if (challenge === undefined || accepted === undefined) return undefined
  return {
    tenant_id: tenantId,
    id: newId(),
    user_id: userId,
    credential_id: accepted.credentialId,
    public_key: accepted.publicKey,
    relying_party_id: challenge.relyingPartyId,
    transports: toJson(attestation.transports),
    counter: accepted.counter,
    is_backup_eligible: accepted.isBackupEligible ? 1 : 0,
    is_backed_up: accepted.isBackedUp ? 1 : 0,
    aaguid: accepted.aaguid,
    is_second_factor: 1,
    last_used_at: null,
    flagged_at: null,
  }
}

/**
 * Stores a passkey, with recovery codes if it is a second factor and the user has none yet.
 * @throws ApiError passkey_exists, passkey_limit_reached
 */
export async function enrolPasskey(
  deps: Deps,
  tx: Transaction,
  { tenantId, userId, actor }: FactorSetup,
  accepted: AcceptedPasskey,
  name: string | null,
): Promise<{ readonly row: PasskeyRow; readonly recoveryCodes?: readonly string[] }> {
  const user = await lockFactorOwner(tx, { tenantId, userId })
  const others = await queries.selectPasskeys(tx, tenantId, userId)
  if (others.length >= queries.passkeysMax) throw new ApiError('passkey_limit_reached')
  const at = deps.clock.next()
  const row: PasskeyRow = { ...accepted, name, created_at: at, updated_at: at }
  await tx.run(queries.insertPasskey(row))
  await recordAdded(deps, tx, user, changed(row), actor)
  if (row.is_second_factor === 0 || (await selectRecoveryCodes(tx, tenantId, userId)).length > 0) return { row }
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(deps, tx, user, codes, actor)
  return { row, recoveryCodes: codes }
}

type InTransaction = (tx: Transaction) => Promise<unknown>

/**
 * @param around what else the transaction does that stores it.
 * @throws ApiError strategy_unavailable, passkey_refused, passkey_exists, passkey_limit_reached
 */
export async function addPasskey(
  deps: Deps,
  call: OwnCall,
  { credential, name = null, mediation, secondFactor = mediation === undefined }: CreatePasskey,
  around?: { readonly before: InTransaction; readonly after: InTransaction },
): Promise<{ passkey: Passkey; recoveryCodes?: string[]; sessionToken?: string }> {
  await assertMayAddFirst(deps, call)
  const setup = ownSetup(call)
  const isConditional = mediation !== undefined
  // Nobody was asked, so nothing else may be asked of the user from then on.
  if (isConditional && secondFactor) throw invalid('/secondFactor', 'conflict', 'must be false with mediation')
  const answer = await acceptPasskey(deps, setup, credential, isConditional)
  const accepted = answer && { ...answer, is_second_factor: secondFactor ? 1 : 0 }
  if (accepted === undefined) throw new ApiError('passkey_refused')
  const { row, recoveryCodes, token } = await decidedTransaction(deps, setup.tenantId, async (tx) => {
    await around?.before(tx)
    const enrolled = await enrolPasskey(deps, tx, setup, accepted, name)
    await around?.after(tx)
    return { ...enrolled, token: await rotateToken(deps, tx, call.signedIn) }
  })
  return {
    passkey: await presentPasskey(row),
    ...(recoveryCodes === undefined ? {} : { recoveryCodes: [...recoveryCodes] }),
    ...call.reissueSessionToken(token),
  }
}

export async function listPasskeys({ db }: Deps, call: OwnCall): Promise<Passkey[]> {
  const { tenantId, userId } = ownerOf(call)
  const rows = await queries.selectPasskeys(db, tenantId, userId)
  return presentPasskeys(rows)
}

async function holdPasskey(tx: Transaction, call: OwnCall, id: string) {
  const { tenantId, userId } = ownerOf(call)
  const user = await lockFactorOwner(tx, { tenantId, userId })
  const row = await queries.selectPasskey(tx, tenantId, userId, id)
  if (row === undefined) throw notFound()
  return { user, row }
}

/** @throws ApiError not_found, also if it belongs to another user */
export async function renamePasskey(deps: Deps, call: OwnCall, id: string, name: string | null): Promise<Passkey> {
  const renamed = await deps.db.transaction(async (tx) => {
    const { user, row } = await holdPasskey(tx, call, id)
    const after = { ...row, name, updated_at: deps.clock.now() }
    await tx.run(queries.renamePasskey(row, name, after.updated_at))
    await tx.run(authenticatorEvent(deps, 'authenticator.updated', user, changed(after), call.actor()))
    return after
  })
  return presentPasskey(renamed)
}

/** @throws ApiError reauthentication_required, last_way_in, second_factor_required; not_found, also if it belongs to another user */
export async function removePasskey(deps: Deps, call: OwnCall, id: string) {
  assertFresh(deps, call.signedIn)
  const { row: removed, token } = await deps.db.transaction(async (tx) => {
    const { user, row } = await holdPasskey(tx, call, id)
    if (!(await canSignInWithout(deps, tx, call.tenant, user, row))) throw new ApiError('last_way_in')
    await tx.run(queries.deletePasskeyRow(row))
    await assertMayRemoveLast(deps, tx, call)
    await recordRemoved(deps, tx, user, changed(row), call.actor())
    return { row, token: await rotateToken(deps, tx, call.signedIn) }
  })
  return { passkey: await presentPasskey(removed), ...call.reissueSessionToken(token) }
}

/**
 * Returns whether a verified use is accepted: the passkey still belongs to the user, and its counter has increased (Web Authentication
 * Level 3 §6.1.1). A passkey whose counter has not is flagged, because somebody may have copied it. The caller's transaction commits either
 * way.
 */
export async function usePasskey(
  deps: Deps,
  tx: Transaction,
  { tenantId, userId, actor }: FactorOwner,
  id: string,
  use: AssertedUse,
): Promise<boolean> {
  const user = await lockUser(tx, tenantId, userId)
  const row = user && (await queries.selectPasskey(tx, tenantId, userId, id))
  if (user === undefined || row === undefined) return false
  const at = deps.clock.now()
  if ((use.counter > 0 || row.counter > 0) && use.counter <= row.counter) {
    await tx.run(queries.flagPasskey(row, at))
    await tx.run(authenticatorEvent(deps, 'authenticator.flagged', user, changed(row), actor))
    return false
  }
  await tx.run(queries.markPasskeyUsed(row, use, at))
  return true
}
