// The answer of a rotation is repeated to the same client for ten seconds. Concurrent tabs and lost answers would otherwise look like a
// stolen refresh token, which ends all tokens of its family.
import { errors } from 'oidc-provider'
import { addMilliseconds } from '../../../platform/clock.ts'
import { type Payload, hashOfId } from '../requests/request-store.ts'
import { oauthTokens } from '../tables.ts'
import { type Tenancy, currentTenancy } from '../tenancy.ts'

const againMs = 10_000

const placeOf = ({ tenant }: Tenancy, idHash: string) =>
  oauthTokens.place('sealed_answer', { tenant_id: tenant.row.id, id_hash: idHash })

function opened(tenancy: Tenancy, idHash: string, sealed: string): Payload {
  return JSON.parse(tenancy.deps.sealer.open(sealed, placeOf(tenancy, idHash))) as Payload
}

/** Returns whether the answer of a rotation at that time is still repeated. */
const isRecent = ({ deps }: Tenancy, at: string) => addMilliseconds(deps.clock.now(), -againMs) < at

/**
 * Called for a refresh token that was used before, once its client is known to be the right one. Returns if the token was used too long ago.
 * @throws InvalidGrant, which the route replaces by the stored answer
 */
export function answerOfRotation(token: string) {
  const tenancy = currentTenancy()
  const idHash = hashOfId(token)
  const answer = tenancy.store.answers.get(idHash)
  if (answer === undefined || !isRecent(tenancy, answer.at)) return
  tenancy.store.replay = opened(tenancy, idHash, answer.sealed)
  throw new errors.InvalidGrant('refresh token already used')
}

/** Returns the stored answer for a request that lost against another one with the same token. */
export function answerOfLostRace(row: { id_hash: string; sealed_answer: string | null; consumed_at: string | null }) {
  const tenancy = currentTenancy()
  if (row.sealed_answer === null || row.consumed_at === null || !isRecent(tenancy, row.consumed_at)) return undefined
  return opened(tenancy, row.id_hash, row.sealed_answer)
}

/** Stores the answer of the rotation in this request, in its transaction. */
export function keepAnswer(answer: unknown) {
  const tenancy = currentTenancy()
  const { store, deps } = tenancy
  if (store.rotated === undefined) return
  const sealed = deps.sealer.seal(JSON.stringify(answer), placeOf(tenancy, store.rotated))
  store.keepAnswer(sealed)
}
