// Puzzles that browsers solve before they sign up, send a password or reset one. They do not tell people from bots: they cost whoever tries
// often. Which addresses are suspicious, and which answers were used, the database knows for all nodes.
import type { Challenge, ChallengePurpose } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type Timestamp, addMilliseconds, fromMs } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { addressRange } from '../../platform/http/limits/address-limit.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { type CaptchaRow, captchaInUse } from './captcha-providers.ts'
import { challengeRule } from './challenge-rule.ts'
import { newPuzzle, readAnswer } from './proof-of-work.ts'
import { verifyCaptcha } from './verify-captcha.ts'

/** Long enough to fill in a form. */
const puzzleSeconds = 10 * 60
const windowMs = 60 * 60_000
/** What a user does in an hour without being suspicious. */
const freeTries = 3
/** Each further ten make a puzzle twice as hard, up to sixteen times. */
const triesToDouble = 10
const factorMax = 16

interface TriesKey {
  readonly purpose: ChallengePurpose
  /** The range of addresses that one customer of a provider may have. */
  readonly range: string
}

const quotaName = ({ purpose }: TriesKey) => `challenge:${purpose}`

const triesKey = ({ request }: AnyCall, purpose: ChallengePurpose): TriesKey => {
  return { purpose, range: addressRange(request) }
}

/** Returns how often an address range has tried within the hour. */
async function readTries({ db, clock }: Deps, { tenantId }: AnyCall, key: TriesKey): Promise<number> {
  const row = await db.first<{ used: number }>(sql`SELECT used FROM quotas WHERE tenant_id = ${tenantId}
    AND name = ${quotaName(key)} AND subject = ${hashToken(key.range)} AND window_ends_at > ${clock.now()}`)
  return row?.used ?? 0
}

function countTry({ clock }: Deps, { tenantId }: AnyCall, key: TriesKey): Statement {
  const now = clock.now()
  const isOver = sql`quotas.window_ends_at <= ${now}`
  return sql`INSERT INTO quotas (tenant_id, name, subject, used, window_ends_at)
    VALUES (${tenantId}, ${quotaName(key)}, ${hashToken(key.range)}, 1, ${addMilliseconds(now, windowMs)})
    ON CONFLICT (tenant_id, name, subject) DO UPDATE SET
      used = CASE WHEN ${isOver} THEN 1 ELSE quotas.used + 1 END,
      window_ends_at = CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE quotas.window_ends_at END`
}

/** Changes no row if the answer was used before, on whatever node. */
const spend = ({ tenantId }: AnyCall, challenge: string, expiresAt: Timestamp): Statement =>
  sql`INSERT INTO spent_challenges (tenant_id, challenge, expires_at) VALUES (${tenantId}, ${challenge}, ${expiresAt})
    ON CONFLICT (tenant_id, challenge) DO NOTHING`

/** Returns how hard a puzzle is for these tries; undefined if none is needed. */
function difficultyFor({ tenant: { auth } }: AnyCall, purpose: ChallengePurpose, tries: number): number | undefined {
  const rule = challengeRule(auth, purpose)
  if (rule === 'off' || (rule === 'suspicious' && tries < freeTries)) return undefined
  const factor = Math.min(factorMax, 2 ** Math.floor(Math.max(0, tries - freeTries) / triesToDouble))
  return auth.challengeDifficulty * factor
}

/** Returns the puzzle that a request for this purpose must solve now; null if none. */
export async function createChallenge(deps: Deps, call: AnyCall, purpose: ChallengePurpose): Promise<Challenge | null> {
  if (challengeRule(call.tenant.auth, purpose) === 'off') return null
  const maxnumber = difficultyFor(call, purpose, await readTries(deps, call, triesKey(call, purpose)))
  if (maxnumber === undefined) return null
  const captcha = await captchaInUse(deps.db, call.tenant)
  if (captcha !== undefined) return { provider: captcha.provider, puzzle: null, siteKey: captcha.site_key }
  const expiresAtSeconds = Math.floor(deps.clock.nowMs() / 1000) + puzzleSeconds
  const terms = { tenantId: call.tenantId, purpose, expiresAtSeconds }
  return { provider: 'proof_of_work', puzzle: newPuzzle(deps.hashCode, terms, maxnumber) }
}

