// Codes and links that prove who reads an address. Each is bound to its tenant, flow, purpose and address. Only the newest code of a
// purpose in a flow is valid, and a right one is used up in the transaction of what it allows.
import { randomInt } from 'node:crypto'
import { tokenPrefixes } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds, clockSkewMsMax } from '../../platform/clock.ts'
import { isEqual, newToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type Quota, selectUsedUp, takeQuota } from '../../platform/quotas/quotas.ts'
import { testCode } from '../../tenancy/test-mode/test-addresses.ts'
import { isCaught } from '../../tenancy/test-mode/test-mode.ts'
import type { Deps } from '../deps.ts'
import { type Claimant, knownDevice } from '../lockout/lockout.ts'
import { verifications } from './tables.ts'

export type CodePurpose =
  | 'sign_in'
  | 'sign_up_email'
  | 'sign_up_phone'
  | 'password_reset'
  | 'own_email'
  | 'own_phone'
  | 'enrolment'
  | 'setup'
  | 'second_factor'

export interface CodePlace {
  readonly tenantId: TenantId
  readonly purpose: CodePurpose
  /** The id of the attempt, the password reset, or the address that is being verified. */
  readonly flowId: string
  /** The normalised address or number. */
  readonly addressKey: string
}

export interface NewCode extends CodePlace {
  readonly userId: UserId | null
  readonly kind: 'code' | 'link'
  /** For a code or link that opens an account: who asks for it. */
  readonly claimant?: Claimant
  /** The identifier that was asked for; the quotas of the address count it if nobody has the address. */
  readonly quotaKey?: string
}

export const codeMinutes = 10
const triesMax = 5
const codeDigits = 6
/** A tenant may have switched codes off for links, which nobody can guess: their codes are a hundred times as hard to guess as others. */
const linkCodeDigits = 8

/** Limits for each address: they protect its owner from a flood of messages, and the sender from their cost. */
const sendQuotas: readonly Quota[] = [
  { name: 'codes:30s', usesMax: 1, windowSeconds: 30 },
  { name: 'codes:hour', usesMax: 5, windowSeconds: 60 * 60 },
  { name: 'codes:day', usesMax: 10, windowSeconds: 24 * 60 * 60 },
]
/**
 * A limit for each account, across all its addresses. A code can be tried five times, and only by the browser that asked for it: so
 * strangers have fifty guesses a day in all, and none of them is taken from somebody else's code.
 */
const accountQuota: Quota = { name: 'account_codes:day', usesMax: 10, windowSeconds: 24 * 60 * 60 }
/** The limits are higher in development, where people try things out. */
const developmentFactor = 100

const scaled = ({ config }: Deps, quota: Quota): Quota =>
  config.env === 'development' ? { ...quota, usesMax: quota.usesMax * developmentFactor } : quota

/** The text that the hash is made of. No field can run into the next one, because none contains NUL. */
const bound = ({ tenantId, purpose, flowId, addressKey }: CodePlace, secret: string) =>
  [tenantId, purpose, flowId, addressKey, secret].join('\0')

const newSecret = (kind: NewCode['kind']) =>
  kind === 'link' ? newToken(tokenPrefixes.signInLink) : String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')

/** The subject that a quota counts for a caller: devices that the user has signed in with share one that strangers cannot use up. */
export const quotaSubject = (isKnown: boolean, subject: string): string => (isKnown ? `known:${subject}` : subject)

/** Links that can be opened in another browser than the one that goes on. */
const linksWithCode: ReadonlySet<CodePurpose> = new Set(['sign_in', 'sign_up_email'])

/**
 * Returns the code of a link, which a browser shows that opens the link without having asked for it, for people to type into the one that has. It
 * follows from what is stored of the token, so that whoever reads the database without the key finds neither.
 */
function codeOfLink({ hashCode }: Pick<Deps, 'hashCode'>, secretHash: string): string {
  const bytes = Buffer.from(hashCode(['code of link', secretHash].join('\0')), 'base64url')
  return String(bytes.readUIntBE(0, 6) % 10 ** linkCodeDigits).padStart(linkCodeDigits, '0')
}

const issue = verifications.upsert(
  'user_id',
  'address_key',
  'kind',
  'secret_hash',
  'tries_left',
  'expires_at',
  'created_at',
)

/**
 * Makes a code or the token of a link, which replaces an older one. It counts against the quotas of the address; one that opens an account
 * also counts against that of the account.
 * @throws ApiError too_many_attempts
 */
export async function issueCode(deps: Deps, tx: Transaction, wanted: NewCode): Promise<string> {
  const { clock, hashCode } = deps
  const { tenantId, purpose, flowId, addressKey, userId, kind, claimant, quotaKey = addressKey } = wanted
  const isKnown = claimant !== undefined && (await knownDevice(tx, claimant)) !== undefined
  for (const quota of sendQuotas) {
    await takeQuota(deps, tx, tenantId, scaled(deps, quota), quotaSubject(isKnown, quotaKey))
  }
  // A link has a code, too, which can be guessed like any other.
  if (claimant !== undefined) {
    await takeQuota(deps, tx, tenantId, scaled(deps, accountQuota), quotaSubject(isKnown, claimant.subject))
  }
  const isFixed = kind === 'code' && (await isCaught({ config: deps.config, db: tx }, tenantId, addressKey))
  const secret = isFixed ? testCode : newSecret(kind)
  const at = clock.now()
  await tx.run(
    issue({
      tenant_id: tenantId,
      flow_id: flowId,
      purpose,
      user_id: userId,
      address_key: addressKey,
      kind,
      secret_hash: hashCode(bound(wanted, secret)),
      tries_left: triesMax,
      expires_at: addMilliseconds(at, codeMinutes * 60_000),
      created_at: at,
    }),
  )
  return secret
}

