// Everything that hashes or verifies a password goes through here. It takes a core and some memory each time: without a bound a storm of
// sign-ins would starve everything else, and without turns one tenant's storm would starve the others.
import { createFairTurns } from './fair-turns.ts'
import { verifyImportedPassword } from './imported-password.ts'
import { hashPassword, ownParameters, verifyPassword } from './password.ts'
import { type HashParameters, costOf, parametersOf } from './password-cost.ts'

export interface StoredPassword {
  /** Of which form the text is: what {@link PasswordPool.hash} made, or what `encodeImportedHash` did. */
  readonly kind: 'own' | 'imported'
  readonly encoded: string
}

/** What is computed once it is the tenant's turn. */
export interface PasswordAlgorithms {
  hash(password: string): Promise<string>
  verify(stored: StoredPassword, password: string): Promise<boolean>
}

export interface PasswordPool {
  /**
   * Hashes a password as this service keeps it, in the tenant's turn.
   * @throws TurnsSaturated; RangeError for ill-formed Unicode
   */
  hash(tenantId: string, password: string): Promise<string>
  /**
   * Returns whether it is the password, in the tenant's turn.
   * @throws TurnsSaturated; Error when the hash itself is broken
   */
  verify(tenantId: string, stored: StoredPassword, password: string): Promise<boolean>
}

export interface PasswordPoolOptions {
  /** How many are computed at once. */
  readonly concurrency: number
  /** How many more may wait, over all tenants. */
  readonly queueMax: number
  readonly algorithms?: PasswordAlgorithms
}

/** What is above takes turns of which there is one at a time. OWASP's recommendations for each algorithm lie below. */
const heavy = { ms: 250, memoryKib: 65_536 } as const
/** Whoever waits longer has given up. */
const tenantQueueMs = 15_000

const realAlgorithms: PasswordAlgorithms = {
  hash: hashPassword,
  verify: ({ kind, encoded }, password) =>
    kind === 'own' ? verifyPassword(encoded, password) : verifyImportedPassword(encoded, password),
}

/** @param times how often it is computed, one after the other. */
function workOf(parameters: HashParameters, times = 1) {
  const { ms, memoryKib } = costOf(parameters)
  return { ms: ms * times, isHeavy: ms * times > heavy.ms || memoryKib > heavy.memoryKib }
}

/** @throws RangeError for bounds that make no sense */
export function createPasswordPool({
  concurrency,
  queueMax,
  algorithms = realAlgorithms,
}: PasswordPoolOptions): PasswordPool {
  const turns = createFairTurns({ concurrency, queueMax, ownerQueueMs: tenantQueueMs })
  return {
    hash: (tenantId, password) => turns.run(tenantId, workOf(ownParameters), () => algorithms.hash(password)),
    async verify(tenantId, stored, password) {
      // An imported hash is tried with the password as it was typed, then in the form that this service hashes.
      const times = stored.kind === 'imported' && password.normalize('NFKC') !== password ? 2 : 1
      const work = workOf(parametersOf(stored.encoded), times)
      return turns.run(tenantId, work, () => algorithms.verify(stored, password))
    },
  }
}
