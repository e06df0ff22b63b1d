import type { Deployment, User } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { bailiwick } from '../api/client.ts'

export type Session =
  | { readonly kind: 'user'; readonly user: User; readonly deployment: Deployment }
  /** The development deployment takes callers on this machine for the operator. */
  | { readonly kind: 'operator'; readonly deployment: Deployment }

export const sessionKey = ['session'] as const

/**
 * The service says in the page what it takes the caller for. That is what the page was opened with: it holds for the first reading alone.
 */
let expected = document.querySelector<HTMLMetaElement>('meta[name="bailiwick-caller"]')?.content

/** Not through `call`, which would wait for a sign-in: that nobody has signed in is an answer here. */
export async function readSession(signal?: AbortSignal): Promise<Session | { readonly kind: 'none' }> {
  const options = signal === undefined ? {} : { signal }
  const deployment = await bailiwick.getMeta(options)
  const caller = expected
  expected = undefined
  if (caller === 'operator') return { kind: 'operator', deployment }
  if (caller === 'nobody') return { kind: 'none' }
  try {
    return { kind: 'user', user: await bailiwick.whoAmI(options), deployment }
  } catch (error) {
    if (isBailiwickError(error, 'unauthenticated')) return { kind: 'none' }
    // Only the operator may call the service without being a console user.
    if (isBailiwickError(error, 'forbidden')) return { kind: 'operator', deployment }
    throw error
  }
}
