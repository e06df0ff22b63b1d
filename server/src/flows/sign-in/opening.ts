// What the end of an attempt opens: a session, or the proof of an existing one, and the device that is known from then on.
import { type SignInStrategy, tokenPrefixes } from '@bailiwick/contract'
import { bindSamlName } from '../../enterprise/saml/sign-ins.ts'
import { bindConnectionSignIn } from '../../identity/connection-sign-ins/connection-sign-ins.ts'
import type { Deps } from '../../identity/deps.ts'
import type { FactorProof } from '../../identity/sessions/proof.ts'
import { renewProof } from '../../identity/sessions/renew-proof.ts'
import {
  type CreatedSession,
  type PreparedSession,
  endReplacedSession,
  prepareSession,
} from '../../identity/sessions/sessions.ts'
import { trustDevice } from '../../identity/trusted-devices/trusted-devices.ts'
import type { UserRow } from '../../identity/users/find-user.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { NewEvent } from '../../platform/events/append.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { Proof, SignInFlow, Strategy } from '../frontend/flow.ts'
import type { FlowRow } from './attempt-store.ts'

/** Returns what the attempt has proven. A verification by a second factor alone adds to what its session had proven. */
export function provenFactors(
  { first_factor: first }: FlowRow,
  { name }: Strategy,
  { isTwoFactors = false }: Proof,
  which: 'first' | 'second' | 'enrolment',
): FactorProof {
  if (which === 'first') return { factors: [name], isTwoFactors }
  return { factors: [...(first === null ? [] : [first]), name], isTwoFactors: true }
}

interface Opening {
  readonly flow: SignInFlow
  readonly proven: FactorProof
  readonly row: FlowRow
  readonly counts: Readonly<Record<string, number>>
}

/** Begins a session, or renews the proof of the one in which the user was asked for it. */
export async function openOrRenew(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  { flow: { call }, proven, row, counts }: Opening,
): Promise<Pick<PreparedSession, 'session' | 'statements' | 'user'> & { readonly events: readonly NewEvent[] }> {
  const actor = call.actor(user.id)
  if (row.session_id !== null) {
    const { signedIn } = call
    const earlier = row.first_factor === null ? fromJson(signedIn.row.factors ?? toJson<SignInStrategy[]>([])) : []
    const factors = [...new Set([...earlier, ...proven.factors])]
    const session = await renewProof(deps, tx, signedIn, { ...proven, factors }, actor)
    return { session, statements: [], events: [], user }
  }
  const before = call.replacedSession?.row
  // Somebody who acts in the user's place may not replace the user's session.
  if (before?.user_id === user.id && before.actor_type === null) await endReplacedSession(deps, tx, before, actor)
  const { event, ...opened } = await prepareSession(deps, tx, user, {
    tenant: call.tenant,
    ip: call.ip,
    ua: call.ua,
    signInAttemptId: row.id,
    alsoCounted: counts,
    proof: proven,
    actor,
  })
  return { ...opened, events: [event] }
}

/** What a provider has said belongs to the session from then on, and so does the name at a SAML provider, with which both end together. */
export function providerStatements(
  { tenant_id: tenantId, id, first_factor: first }: FlowRow,
  { leaves }: Proof,
  which: 'first' | 'second' | 'enrolment',
  { row }: CreatedSession,
): readonly Statement[] {
  if (which === 'first') return leaves?.(row.id) ?? []
  return first === 'enterprise' ? [bindSamlName(tenantId, id, row.id), bindConnectionSignIn(tenantId, id, row.id)] : []
}

interface Device {
  readonly flow: SignInFlow
  /** The second factor that was proven. */
  readonly factor: SignInStrategy
  readonly session: CreatedSession
  readonly isTrusting: boolean
}

/**
 * Returns the hash by which the device is known, and its token if that is new. A trusted device always gets a new token: one that it had
 * before may be known to somebody else.
 */
export async function deviceOf(
  deps: Deps,
  tx: Transaction,
  { flow: { call, tenantId }, factor, session, isTrusting }: Device,
): Promise<{ readonly hash: string; readonly token?: string }> {
  const { auth } = call.tenant
  if (!isTrusting || auth.trustedDeviceDays === 0) {
    const known = call.heldHash('device')
    return known === undefined ? call.newHeld('device') : { hash: known }
  }
  const token = newToken(tokenPrefixes.device)
  const { user_id: userId, browser, os } = session.row
  const device = { tenantId, userId, tokenHash: hashToken(token), factor, browser, os }
  await trustDevice(deps, tx, auth, device, call.actor(userId))
  return { hash: device.tokenHash, token }
}
