// Estimates the cost of verifying a password from the parameters of its hash. Imports are limited by it, and turns at the password pool are
// shared by it. Milliseconds are those of one core of a small server, within a factor of two or three.

export type HashParameters =
  | { readonly algorithm: 'argon2id'; readonly memoryKib: number; readonly passes: number }
  | { readonly algorithm: 'bcrypt'; readonly cost: number }
  | { readonly algorithm: 'scrypt'; readonly cost: number; readonly blockSize: number; readonly parallelism: number }
  | {
      readonly algorithm: 'pbkdf2'
      readonly digest: 'sha256' | 'sha512'
      readonly iterations: number
      readonly keyBytes: number
    }

export interface HashCost {
  readonly ms: number
  readonly memoryKib: number
}

/** A parameter that exceeds its maximum. */
export interface Excess {
  readonly parameter: string
  readonly maximum: number
}

const argon2Form = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),p=\d+\$/
const bcryptForm = /^\$2[aby]\$(\d\d)\$/
const scryptForm = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$/
const firebaseForm = /^\$firebase-scrypt\$ln=(\d+),r=(\d+)\$/
const pbkdf2Form = /^\$pbkdf2-(sha256|sha512)\$i=(\d+),l=\d+\$[^$]*\$([^$]+)$/

/** Each maximum takes about a second. */
const maxima = {
  argon2MemoryKib: 262_144,
  argon2Work: 2 ** 21,
  bcryptCost: 14,
  /** 128 bytes of memory for each unit of N·r: 256 MiB at most. */
  scryptWork: 2 ** 21,
  pbkdf2Iterations: { sha256: 3_000_000, sha512: 2_000_000 },
} as const

/** Work done in one millisecond. */
const speed = {
  argon2KibPasses: 2000,
  bcryptRounds: 21,
  scryptUnits: 2900,
  pbkdf2Iterations: { sha256: 3000, sha512: 2500 },
} as const

const digestBytes = { sha256: 32, sha512: 64 } as const

/**
 * Returns the parameters of a hash.
 * @param encoded one of our own hashes, or a result of `encodeImportedHash`.
 * @throws Error for an unknown form.
 */
export function parametersOf(encoded: string): HashParameters {
  const argon2 = argon2Form.exec(encoded)
  if (argon2 !== null) return { algorithm: 'argon2id', memoryKib: Number(argon2[1]), passes: Number(argon2[2]) }
  const bcrypt = bcryptForm.exec(encoded)
  if (bcrypt !== null) return { algorithm: 'bcrypt', cost: Number(bcrypt[1]) }
  const scrypt = scryptForm.exec(encoded) ?? firebaseForm.exec(encoded)
  if (scrypt !== null) {
    const [, log2, blockSize, parallelism = 1] = scrypt
    return {
      algorithm: 'scrypt',
      cost: 2 ** Number(log2),
      blockSize: Number(blockSize),
      parallelism: Number(parallelism),
    }
  }
  const pbkdf2 = pbkdf2Form.exec(encoded)
  if (pbkdf2 === null) throw new Error('a stored hash is of no known form')
  const digest = pbkdf2[1] === 'sha256' ? 'sha256' : 'sha512'
  const keyBytes = Buffer.byteLength(pbkdf2[3] ?? '', 'base64')
  return { algorithm: 'pbkdf2', digest, iterations: Number(pbkdf2[2]), keyBytes }
}

/** PBKDF2 repeats all its iterations for each block of output. */
const blocksOf = (digest: 'sha256' | 'sha512', keyBytes: number) => Math.ceil(keyBytes / digestBytes[digest])

export function costOf(parameters: HashParameters): HashCost {
  switch (parameters.algorithm) {
    case 'argon2id': {
      const { memoryKib, passes } = parameters
      return { ms: (memoryKib * passes) / speed.argon2KibPasses, memoryKib }
    }
    case 'bcrypt':
      return { ms: 2 ** parameters.cost / speed.bcryptRounds, memoryKib: 4 }
    case 'scrypt': {
      const { cost, blockSize, parallelism } = parameters
      return { ms: (cost * blockSize * parallelism) / speed.scryptUnits, memoryKib: (cost * blockSize) / 8 }
    }
    case 'pbkdf2': {
      const { digest, iterations, keyBytes } = parameters
      return { ms: (iterations * blocksOf(digest, keyBytes)) / speed.pbkdf2Iterations[digest], memoryKib: 0 }
    }
  }
}

const excess = (parameter: string, value: number, maximum: number): Excess | undefined =>
  value > maximum ? { parameter, maximum } : undefined

/** Returns the first parameter, or product of parameters, that makes a hash too expensive to import. */
export function excessOf(parameters: HashParameters): Excess | undefined {
  switch (parameters.algorithm) {
    case 'argon2id': {
      const { memoryKib, passes } = parameters
      return excess('m', memoryKib, maxima.argon2MemoryKib) ?? excess('m·t', memoryKib * passes, maxima.argon2Work)
    }
    case 'bcrypt':
      return excess('cost', parameters.cost, maxima.bcryptCost)
    case 'scrypt': {
      const { cost, blockSize, parallelism } = parameters
      return excess('N·r·p', cost * blockSize * parallelism, maxima.scryptWork)
    }
    case 'pbkdf2': {
      const { digest, iterations, keyBytes } = parameters
      const blocks = blocksOf(digest, keyBytes)
      return excess('iterations', iterations, Math.floor(maxima.pbkdf2Iterations[digest] / blocks))
    }
  }
}

/** Returns the refusal as a message. */
export const excessMessage = ({ parameter, maximum }: Excess): string =>
  `takes too long to verify: ${parameter} must be at most ${maximum}`
