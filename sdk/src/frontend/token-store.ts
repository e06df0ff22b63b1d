// Where an app or a server stores what a browser stores in cookies.

/** The token of the session itself, of the sign-in or sign-up under way, and of the device as a known one. */
export type TokenKind = 'session' | 'flow' | 'device'

/** Each of them is as powerful as a password while it lasts: store them where the platform stores secrets. */
export interface TokenStore {
  readonly get: (kind: TokenKind) => string | undefined | Promise<string | undefined>
  /** undefined means that it is over and must be removed. */
  readonly set: (kind: TokenKind, token: string | undefined) => void | Promise<void>
}

/**
 * Creates a store that is lost with the program: for tests, scripts, and servers that store the tokens elsewhere themselves.
 * @example
 * ```ts
 * import { BailiwickFrontend, createMemoryTokenStore } from '@bailiwick/sdk/frontend'
 *
 * const tokens = createMemoryTokenStore()
 * const baseUrl = 'https://id.example.com/frontend/api/v0'
 * const bailiwick = new BailiwickFrontend({ baseUrl, publicKey: 'pk_…', tokens })
 * ```
 */
export function createMemoryTokenStore(): TokenStore {
  const tokens = new Map<TokenKind, string>()
  return {
    get: (kind) => tokens.get(kind),
    set: (kind, token) => {
      if (token === undefined) tokens.delete(kind)
      else tokens.set(kind, token)
    },
  }
}
