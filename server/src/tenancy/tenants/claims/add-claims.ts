// The rules for claims that anybody but the service adds to a token, whatever they are made from.
import { claimBytesMax, isReservedClaim } from '@bailiwick/contract'

export type Claims = Readonly<Record<string, unknown>>

/** What may be added, or why nothing is added: a token with some of its claims would be misread. */
export type AddedClaims =
  | { readonly claims: Claims; readonly bytes: number }
  | { readonly claims: undefined; readonly refused: 'reserved' | 'too_large'; readonly bytes: number }

/**
 * Adds claims to those that were added to a token before. A claim that is there already stays as it is.
 * @param before claims that have been added by the same rules.
 */
export function addClaims(before: Claims, added: Claims): AddedClaims {
  const claims: Claims = { ...added, ...before }
  const bytes = Object.keys(claims).length === 0 ? 0 : Buffer.byteLength(JSON.stringify(claims))
  if (Object.keys(added).some(isReservedClaim)) return { claims: undefined, refused: 'reserved', bytes }
  return bytes > claimBytesMax ? { claims: undefined, refused: 'too_large', bytes } : { claims, bytes }
}
