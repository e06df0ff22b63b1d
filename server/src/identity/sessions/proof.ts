// What a session says about how its user has proven who it is, and what tokens say of it (OpenID Connect Core 1.0 §2, RFC 8176).
import type { SignInStrategy } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { type Timestamp, toMs } from '../../platform/clock.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { SessionRow } from './queries.ts'

export const twoFactors = 'urn:bailiwick:2fa'
export const oneFactor = 'urn:bailiwick:1fa'

/** The factors that a user has proven, in that order, and whether they count as two. */
export interface FactorProof {
  readonly factors: readonly SignInStrategy[]
  readonly isTwoFactors: boolean
}

export type SessionProof = Pick<SessionRow, 'created_at' | 'auth_time' | 'second_factor_at' | 'factors'>

/** Returns when the user has last proven who it is: as the session began, unless the user did so again within it. */
export const provenAt = ({ auth_time: at, created_at: began }: SessionProof): Timestamp => at ?? began

function methodOf(strategy: string): string {
  if (strategy.endsWith('_password')) return 'pwd'
  if (strategy === 'security_key') return 'hwk'
  return strategy === 'phone_code' ? 'sms' : strategy === 'oauth' || strategy === 'enterprise' ? 'fed' : 'otp'
}

/** Returns the methods by which these factors were proven. */
export const methodsOf = (factors: readonly string[], isTwoFactors: boolean): string[] => [
  ...new Set([...factors.map(methodOf), ...(isTwoFactors ? ['mfa'] : [])]),
]

export interface ProofClaims {
  /** In seconds since 1970. */
  readonly auth_time: number
  readonly acr: string
  /** Missing for a session from before the methods were recorded. */
  readonly amr?: string[]
}

const methodsMax = 1000
/** The methods of the factors that sessions have in common, so that not every token makes the same few lists again. */
const knownMethods = new LRUCache<string, Readonly<Record<'one' | 'two', readonly string[]>>>(entriesAtMost(methodsMax))

/** @param text the factors as a session stores them. */
function methodsFrom(text: NonNullable<SessionProof['factors']>, isTwoFactors: boolean): string[] {
  let methods = knownMethods.get(text)
  if (methods === undefined) {
    const factors = fromJson(text)
    methods = { one: methodsOf(factors, false), two: methodsOf(factors, true) }
    knownMethods.set(text, methods)
  }
  return [...(isTwoFactors ? methods.two : methods.one)]
}

export function proofClaims(row: SessionProof): ProofClaims {
  const isTwo = row.second_factor_at !== null
  return {
    auth_time: Math.floor(toMs(provenAt(row)) / 1000),
    acr: isTwo ? twoFactors : oneFactor,
    ...(row.factors === null ? {} : { amr: methodsFrom(row.factors, isTwo) }),
  }
}
