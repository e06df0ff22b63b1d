'use client'
// Open invitations to organizations, without a look. Only apps that use them load this.
import type { ReceivedInvitation } from '@bailiwick/contract'
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useUser } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'

export interface UseInvitations {
  /** Undefined until they have been fetched, and while no user is signed in. */
  readonly invitations: readonly ReceivedInvitation[] | undefined
  /** Why they could not be fetched; `reload` tries again. */
  readonly error: unknown
  readonly reload: () => Promise<void>
  /**
   * Makes the user a member of the organization.
   * @throws BailiwickError invitation_invalid, membership_limit_reached
   */
  readonly accept: (invitation: ReceivedInvitation) => Promise<void>
  /** @throws BailiwickError invitation_invalid */
  readonly decline: (invitation: ReceivedInvitation) => Promise<void>
}

const answers = '/user/organizations/{id}/invitations/{invitationId}'

function useCalls() {
  const { store } = useBailiwick()
  return useMemo(
    () =>
      createFrontendClient(store.connection, {
        listReceivedInvitations: { method: 'GET', path: '/user/organizations/invitations' },
        acceptReceivedInvitation: { method: 'POST', path: `${answers}/accept` },
        declineReceivedInvitation: { method: 'POST', path: `${answers}/decline` },
      }),
    [store],
  )
}

/** What is known of the invitations of one user. */
interface Found {
  readonly userId: string
  readonly invitations?: readonly ReceivedInvitation[]
  readonly error?: unknown
}

/**
 * Returns the open invitations of the signed-in user to organizations, and how to answer them.
 * @example
 * ```tsx
 * import { useInvitations } from '@bailiwick/react/invitations'
 *
 * export function Invited() {
 *   const { accept, decline, invitations = [] } = useInvitations()
 *   return invitations.map((each) => (
 *     <p key={each.id}>
 *       {each.organization.name}
 *       <button onClick={() => void accept(each)}>Join</button>
 *       <button onClick={() => void decline(each)}>Decline</button>
 *     </p>
 *   ))
 * }
 * ```
 */
export function useInvitations(): UseInvitations {
  const { store } = useBailiwick()
  const calls = useCalls()
  const userId = useUser().user?.id
  const [found, setFound] = useState<Found>()
  const reload = useCallback(async () => {
    if (userId === undefined) return
    const answer = await calls.listReceivedInvitations().catch((error: unknown) => ({ error }))
    setFound({ userId, ...answer })
  }, [calls, userId])
  useEffect(() => void reload(), [reload])
  const answer = async (name: 'acceptReceivedInvitation' | 'declineReceivedInvitation', each: ReceivedInvitation) => {
    await calls[name]({ params: { id: each.organization.id, invitationId: each.id }, body: {} })
    await reload()
    await store.changed()
  }
  // Another account of the browser may be in use since they were fetched.
  const own = found?.userId === userId ? found : undefined
  return {
    invitations: own?.invitations,
    error: own?.error,
    reload,
    accept: (each) => answer('acceptReceivedInvitation', each),
    decline: (each) => answer('declineReceivedInvitation', each),
  }
}
