'use client'
// Lets a visitor begin as an anonymous user. Only apps that use it load it.
import { createFrontendClient, isBailiwickError } from '@bailiwick/sdk/frontend'
import { useCallback } from 'react'
import { useUser } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'

export interface UseAnonymousUser {
  /** Whether the signed-in user has not signed up yet; undefined while that is not known, or if no user is signed in. */
  readonly isAnonymous: boolean | undefined
  /**
   * Begins as an anonymous user, whose id stays when the user signs up in this browser. Solves a puzzle if the tenant asks for one.
   * @throws BailiwickError already_signed_in, sign_up_disabled, too_many_attempts
   */
  readonly begin: () => Promise<void>
}

/**
 * Returns how a visitor begins without an account, if the tenant has `anonymousUsersEnabled`.
 * @example
 * ```tsx
 * import { useAnonymousUser } from '@bailiwick/react/anonymous'
 *
 * export function TryIt() {
 *   const { begin } = useAnonymousUser()
 *   return <button onClick={() => void begin()}>Try it without an account</button>
 * }
 * ```
 */
export function useAnonymousUser(): UseAnonymousUser {
  const { store } = useBailiwick()
  const { user } = useUser()
  const begin = useCallback(async () => {
    const client = createFrontendClient(store.connection, {
      createAnonymousUser: { method: 'POST', path: '/anonymous-users' },
      getChallenge: { method: 'GET', path: '/challenges' },
    })
    try {
      await client.createAnonymousUser({ body: {} })
    } catch (error) {
      if (!isBailiwickError(error, 'challenge_required')) throw error
      const { answerChallenge } = await import('../challenges/challenge.ts')
      await client.createAnonymousUser({ body: {}, ...(await answerChallenge(client, 'sign_up')) })
    }
    await store.changed()
  }, [store])
  return { isAnonymous: user?.isAnonymous, begin }
}
