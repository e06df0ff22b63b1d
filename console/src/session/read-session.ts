import type { Deployment, User } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { bailiwick } from '../api/client.ts'
import { hasOperatorKey } from '../api/operator-key.ts'

export type Session =
  | { readonly kind: 'user'; readonly user: User; readonly deployment: Deployment }
  /** Somebody with the operator's key; a development deployment also treats callers on this machine as the operator. */
  | { readonly kind: 'operator'; readonly by: 'key' | 'machine'; readonly deployment: Deployment }

export const sessionKey = ['session'] as const

/**
 * The service puts into the page who it takes the caller to be. This describes the moment when the page was opened, so only the first
 * reading uses it.
 */
let expected = document.querySelector<HTMLMetaElement>('meta[name="bailiwick-caller"]')?.content

/** Does not use `call`, which would wait for a sign-in: here, that nobody has signed in is a valid answer. */
export async function readSession(signal?: AbortSignal): Promise<Session | { readonly kind: 'none' }> {
  const options = signal === undefined ? {} : { signal }
  const deployment = await bailiwick.getMeta(options)
  const caller = expected
  expected = undefined
  if (caller === 'operator') return { kind: 'operator', by: 'machine', deployment }
  if (caller === 'nobody') return { kind: 'none' }
  try {
    return { kind: 'user', user: await bailiwick.whoAmI(options), deployment }
  } catch (error) {
    if (isBailiwickError(error, 'unauthenticated')) return { kind: 'none' }
    // Only the operator may call the service without being a console user.
    if (isBailiwickError(error, 'forbidden')) {
      return { kind: 'operator', by: hasOperatorKey() ? 'key' : 'machine', deployment }
    }
    throw error
  }
}
