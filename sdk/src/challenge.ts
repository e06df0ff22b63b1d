// Solves the puzzles that a tenant can ask for before a sign-up, a password or a reset. Only pages that need it load it.
import type { Challenge } from '@bailiwick/contract'
import { BailiwickError } from './errors.ts'

/** How many hashes are computed at once: the platform does that outside the page's own thread. */
const atOnce = 256

const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

const unsolvable = () => new BailiwickError('invalid_response', 'The puzzle has no solution.')

/**
 * Solves a challenge, which takes a browser about a second, and returns the answer for the option `challenge` of the call that needs it.
 * @example
 * ```ts
 * import { solveChallenge } from '@bailiwick/sdk/challenge'
 * import { BailiwickFrontend, isBailiwickError } from '@bailiwick/sdk/frontend'
 *
 * const bailiwick = new BailiwickFrontend({ baseUrl: 'https://id.example.com/frontend/api/v0', publicKey: 'pk_…' })
 * const body = { email: 'ada@acme.example', password: 'correct horse battery' }
 * try {
 *   await bailiwick.createSignUp({ body })
 * } catch (error) {
 *   if (!isBailiwickError(error, 'challenge_required')) throw error
 *   const { challenge } = await bailiwick.getChallenge({ query: { purpose: 'sign_up' } })
 *   await bailiwick.createSignUp({ body, ...(challenge === null ? {} : { challenge: await solveChallenge(challenge) }) })
 * }
 * ```
 * @throws BailiwickError invalid_response if the puzzle has no solution.
 * @throws TypeError if the page is not in a secure context (HTTPS or localhost), without which browsers do not hash.
 */
export async function solveChallenge({ puzzle }: Challenge): Promise<string> {
  if (puzzle === null) throw unsolvable()
  const { algorithm, challenge, maxnumber, salt } = puzzle
  const encoder = new TextEncoder()
  for (let first = 0; first <= maxnumber; first += atOnce) {
    const hashes = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        crypto.subtle.digest(algorithm, encoder.encode(salt + String(first + index))),
      ),
    )
    const found = hashes.findIndex((bytes) => toHex(bytes) === challenge)
    if (found >= 0) return btoa(JSON.stringify({ ...puzzle, number: first + found }))
  }
  throw unsolvable()
}