/** Every sign-up and every reset counts as a try; of the sign-ins only the wrong ones do, which `countSuspicion` counts. */
const triesOnce = (deps: Deps, call: AnyCall, key: TriesKey): readonly Statement[] =>
  key.purpose === 'sign_in' ? [] : [countTry(deps, call, key)]

/**
 * Counts the try and uses up an answer, at once on every node; returns whether it was not used before. What follows a right answer waits for
 * the disk. If the power fails before that, the answer counts once more.
 */
const takeAnswer = async (deps: Deps, call: AnyCall, key: TriesKey, spent: Statement): Promise<boolean> =>
  // The last statement says whether the answer is new.
  (await deps.db.write(() => [...triesOnce(deps, call, key), spent], { isProvisional: true })) > 0

/** Uses up the answer of a request; returns whether it is right and was not used before. */
async function redeem(deps: Deps, call: AnyCall, key: TriesKey, answer: string): Promise<boolean> {
  const { purpose } = key
  const nowSeconds = Math.floor(deps.clock.nowMs() / 1000)
  const read = readAnswer(deps.hashCode, answer, { tenantId: call.tenantId, purpose, nowSeconds })
  if (read === undefined) return false
  return takeAnswer(deps, call, key, spend(call, read.challenge, fromMs(read.expiresAtSeconds * 1000)))
}

/** Uses up the answer that a provider's widget has made. Unless the tenant lets requests through then, one that is not checked is refused. */
async function redeemCaptcha(deps: Deps, call: AnyCall, key: TriesKey, row: CaptchaRow, token: string) {
  const result = await verifyCaptcha(deps, call, row, { token, purpose: key.purpose })
  if (result === 'wrong' || (result === 'failed' && row.on_failure === 'deny')) return false
  const expiresAt = addMilliseconds(deps.clock.now(), puzzleSeconds * 1000)
  // A provider accepts an answer once; while it does not answer, this still holds.
  return takeAnswer(deps, call, key, spend(call, hashToken(token), expiresAt))
}

/**
 * Lets a page without JavaScript send a code by mail instead.
 * @throws ApiError too_many_attempts
 */
const takeUnanswered = (deps: Deps, { tenantId }: AnyCall, key: TriesKey): Promise<void> => {
  const usesMax = deps.config.env === 'development' ? 100 : 5
  const quota = { name: `unanswered:${key.purpose}`, usesMax, windowSeconds: windowMs / 1000 }
  return deps.db.transaction((tx) => takeQuota(deps, tx, tenantId, quota, key.range))
}

/** @throws ApiError too_many_attempts, and challenge_required without a right answer, if this address has to solve a puzzle */
export async function demandAnswer(deps: Deps, call: AnyCall, purpose: ChallengePurpose): Promise<void> {
  const key = triesKey(call, purpose)
  const isAlways = challengeRule(call.tenant.auth, purpose) === 'always'
  if (!isAlways && difficultyFor(call, purpose, await readTries(deps, call, key)) === undefined) {
    const tries = triesOnce(deps, call, key)
    if (tries.length > 0) await deps.db.write(() => tries)
    return
  }
  const answer = call.challengeAnswer
  if (call.isMailFirst && answer === undefined) return takeUnanswered(deps, call, key)
  const captcha = await captchaInUse(deps.db, call.tenant)
  if (answer !== undefined) {
    const isRight =
      captcha === undefined ? redeem(deps, call, key, answer) : redeemCaptcha(deps, call, key, captcha, answer)
    if (await isRight) return
  }
  throw new ApiError('challenge_required', { challenge: { purpose, provider: captcha?.provider ?? 'proof_of_work' } })
}

/** Counts a wrong proof, which makes an address suspicious. */
export async function countSuspicion(deps: Deps, call: AnyCall, purpose: ChallengePurpose): Promise<void> {
  await deps.db.write(() => [countTry(deps, call, triesKey(call, purpose))])
}
