// Codes and links that prove who reads an address. Each is bound to its tenant, flow, purpose and address; the newest of a purpose in a
// flow is the only one; a right one is used up in the transaction of what it allows. SECURITY: A13.
import { randomInt } from 'node:crypto'
import type { Timestamp } from '../clock.ts'
import { addMilliseconds, clockSkewMsMax } from '../clock.ts'
import { isEqual, newToken } from '../crypto/tokens.ts'
import type { Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { type Quota, takeQuota } from '../guesses/quotas.ts'
import type { TenantId, UserId } from '../ids.ts'

export type VerificationPurpose =
  | 'sign_in'
  | 'sign_up_email'
  | 'sign_up_phone'
  | 'password_reset'
  | 'own_email'
  | 'own_phone'

export interface VerificationPlace {
  readonly tenantId: TenantId
  readonly purpose: VerificationPurpose
  /** The attempt, the reset, or the address that it is about. */
  readonly flowId: string
  /** The normalised address or number. */
  readonly addressKey: string
}

export interface NewVerification extends VerificationPlace {
  readonly userId: UserId | null
  readonly kind: 'code' | 'link'
}

interface VerificationRow {
  readonly address_key: string
  readonly secret_hash: string
  readonly tries_left: number
  readonly expires_at: Timestamp
}

export const verificationMinutes = 10
const triesMax = 5
const codeDigits = 6

/** For each address: what protects its owner from a flood, and the sender's purse. */
const sendQuotas: readonly Quota[] = [
  { name: 'codes:30s', usesMax: 1, windowSeconds: 30 },
  { name: 'codes:hour', usesMax: 5, windowSeconds: 60 * 60 },
  { name: 'codes:day', usesMax: 10, windowSeconds: 24 * 60 * 60 },
]
/** The development deployment is there to be tried out. */
const developmentFactor = 100

/** Ends in the text that the hash is made of: no field of it can be another's beginning, for none contains NUL. */
const bound = ({ tenantId, purpose, flowId, addressKey }: VerificationPlace, secret: string) =>
  [tenantId, purpose, flowId, addressKey, secret].join('\0')

const newSecret = (kind: NewVerification['kind']) =>
  kind === 'link' ? newToken('vl_') : String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')

/**
 * Makes a code or a link's token, in the place of an older one. It counts against the address's quotas.
 * @throws ApiError too_many_attempts
 */
export async function issueVerification(deps: Deps, tx: Transaction, wanted: NewVerification): Promise<string> {
  const { config, clock, hashCode } = deps
  const { tenantId, purpose, flowId, addressKey, userId, kind } = wanted
  const factor = config.env === 'development' ? developmentFactor : 1
  for (const quota of sendQuotas) {
    await takeQuota(deps, tx, tenantId, { ...quota, usesMax: quota.usesMax * factor }, addressKey)
  }
  const secret = newSecret(kind)
  const at = clock.now()
  const expiresAt = addMilliseconds(at, verificationMinutes * 60_000)
  await tx.run(sql`INSERT INTO verifications
    (tenant_id, purpose, flow_id, user_id, address_key, kind, secret_hash, tries_left, expires_at, created_at)
    VALUES (${tenantId}, ${purpose}, ${flowId}, ${userId}, ${addressKey}, ${kind}, ${hashCode(bound(wanted, secret))},
      ${triesMax}, ${expiresAt}, ${at})
    ON CONFLICT (tenant_id, flow_id, purpose) DO UPDATE SET user_id = excluded.user_id, address_key = excluded.address_key,
      kind = excluded.kind, secret_hash = excluded.secret_hash, tries_left = excluded.tries_left,
      expires_at = excluded.expires_at, created_at = excluded.created_at`)
  return secret
}

/** One that would be good for longer than any is was made by a clock that has been set back since. */
const isOpenAt = (now: Timestamp, expiresAt: Timestamp) =>
  expiresAt > now && expiresAt <= addMilliseconds(now, verificationMinutes * 60_000 + clockSkewMsMax)

/**
 * Whether the secret is right; then it is used up. A wrong one costs a try, so that the caller's transaction must commit
 * either way.
 */
export async function useVerification(
  { clock, hashCode }: Deps,
  tx: Transaction,
  place: VerificationPlace,
  secret: string,
): Promise<boolean> {
  const { tenantId, purpose, flowId } = place
  const row = await tx.first<VerificationRow>(sql`SELECT address_key, secret_hash, tries_left, expires_at
    FROM verifications WHERE tenant_id = ${tenantId} AND flow_id = ${flowId} AND purpose = ${purpose}${sql.forUpdate}`)
  if (row === undefined || row.tries_left <= 0 || !isOpenAt(clock.now(), row.expires_at)) return false
  const isRight =
    row.address_key === place.addressKey && isEqual(row.secret_hash, hashCode(bound(place, secret.trim())))
  await tx.run(
    isRight
      ? sql`DELETE FROM verifications WHERE tenant_id = ${tenantId} AND flow_id = ${flowId} AND purpose = ${purpose}`
      : sql`UPDATE verifications SET tries_left = tries_left - 1
          WHERE tenant_id = ${tenantId} AND flow_id = ${flowId} AND purpose = ${purpose}`,
  )
  return isRight
}

/** Ends all that is open for a user, after a change of password or address. */
export const endVerificationsOf = (tenantId: TenantId, userId: UserId) =>
  sql`DELETE FROM verifications WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Ends what is open for a user and one purpose, whichever flow it is of. */
export const endVerificationsFor = (tenantId: TenantId, userId: UserId, purpose: VerificationPurpose) =>
  sql`DELETE FROM verifications WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND purpose = ${purpose}`
