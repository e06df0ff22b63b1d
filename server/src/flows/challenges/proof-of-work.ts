// Puzzles in altcha's first protocol (https://altcha.org/docs): the browser finds the number whose SHA-256 with a salt is the challenge. These
// are our own sixty lines, because altcha's library signs the challenge alone: salt and number are joined without a mark, so that digits could be moved from one
// to the other to lengthen the expiry (CVE-2025-68113). Here the signature covers all of the puzzle, and the salt ends with a mark.
import { hash, randomInt } from 'node:crypto'
import type { ChallengePurpose, Puzzle } from '@bailiwick/contract'
import type { CodeHasher } from '../../platform/crypto/code-hash.ts'
import { pooledRandomBytes } from '../../platform/crypto/random-bytes.ts'
import { isEqual } from '../../platform/crypto/tokens.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface PuzzleTerms {
  readonly tenantId: TenantId
  readonly purpose: ChallengePurpose
  readonly expiresAtSeconds: number
}

const saltBytes = 12
const answerLengthMax = 1024
const algorithm = 'SHA-256'

const termsText = ({ tenantId, purpose, expiresAtSeconds }: PuzzleTerms) =>
  `?expires=${expiresAtSeconds}&purpose=${purpose}&tenant=${tenantId}&`

const sign = (hashCode: CodeHasher, salt: string, challenge: string) =>
  hashCode(JSON.stringify(['challenge', algorithm, salt, challenge]))

const hashWith = (salt: string, number: number) => hash('sha256', `${salt}${number}`, 'hex')

export function newPuzzle(hashCode: CodeHasher, terms: PuzzleTerms, maxnumber: number): Puzzle {
  const salt = pooledRandomBytes(saltBytes).toString('hex') + termsText(terms)
  const challenge = hashWith(salt, randomInt(maxnumber + 1))
  return { algorithm, challenge, salt, maxnumber, signature: sign(hashCode, salt, challenge) }
}

/** What a browser sends: Base64 of JSON. Further properties, such as altcha's `took`, are ignored. */
function parse(answer: string): Readonly<Record<string, unknown>> | undefined {
  if (answer.length > answerLengthMax) return undefined
  try {
    const value = JSON.parse(Buffer.from(answer, 'base64').toString('utf8')) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Returns the puzzle's challenge, by which it is used once, and its expiry; undefined unless the answer is right and for this purpose. */
export function readAnswer(
  hashCode: CodeHasher,
  answer: string,
  { tenantId, purpose, nowSeconds }: Omit<PuzzleTerms, 'expiresAtSeconds'> & { readonly nowSeconds: number },
): { readonly challenge: string; readonly expiresAtSeconds: number } | undefined {
  const { salt, challenge, number, signature } = parse(answer) ?? {}
  if (typeof salt !== 'string' || typeof challenge !== 'string' || typeof signature !== 'string') return undefined
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) return undefined
  if (!isEqual(signature, sign(hashCode, salt, challenge))) return undefined
  // The salt is ours from here on.
  const expiresAtSeconds = Number(/\?expires=(\d{1,12})&/.exec(salt)?.[1])
  const isFor = salt.endsWith(termsText({ tenantId, purpose, expiresAtSeconds }))
  if (!isFor || expiresAtSeconds <= nowSeconds || hashWith(salt, number) !== challenge) return undefined
  return { challenge, expiresAtSeconds }
}
