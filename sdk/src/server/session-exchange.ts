// Tokens for requests that carry the session itself: fetched from the service once, kept, and renewed in the background.
import { createConnection } from '../connection-options.ts'
import { bearer } from '../credential.ts'
import { isBailiwickError } from '../errors.ts'
import { FreshTokens } from '../frontend/fresh-tokens.ts'
import { createTransport, readJson } from '../transport/transport.ts'
import { AuthError } from './auth-error.ts'
import type { AuthSettings } from './auth-options.ts'
import { RefusedSessions } from './refused-sessions.ts'

/** Such as `se_` with 49 letters and digits; any other value is not worth a request. */
const sessionToken = /^se_\w{20,125}$/

/** Returns whether a cookie's value can be the token of a session; cookies of other programs may have the same name. */
export const isSessionToken = (value: string | undefined): value is string =>
  value !== undefined && sessionToken.test(value)

const sessionsMax = 10_000
const timeoutMs = 5000

/** Returns a function that returns a JWT for the token of a session; it rejects with an {@link AuthError}. */
export function createSessionExchange({ fetch, frontendApiUrl, now, publicKey }: AuthSettings) {
  const connection = createConnection({ baseUrl: frontendApiUrl, timeoutMs, retries: 0, ...(fetch ? { fetch } : {}) })
  const ask = async (session: string) => {
    const send = createTransport({
      ...connection,
      credential: async () => ({ 'x-public-key': publicKey, ...bearer(session) }),
    })
    const answer = await send({ method: 'POST', target: '/user/sessions/token', body: '{}' }, readJson)
    const { data } = answer as { readonly data: { readonly jwt: string } }
    return data.jwt
  }
  const fresh = new FreshTokens(ask, { keysMax: sessionsMax })
  const refused = new RefusedSessions()
  const hasEnded = (cause?: unknown) => new AuthError('unauthenticated', 'The session has ended.', { cause })

  let aheadMs = 0
  return async (session: string): Promise<string> => {
    const ms = now() - Date.now()
    // Once a test has moved the clock, the tokens of the time before are over.
    if (Math.abs(ms - aheadMs) > 1000) fresh.clear()
    aheadMs = ms
    if (await refused.has(session)) throw hasEnded()
    try {
      return await fresh.get(session)
    } catch (cause) {
      if (isBailiwickError(cause, 'unauthenticated')) {
        await refused.add(session)
        throw hasEnded(cause)
      }
      throw new AuthError('service_unavailable', 'A token could not be fetched for the session.', { cause })
    }
  }
}
