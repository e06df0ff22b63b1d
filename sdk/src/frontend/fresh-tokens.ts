// JWTs that are kept while they last: renewed before they expire, without delaying callers, and requested once however many callers want
// them.
import { isBailiwickError } from '../errors.ts'

// Shares of a token's life, counted from its request, because clocks need not agree.
/** From this share on a token is renewed while it is still handed out. */
const shareFresh = 1 / 2
/** From this share on it is no longer handed out, because its receiver needs a moment as well. */
const shareUsed = 5 / 6

interface State {
  jwt?: string | undefined
  renewAtMs: number
  endsAtMs: number
  pending?: Promise<string> | undefined
}

function readLifetimeMs(jwt: string): number {
  const [, payload = ''] = jwt.split('.')
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp: number; iat: number }
  return (claims.exp - claims.iat) * 1000
}

export class FreshTokens<Key> {
  readonly #ask: (key: Key) => Promise<string>
  readonly #keysMax: number
  /** The least recently used come first. */
  #states = new Map<Key, State>()

  constructor(ask: (key: Key) => Promise<string>, { keysMax = 1000 } = {}) {
    this.#ask = ask
    this.#keysMax = keysMax
  }

  async get(key: Key): Promise<string> {
    const state = this.#stateOf(key)
    const now = Date.now()
    if (state.jwt === undefined || now >= state.endsAtMs) return this.#renewed(key, state)
    // If this fails, the present token is used for now, and the next caller tries again.
    if (now >= state.renewAtMs) this.#renewed(key, state).catch(() => undefined)
    return state.jwt
  }

  /**
   * For a token that is requested in another way, such as together with the profile. Returns a function that stores it in place of all
   * others, which may belong to another user. It is not stored if anything has changed by then.
   */
  expect(key: Key): (jwt: string) => void {
    const states = this.#states
    const askedAtMs = Date.now()
    return (jwt) => {
      if (this.#states !== states) return
      this.clear()
      this.#keep(this.#stateOf(key), jwt, askedAtMs)
    }
  }

  /** For changes of who is signed in, or of what a token says about the user; a token that is being requested is not stored. */
  clear() {
    this.#states = new Map()
  }

  #stateOf(key: Key): State {
    const state = this.#states.get(key) ?? { renewAtMs: 0, endsAtMs: 0 }
    this.#states.delete(key)
    this.#states.set(key, state)
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= this.#keysMax) break
      this.#states.delete(oldest)
    }
    return state
  }

  #keep(state: State, jwt: string, askedAtMs: number) {
    const lifetimeMs = readLifetimeMs(jwt)
    state.renewAtMs = askedAtMs + lifetimeMs * shareFresh
    state.endsAtMs = askedAtMs + lifetimeMs * shareUsed
    state.jwt = jwt
  }

  #renewed(key: Key, state: State): Promise<string> {
    state.pending ??= this.#renew(key, state).finally(() => {
      state.pending = undefined
    })
    return state.pending
  }

  async #renew(key: Key, state: State): Promise<string> {
    const askedAtMs = Date.now()
    try {
      const jwt = await this.#ask(key)
      this.#keep(state, jwt, askedAtMs)
      return jwt
    } catch (error) {
      // The session has ended: none of its tokens is handed out from now on.
      if (isBailiwickError(error, 'unauthenticated')) state.jwt = undefined
      if (state.jwt === undefined && this.#states.get(key) === state) this.#states.delete(key)
      throw error
    }
  }
}
