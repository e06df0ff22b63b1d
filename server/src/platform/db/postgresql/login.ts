// How a connection proves who it is. The driver follows whatever the server asks for; this says what may not be followed, and why a login
// failed in words that help.
import type { Client } from 'pg'
import type { ChannelBinding } from './parameters.ts'

const bound = 'SCRAM-SHA-256-PLUS'

/** The driver's messages of a server that wants to know who connects, as they arrive. */
interface Messages {
  on(event: 'authenticationSASL', listener: (message: { readonly mechanisms: readonly string[] }) => void): void
  on(event: 'authenticationCleartextPassword' | 'authenticationMD5Password', listener: () => void): void
}

export interface Login {
  /** @throws if the server let the connection in without the binding that was required. */
  assertBound(): void
  /** Returns the error to tell for a failed connection. */
  reason(error: unknown): unknown
}

/**
 * Follows the login of a client that has not connected yet.
 * @param giveUp ends the connection before anything more is sent.
 */
export function followLogin(client: Client, binding: ChannelBinding, giveUp: (error: Error) => void): Login {
  let isAsked = false
  let isBound = false
  const refusal = new Error('the server does not offer channel binding, which channel_binding=require demands')
  // These listeners come before the driver's, which are added when it connects.
  // pg's types leave out the messages.
  const messages = client.connection as unknown as Messages
  messages.on('authenticationSASL', ({ mechanisms }) => {
    isAsked = true
    isBound = mechanisms.includes(bound)
    if (binding === 'require' && !isBound) giveUp(refusal)
  })
  for (const weaker of ['authenticationCleartextPassword', 'authenticationMD5Password'] as const) {
    messages.on(weaker, () => {
      isAsked = true
      if (binding === 'require') giveUp(refusal)
    })
  }
  return {
    assertBound() {
      if (binding === 'require' && !isBound) throw refusal
    },
    reason(error) {
      if (binding === 'require' && isAsked && !isBound) return refusal
      // An empty password is none, as in libpq.
      if (!isAsked || client.password) return error
      return new Error('the server requires a password, but the URL of the database has none', { cause: error })
    },
  }
}
