// Hashes passwords as recommended by OWASP and NIST SP 800-63B. Each takes 19 MiB and a core for some tens of milliseconds, so only the
// password pool calls these functions.
import type * as argon2Module from '@node-rs/argon2'
import { loadLater } from '../startup/load-later.ts'
import type { HashParameters } from './password-cost.ts'

/** Loads the library with its native code. */
export const argon2Library = loadLater<typeof argon2Module>('@node-rs/argon2')

/** Argon2id, the library's default algorithm, with the first configuration of OWASP's password storage cheat sheet. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
const current = /^\$argon2id\$v=19\$/

/** The cost of every hash made here. */
export const ownParameters: HashParameters = {
  algorithm: 'argon2id',
  memoryKib: parameters.memoryCost,
  passes: parameters.timeCost,
}

/** Costs as much to verify as any hash made here and matches no password, because its digest is all zeros. */
export const nobodysHash = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Normalises a password, because another keyboard may type it as other code points (NIST SP 800-63B §3.1.1.2). */
const normalised = (password: string) => password.normalize('NFKC')

/**
 * @returns a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$…`.
 * @throws RangeError for an ill-formed string, which as UTF-8 would equal other passwords.
 */
export async function hashPassword(password: string): Promise<string> {
  if (!password.isWellFormed()) throw new RangeError('a password must be well-formed Unicode')
  return argon2Library().hash(normalised(password), parameters)
}

/**
 * Whether the hash was made from exactly this password; nothing is cut off.
 * @throws Error when the hash itself is broken.
 */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return password.isWellFormed() && argon2Library().verify(passwordHash, normalised(password))
}

/** Whether the hash is weaker than those made today, so that the next sign-in should replace it. */
export function needsRehash(passwordHash: string): boolean {
  if (!current.test(passwordHash)) return true
  const { memoryCost, timeCost, parallelism, outputLen } = argon2Library().parseOptions(passwordHash)
  return (
    memoryCost < parameters.memoryCost ||
    timeCost < parameters.timeCost ||
    parallelism !== parameters.parallelism ||
    outputLen < parameters.outputLen
  )
}
