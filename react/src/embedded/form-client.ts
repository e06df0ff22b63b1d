// The calls of the embedded forms. Only apps that show a form load them.
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import type { AuthStore } from '../auth-store.ts'
import { useBailiwick } from '../provider.tsx'

const createFormClient = ({ connection }: AuthStore) =>
  createFrontendClient(connection, {
    createSignIn: { method: 'POST', path: '/sign-ins' },
    prepareFirstFactor: { method: 'POST', path: '/sign-ins/{id}/prepare-first-factor' },
    attemptFirstFactor: { method: 'POST', path: '/sign-ins/{id}/attempt-first-factor' },
    prepareSecondFactor: { method: 'POST', path: '/sign-ins/{id}/prepare-second-factor' },
    attemptSecondFactor: { method: 'POST', path: '/sign-ins/{id}/attempt-second-factor' },
    createSignUp: { method: 'POST', path: '/sign-ups' },
    updateSignUp: { method: 'PATCH', path: '/sign-ups/{id}' },
    prepareVerification: { method: 'POST', path: '/sign-ups/{id}/prepare-verification' },
    attemptVerification: { method: 'POST', path: '/sign-ups/{id}/attempt-verification' },
  })

type FormClient = ReturnType<typeof createFormClient>
const clients = new WeakMap<AuthStore, FormClient>()

/** All forms of a provider share this client. */
export function useFormClient(): FormClient {
  const { store } = useBailiwick()
  let client = clients.get(store)
  if (client === undefined) clients.set(store, (client = createFormClient(store)))
  return client
}
