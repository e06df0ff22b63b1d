// What an authorization request demands of the sign-in: how recent, how strong, and whose. The parameters are those that the engine has
// checked; an ID token among them has been verified before it is stored.
import type { JWTPayload } from 'jose'

type Parameters = Readonly<Record<string, unknown>>

export const words = (value: unknown): readonly string[] =>
  typeof value === 'string' && value !== '' ? value.split(' ') : []

interface ClaimRequest {
  readonly essential?: unknown
  readonly value?: unknown
  readonly values?: unknown
}

/** Returns how the `claims` parameter requests a claim of the ID token (OpenID Connect Core 1.0 §5.5). */
function claimRequest({ claims }: Parameters, name: string): ClaimRequest {
  if (typeof claims !== 'string') return {}
  try {
    const { id_token: idToken } = JSON.parse(claims) as {
      readonly id_token?: Readonly<Record<string, ClaimRequest | null>>
    }
    return idToken?.[name] ?? {}
  } catch {
    return {}
  }
}

/** Reads the claims of the stored token, which has been verified. */
function hintClaims({ id_token_hint: hint }: Parameters): JWTPayload | undefined {
  if (typeof hint !== 'string') return undefined
  return JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload
}

/** Returns the user as whom the application wants the browser to be signed in; undefined if it names nobody. */
export function requestedSubject(parameters: Parameters): string | undefined {
  const hint = hintClaims(parameters)?.sub
  const { value } = claimRequest(parameters, 'sub')
  return hint ?? (typeof value === 'string' ? value : undefined)
}

/** Returns what the user may type to sign in, as the application has it. */
export function identifierHint(parameters: Parameters): string | null {
  if (typeof parameters['login_hint'] === 'string') return parameters['login_hint']
  const email = hintClaims(parameters)?.['email']
  return typeof email === 'string' ? email : null
}

/** Returns whether a user who is called by these names is the one at whom a hint of an application points. */
export const isAmong = (names: readonly (string | null)[], hint: string): boolean =>
  names.some((name) => name?.toLowerCase() === hint.trim().toLowerCase())

/** Returns the strengths of sign-in that the application prefers. */
export function requestedStrengths(parameters: Parameters): readonly string[] {
  const essential = requiredStrengths(parameters)
  return essential.length > 0 ? essential : words(parameters['acr_values'])
}

/** Returns the strengths of sign-in without which the application accepts nobody (OpenID Connect Core 1.0 §5.5.1.1). */
export function requiredStrengths(parameters: Parameters): readonly string[] {
  const { essential, value, values } = claimRequest(parameters, 'acr')
  if (essential !== true) return []
  const all: readonly unknown[] = Array.isArray(values) ? values : [value]
  return all.filter((each) => typeof each === 'string')
}
