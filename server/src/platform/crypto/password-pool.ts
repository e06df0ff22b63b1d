// Hashes and verifies all passwords. Each takes a core and some memory: without a bound, a flood of sign-ins would starve everything else;
// without turns, one tenant's flood would starve the other tenants.
import { type TurnsLoad, createFairTurns } from './fair-turns.ts'
import { verifyImportedPassword } from './imported-password.ts'
import { type HashParameters, costOf, parametersOf } from './password-cost.ts'
import { hashPassword, ownParameters, verifyPassword } from './password.ts'

export interface StoredPassword {
  /** The form of the text: made by {@link PasswordPool.hash} or by `encodeImportedHash`. */
  readonly kind: 'own' | 'imported'
  readonly encoded: string
}

/** The work to do when it is the tenant's turn. */
export interface PasswordAlgorithms {
  hash(password: string): Promise<string>
  verify(stored: StoredPassword, password: string): Promise<boolean>
}

export interface PasswordPool {
  /**
   * Waits for the tenant's turn, then hashes a password as this service stores it.
   * @throws TurnsSaturated; RangeError for ill-formed Unicode
   */
  hash(tenantId: string, password: string): Promise<string>
  /**
   * Waits for the tenant's turn, then returns whether the password matches.
   * @throws TurnsSaturated; Error when the hash itself is broken
   */
  verify(tenantId: string, stored: StoredPassword, password: string): Promise<boolean>
  readonly load: TurnsLoad
}

export interface PasswordPoolOptions {
  /** How many are computed at once. */
  readonly concurrency: number
  /** How many more may wait, over all tenants. */
  readonly queueMax: number
  readonly algorithms?: PasswordAlgorithms
}

/** Tasks above this run one at a time. OWASP's recommendations for each algorithm are below it. */
const heavy = { ms: 250, memoryKib: 65_536 } as const
/** Callers who waited longer have given up. */
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
      // An imported hash is tried with the password as typed, then in the form that this service hashes.
      const times = stored.kind === 'imported' && password.normalize('NFKC') !== password ? 2 : 1
      const work = workOf(parametersOf(stored.encoded), times)
      return turns.run(tenantId, work, () => algorithms.verify(stored, password))
    },
    get load() {
      return turns.load
    },
  }
}
