// The calls of the embedded forms. Only apps that show a form load them.
import type { ChallengePurpose } from '@bailiwick/contract'
import { createFrontendClient, isBailiwickError } from '@bailiwick/sdk/frontend'
import type { AuthStore } from '../auth-store.ts'
import { useBailiwick } from '../provider.tsx'

function createFormClient({ connection }: AuthStore) {
  const client = createFrontendClient(connection, {
    getChallenge: { method: 'GET', path: '/challenges' },
    createSignIn: { method: 'POST', path: '/sign-ins' },
    prepareFirstFactor: { method: 'POST', path: '/sign-ins/{id}/prepare-first-factor' },
    attemptFirstFactor: { method: 'POST', path: '/sign-ins/{id}/attempt-first-factor' },
    prepareSecondFactor: { method: 'POST', path: '/sign-ins/{id}/prepare-second-factor' },
    attemptSecondFactor: { method: 'POST', path: '/sign-ins/{id}/attempt-second-factor' },
    getPasskeySignals: { method: 'GET', path: '/user/passkeys/signals' },
    createPasskeyOptions: { method: 'POST', path: '/user/passkeys/options' },
    createPasskey: { method: 'POST', path: '/user/passkeys' },
    listReceivedInvitations: { method: 'GET', path: '/user/organizations/invitations' },
    acceptReceivedInvitation: { method: 'POST', path: '/user/organizations/{id}/invitations/{invitationId}/accept' },
    declineReceivedInvitation: { method: 'POST', path: '/user/organizations/{id}/invitations/{invitationId}/decline' },
    createSignUp: { method: 'POST', path: '/sign-ups' },
    updateSignUp: { method: 'PATCH', path: '/sign-ups/{id}' },
    prepareVerification: { method: 'POST', path: '/sign-ups/{id}/prepare-verification' },
    attemptVerification: { method: 'POST', path: '/sign-ups/{id}/attempt-verification' },
  })
  /** Solves a puzzle, and sends the call again, where the tenant asks for that. */
  const solving =
    <Input extends object, Answer>(purpose: ChallengePurpose, call: (input: Input) => Promise<Answer>) =>
    async (input: Input) => {
      try {
        return await call(input)
      } catch (error) {
        if (!isBailiwickError(error, 'challenge_required')) throw error
        const { answerChallenge } = await import('../challenges/challenge.ts')
        return call({ ...input, ...(await answerChallenge(client, purpose)) })
      }
    }
  return {
    ...client,
    createSignIn: solving('sign_in', client.createSignIn),
    attemptFirstFactor: solving('sign_in', client.attemptFirstFactor),
    createSignUp: solving('sign_up', client.createSignUp),
  }
}

type FormClient = ReturnType<typeof createFormClient>
const clients = new WeakMap<AuthStore, FormClient>()

/** All forms of a provider share this client. */
export function useFormClient(): FormClient {
  const { store } = useBailiwick()
  let client = clients.get(store)
  if (client === undefined) clients.set(store, (client = createFormClient(store)))
  return client
}
