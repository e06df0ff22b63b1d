// The keys of a user or an organization, and what can be done with them.
import type { UserApiKey, UserApiKeyWithKey } from '@bailiwick/contract'
import { createFrontendClient, isBailiwickError } from '@bailiwick/sdk/frontend'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useBailiwick } from '../provider.tsx'

const userPath = '/user/api-keys'
const organizationPath = '/user/organizations/{id}/api-keys'

export interface Offer {
  readonly scopes: readonly string[]
  readonly daysMax: number
}

export interface NewKey {
  readonly name: string
  readonly scopes: string[]
  readonly expiresAt: string | null
}

/** `prove`: the user must first prove again who it is; `limit`: no more keys are allowed. */
export type Problem = 'prove' | 'second' | 'limit' | 'failed'

function findProblem(error: unknown): Problem {
  if (isBailiwickError(error, 'reauthentication_required')) return 'prove'
  if (isBailiwickError(error, 'second_factor_required')) return 'second'
  return isBailiwickError(error, 'user_api_key_limit_reached') ? 'limit' : 'failed'
}

interface KeyCalls {
  readonly list: () => Promise<{ readonly apiKeys: readonly UserApiKey[]; readonly offer: Offer }>
  readonly create: (body: NewKey) => Promise<{ readonly apiKey: UserApiKeyWithKey }>
  readonly rotate: (key: UserApiKey) => Promise<{ readonly apiKey: UserApiKeyWithKey }>
  readonly end: (key: UserApiKey) => Promise<unknown>
}

function useCalls(organizationId: string | undefined): KeyCalls {
  const { store } = useBailiwick()
  return useMemo(() => {
    const client = createFrontendClient(store.connection, {
      listOwnApiKeys: { method: 'GET', path: userPath },
      createOwnApiKey: { method: 'POST', path: userPath },
      rotateOwnApiKey: { method: 'POST', path: `${userPath}/{id}/rotate` },
      deleteOwnApiKey: { method: 'DELETE', path: `${userPath}/{id}` },
      listOwnOrganizationApiKeys: { method: 'GET', path: organizationPath },
      createOwnOrganizationApiKey: { method: 'POST', path: organizationPath },
      rotateOwnOrganizationApiKey: { method: 'POST', path: `${organizationPath}/{keyId}/rotate` },
      deleteOwnOrganizationApiKey: { method: 'DELETE', path: `${organizationPath}/{keyId}` },
    })
    if (organizationId === undefined) {
      return {
        list: () => client.listOwnApiKeys({}),
        create: (body) => client.createOwnApiKey({ body }),
        rotate: ({ id }) => client.rotateOwnApiKey({ params: { id }, body: {} }),
        end: ({ id }) => client.deleteOwnApiKey({ params: { id } }),
      }
    }
    const params = { id: organizationId }
    return {
      list: () => client.listOwnOrganizationApiKeys({ params }),
      create: (body) => client.createOwnOrganizationApiKey({ params, body }),
      rotate: ({ id: keyId }) => client.rotateOwnOrganizationApiKey({ params: { ...params, keyId }, body: {} }),
      end: ({ id: keyId }) => client.deleteOwnOrganizationApiKey({ params: { ...params, keyId } }),
    }
  }, [store, organizationId])
}

export interface Keys {
  /** Undefined while they are fetched. */
  readonly keys: readonly UserApiKey[] | undefined
  readonly offer: Offer | undefined
  /** The key that was just made; it is shown only now. */
  readonly made: UserApiKeyWithKey | undefined
  readonly hasEnded: boolean
  readonly problem: Problem | undefined
  readonly isBusy: boolean
  readonly create: (key: NewKey) => void
  readonly rotate: (key: UserApiKey) => void
  readonly end: (key: UserApiKey) => void
}

export function useKeys(organizationId: string | undefined): Keys {
  const calls = useCalls(organizationId)
  const [listed, setListed] = useState<Awaited<ReturnType<KeyCalls['list']>>>()
  const [made, setMade] = useState<UserApiKeyWithKey>()
  const [hasEnded, setEnded] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)

  const run = useCallback(
    async (work?: () => Promise<UserApiKeyWithKey | undefined>) => {
      setBusy(true)
      setProblem(undefined)
      setEnded(false)
      try {
        const key = await work?.()
        if (work !== undefined) {
          setMade(key)
          setEnded(key === undefined)
        }
        setListed(await calls.list())
      } catch (error) {
        setProblem(findProblem(error))
      } finally {
        setBusy(false)
      }
    },
    [calls],
  )
  useEffect(() => void run(), [run])

  return {
    keys: listed?.apiKeys,
    offer: listed?.offer,
    made,
    hasEnded,
    problem,
    isBusy,
    create: (key) => void run(async () => (await calls.create(key)).apiKey),
    rotate: (key) => void run(async () => (await calls.rotate(key)).apiKey),
    end: (key) =>
      void run(async () => {
        await calls.end(key)
        return undefined
      }),
  }
}