/** A code that would be valid for longer than any code is was made by a clock that has been set back since. */
const isOpenAt = (now: Timestamp, expiresAt: Timestamp) =>
  expiresAt > now && expiresAt <= addMilliseconds(now, codeMinutes * 60_000 + clockSkewMsMax)

/** Returns until when strangers are sent nothing for an account at this address; undefined if they are. */
export async function sendingBlockedUntil(deps: Deps, tenantId: TenantId, subject: string, addressKey: string) {
  const ends: Timestamp[] = []
  for (const quota of sendQuotas) {
    const end = await selectUsedUp(deps, tenantId, scaled(deps, quota), addressKey)
    if (end !== undefined && quota.windowSeconds > codeMinutes * 60) ends.push(end)
  }
  const end = await selectUsedUp(deps, tenantId, scaled(deps, accountQuota), subject)
  return [...ends, ...(end === undefined ? [] : [end])].toSorted().at(-1)
}

/**
 * Returns whether the secret is right, and uses it up if so. A wrong one costs a try, so the caller's transaction must commit either way.
 * @throws ApiError too_many_attempts after too many tries, even with the right secret.
 */
export async function redeemCode(deps: Deps, tx: Transaction, place: CodePlace, secret: string): Promise<boolean> {
  const { clock } = deps
  const { tenantId, purpose, flowId } = place
  const row = await verifications.lock(tx, tenantId, flowId, purpose)
  if (row === undefined || !isOpenAt(clock.now(), row.expires_at)) return false
  if (row.tries_left <= 0) throw usedUp()
  const isRight = row.address_key === place.addressKey && matchesSecret(deps, row, place, secret.trim())
  await tx.run(
    isRight
      ? verifications.delete(tenantId, flowId, purpose)
      : sql`UPDATE verifications SET tries_left = tries_left - 1
          WHERE tenant_id = ${tenantId} AND flow_id = ${flowId} AND purpose = ${purpose}`,
  )
  return isRight
}

/** Whether a secret is the code of a row, or the token or the code of a link. */
function matchesSecret(
  deps: Deps,
  row: { readonly kind: 'code' | 'link'; readonly secret_hash: string },
  place: CodePlace,
  secret: string,
): boolean {
  const isToken = isEqual(row.secret_hash, deps.hashCode(bound(place, secret)))
  const hasCode = row.kind === 'link' && linksWithCode.has(place.purpose)
  return isToken || (hasCode && isEqual(codeOfLink(deps, row.secret_hash), secret))
}

/**
 * Returns the code of a link to somebody who has opened it, in whatever browser; undefined if the link is not right or no longer valid. It changes
 * nothing, so that a mail scanner uses nothing up.
 */
export async function openedLinkCode(
  deps: Deps,
  flow: Pick<CodePlace, 'tenantId' | 'purpose' | 'flowId'>,
  token: string,
): Promise<string | undefined> {
  const row = await verifications.byKey(deps.db, flow.tenantId, flow.flowId, flow.purpose)
  if (row === undefined || row.kind !== 'link' || !linksWithCode.has(flow.purpose) || row.tries_left <= 0)
    return undefined
  if (!isOpenAt(deps.clock.now(), row.expires_at)) return undefined
  const hash = deps.hashCode(bound({ ...flow, addressKey: row.address_key }, token))
  return isEqual(row.secret_hash, hash) ? codeOfLink(deps, row.secret_hash) : undefined
}

/** Returns whether a code is right at present, and leaves it and its tries as they are: whoever has a wrong one is judged by `redeemCode`. */
export async function isOpenCode(deps: Deps, place: CodePlace, secret: string): Promise<boolean> {
  const { clock, db } = deps
  const row = await verifications.byKey(db, place.tenantId, place.flowId, place.purpose)
  if (row === undefined || row.tries_left <= 0 || !isOpenAt(clock.now(), row.expires_at)) return false
  return row.address_key === place.addressKey && matchesSecret(deps, row, place, secret.trim())
}

const usedUp = () =>
  new ApiError('too_many_attempts', {
    detail: 'There were too many wrong attempts with this code. Request a new code.',
  })

/**
 * Checks, before costly work is done, that a try is left.
 * @throws ApiError too_many_attempts
 */
export async function assertTriesLeft(db: Reader, { tenantId, purpose, flowId }: CodePlace): Promise<void> {
  const row = await verifications.byKey(db, tenantId, flowId, purpose)
  if (row !== undefined && row.tries_left <= 0) throw usedUp()
}

/** Ends all open codes of a user, after a change of password or address. */
export const endCodesOf = (tenantId: TenantId, userId: UserId) =>
  sql`DELETE FROM verifications WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Ends a user's open codes of one purpose, whichever flow they belong to. */
export const endCodesFor = (tenantId: TenantId, userId: UserId, purpose: CodePurpose) =>
  sql`DELETE FROM verifications WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND purpose = ${purpose}`

/**
 * Returns the address for a mail: a page of the tenant, which takes flow and token from the address and sends them by POST. Opening the
 * page does nothing, so a mail scanner that follows links uses none up.
 * @param page an address that was checked against those of the tenant.
 * @param isHosted whether it is a page of this service, which works without a script and therefore needs the token in the query: no server
 * sees a fragment. Such a page sends no referrer to other sites, and no log of this service contains the query of an address.
 */
export function linkTo(page: string, flowId: string, token: string, isHosted = false): string {
  const url = new URL(page)
  url.searchParams.set('flow', flowId)
  if (isHosted) {
    url.searchParams.set('token', token)
    return url.href
  }
  // Fragments stay in the browser: neither logs nor referrers contain them.
  url.hash = `token=${token}`
  return url.href
}
