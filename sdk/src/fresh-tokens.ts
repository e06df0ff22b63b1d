// JWTs for the app's own servers: asked for when they are needed, kept while they last, one request for many callers.

/** A token is renewed when less than a sixth of its life is left, counted from when it was asked for: clocks need not agree. */
const shareUsed = 5 / 6

interface State {
  jwt?: string
  renewAtMs: number
  pending?: Promise<string> | undefined
}

function lifetimeMsOf(jwt: string): number {
  const [, payload = ''] = jwt.split('.')
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp: number; iat: number }
  return (claims.exp - claims.iat) * 1000
}

export class FreshTokens {
  readonly #ask: (orgId: string | undefined) => Promise<string>
  readonly #states = new Map<string | undefined, State>()

  constructor(ask: (orgId: string | undefined) => Promise<string>) {
    this.#ask = ask
  }

  async get(orgId: string | undefined): Promise<string> {
    const state: State = this.#states.get(orgId) ?? { renewAtMs: 0 }
    this.#states.set(orgId, state)
    if (state.jwt !== undefined && Date.now() < state.renewAtMs) return state.jwt
    state.pending ??= this.#renew(orgId, state).finally(() => {
      state.pending = undefined
    })
    return state.pending
  }

  /** After what may have changed who is signed in, or what a token says of the user; one that is on its way is not kept. */
  clear() {
    this.#states.clear()
  }

  async #renew(orgId: string | undefined, state: State): Promise<string> {
    const askedAtMs = Date.now()
    const jwt = await this.#ask(orgId)
    state.renewAtMs = askedAtMs + lifetimeMsOf(jwt) * shareUsed
    state.jwt = jwt
    return jwt
  }
}
