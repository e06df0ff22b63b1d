// Where an app or a server keeps what a browser keeps in cookies.

/** The session itself, the sign-in or sign-up under way, and the device as one that its user has signed in on before. */
export type TokenKind = 'session' | 'flow' | 'device'

/** Each of them is as good as a password while it lasts: keep them where the platform keeps secrets. */
export interface TokenStore {
  readonly get: (kind: TokenKind) => string | undefined | Promise<string | undefined>
  /** undefined: it is over, and to be forgotten. */
  readonly set: (kind: TokenKind, token: string | undefined) => void | Promise<void>
}

/** One that forgets everything with the program: for tests, scripts, and servers that keep the tokens elsewhere themselves. */
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
