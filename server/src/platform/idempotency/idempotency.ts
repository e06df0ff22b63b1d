// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): a repeated request has its effect once and gets the first answer again.
// Only successful answers are kept: an error leaves the key free.
import { hash } from 'node:crypto'
import { addMilliseconds, fromMs } from '../clock.ts'
import { ConstraintError } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { actorId, type Principal } from '../http/credentials/principal.ts'
import { apiErrorOf } from '../http/render-error.ts'
import { type TenantId, newId } from '../ids.ts'
import { type Claim, withClaim } from './claim.ts'
import * as queries from './queries.ts'
import { idempotencyKeys } from './tables.ts'

export const keptMs = 24 * 60 * 60 * 1000
/** No request lasts longer. A key taken before that without an answer belongs to a request that was cut off. */
const runningMsMax = 60_000
const retryAfterSeconds = 1
const cleanUpBatch = 500

/** The stored answer, and the tenant in which its record was found. */
export interface KeyedAnswer {
  readonly type: string
  readonly body: string
  readonly tenantId: TenantId | null
}

export interface KeyedRequest {
  readonly key: string
  readonly principal: Principal
  readonly method: string
  readonly url: string
  readonly body: unknown
}

export interface Replayed {
  readonly answer: KeyedAnswer
  readonly isReplayed: boolean
}

export interface Idempotency {
  /**
   * Runs the operation unless the key's first request has done so.
   * @param operation undefined if its answer cannot be kept.
   * @throws ApiError idempotency_key_reused for a different request under the key; idempotency_key_in_use while the first one runs;
   * idempotency_answer_lost if it took effect but was cut off before its answer was kept.
   */
  run(request: KeyedRequest, operation: () => Promise<KeyedAnswer>): Promise<Replayed>
}

interface Kept {
  readonly fingerprint: string
  readonly answer: KeyedAnswer | null
}

const tenantOf = (principal: Principal): string => ('tenantId' in principal ? principal.tenantId : '')
/** The path alone: the query belongs to the request, not to the operation. */
const operationOf = ({ method, url }: KeyedRequest) => `${method} ${url.split('?', 1)[0] ?? ''}`
const placeOf = (row: Pick<queries.IdempotencyKeyRow, 'tenant_id' | 'id'>) => idempotencyKeys.place('sealed', row)

type KeyDeps = Pick<Deps, 'db' | 'clock' | 'sealer' | 'log'>

const sealed = ({ sealer }: KeyDeps, row: Pick<queries.IdempotencyKeyRow, 'tenant_id' | 'id'>, kept: Kept) =>
  sealer.seal(JSON.stringify(kept), placeOf(row))

const inUse = () => new ApiError('idempotency_key_in_use', { retryAfterSeconds })

/** Returns the first request's answer, if there is a first request. */
async function find(deps: KeyDeps, tenantId: string, id: string, fingerprint: string) {
  const { db, clock, sealer } = deps
  const row = await queries.selectKey(db, tenantId, id)
  if (row === undefined) return undefined
  const kept = JSON.parse(sealer.open(row.sealed, placeOf(row))) as Kept
  if (kept.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused')
  if (kept.answer !== null) return kept.answer
  if (row.created_at > fromMs(clock.nowMs() - runningMsMax)) throw inUse()
  throw new ApiError('idempotency_answer_lost')
}

/** Frees the key when a later step refuses a request that has taken effect, as it may without a key. After a 5xx the key stays taken. */
async function releaseKey({ db, log }: KeyDeps, row: queries.IdempotencyKeyRow, error: unknown) {
  if (apiErrorOf(error).statusCode >= 500) return
  await db
    .write(() => [queries.releaseKey(row)])
    .catch((err: unknown) => log.warn({ err }, 'cannot give an idempotency key back'))
}

/** Runs the operation as the first request with the key, and keeps its answer. */
async function runFirst(
  deps: KeyDeps,
  row: queries.IdempotencyKeyRow,
  fingerprint: string,
  operation: () => Promise<KeyedAnswer>,
): Promise<KeyedAnswer | undefined> {
  const { db, log } = deps
  const claim: Claim = { statement: queries.insertKey(row), state: 'open' }
  let answer: KeyedAnswer
  try {
    answer = await withClaim(claim, operation)
  } catch (error) {
    if (claim.state === 'taken') await releaseKey(deps, row, error)
    throw error
  }
  const whole = { ...row, sealed: sealed(deps, row, { fingerprint, answer }), has_answer: 1 }
  try {
    const kept = await db.write(() => [queries.keepAnswer(whole)])
    // An operation that wrote nothing took no key, and another request was faster.
    if (kept === 0) return await find(deps, row.tenant_id, row.id, fingerprint)
  } catch (err) {
    if (err instanceof ApiError) throw err
    // The operation has taken effect, and the caller must be told so.
    log.warn({ err }, 'cannot keep the answer to a request with an idempotency key')
  }
  return answer
}

export function createIdempotency(deps: KeyDeps) {
  /** The keys in use on this node. */
  const running = new Set<string>()

  async function run(request: KeyedRequest, operation: () => Promise<KeyedAnswer>): Promise<Replayed> {
    const { principal } = request
    const tenantId = tenantOf(principal)
    const who = JSON.stringify([principal.type, actorId(principal), operationOf(request), request.key])
    const id = hash('sha256', who, 'hex')
    const fingerprint = hash('sha256', JSON.stringify([request.method, request.url, request.body ?? null]), 'hex')
    const name = `${tenantId} ${id}`
    const found = await find(deps, tenantId, id, fingerprint)
    if (found !== undefined) return { answer: found, isReplayed: true }
    if (running.has(name)) throw inUse()
    running.add(name)
    try {
      const row: queries.IdempotencyKeyRow = {
        tenant_id: tenantId,
        id,
        request_id: newId(),
        sealed: sealed(deps, { tenant_id: tenantId, id }, { fingerprint, answer: null }),
        has_answer: 0,
        created_at: deps.clock.now(),
      }
      const answer = await runFirst(deps, row, fingerprint, operation)
      if (answer === undefined) throw inUse()
      return { answer, isReplayed: false }
    } catch (error) {
      const isTaken = error instanceof ConstraintError && error.constraint === 'idempotency_keys_pkey'
      if (!isTaken && apiErrorOf(error).statusCode >= 500) throw error
      // The refusal may be due to the effect of the same request, sent again and processed faster.
      const other = await find(deps, tenantId, id, fingerprint)
      if (other !== undefined) return { answer: other, isReplayed: true }
      throw isTaken ? inUse() : error
    } finally {
      running.delete(name)
    }
  }

  return { run } satisfies Idempotency
}

/** Removes a bounded number of old keys; returns whether there are more. */
export async function removeOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const before = addMilliseconds(clock.now(), -keptMs)
  const removed = await db.write(() => [queries.deleteKeysBefore(before, cleanUpBatch)])
  return removed >= cleanUpBatch
}
