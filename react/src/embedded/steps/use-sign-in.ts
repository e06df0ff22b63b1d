// Signing in, step by step: what has been answered so far, and what leads on.
import type { ReceivedInvitation, SignInAnswer, SignInAttempt, SignInStrategy } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import { useState } from 'react'
import { useBailiwick } from '../../provider.tsx'
import { readInvitationToken } from '../../return-address.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { useFormClient } from '../form-client.ts'
import { findInvitations, putOffInvitations } from '../invited.tsx'
import {
  answerChallenge,
  hasPasskeys,
  isOffered,
  makePasskey,
  provePasskey,
  putOff,
  signInWithPasskey,
} from '../passkey.ts'
import { type Work, useWork } from '../use-work.ts'

export type SecondWay = 'app' | 'key' | 'recovery'

/** The connections of the organization to which the address belongs. */
export type Connections = NonNullable<SignInAnswer['connections']>

export type SignInStep =
  | { readonly at: 'start' }
  | { readonly at: 'choose' }
  | { readonly at: 'elsewhere' }
  | { readonly at: 'connections'; readonly connections: Connections }
  | { readonly at: 'password'; readonly strategy: SignInStrategy }
  | { readonly at: 'code'; readonly strategy: SignInStrategy; readonly isSentAgain: boolean }
  | { readonly at: 'passkey' }
  /** Somebody else has set the password that was right. */
  | { readonly at: 'new_password'; readonly strategy: SignInStrategy; readonly password: string }
  | { readonly at: 'second'; readonly way: SecondWay }
  /** Signed in, and offered a passkey. */
  | { readonly at: 'offer' }
  /** Signed in, and invited to organizations. */
  | { readonly at: 'invited'; readonly invitations: readonly ReceivedInvitation[] }

/** What can be done within the page; a link in a mail leads to a hosted page. */
const withinPage: ReadonlySet<string> = new Set([
  'email_password',
  'phone_password',
  'username_password',
  'email_code',
  'phone_code',
  'security_key',
])

export const findWays = ({ supportedFirstFactors }: SignInAttempt): SignInStrategy[] =>
  supportedFirstFactors.filter(
    (way) => withinPage.has(way) && (way !== 'security_key' || hasPasskeys()),
  ) as SignInStrategy[]

/** Recovery codes stand in for what has been lost, wherever codes are taken. */
export const findSecondWays = ({ supportedSecondFactors }: SignInAttempt): SecondWay[] => [
  ...(supportedSecondFactors.includes('security_key') && hasPasskeys() ? (['key'] as const) : []),
  ...(supportedSecondFactors.includes('authenticator_code') ? (['app', 'recovery'] as const) : []),
]

export interface SignInFlow {
  readonly work: Work
  readonly step: SignInStep
  readonly attempt: SignInAttempt | undefined
  readonly go: (step: SignInStep) => void
  readonly restart: () => void
  readonly begin: (identifier: string) => Promise<void>
  /** With a passkey alone, which also says who it is. */
  readonly beginWithPasskey: () => Promise<void>
  /** Goes on at the provider of the organization. */
  readonly leave: (connectionId: string) => Promise<void>
  readonly choose: (strategy: SignInStrategy, isAgain?: boolean) => Promise<void>
  readonly prove: (body: {
    readonly password?: string
    readonly newPassword?: string
    readonly code?: string
  }) => Promise<void>
  readonly provePasskey: () => Promise<void>
  readonly proveSecond: (code: string) => Promise<void>
  readonly acceptOffer: () => Promise<void>
  readonly declineOffer: () => Promise<void>
  /** Answers one of the open invitations; the last answer ends the sign-in. */
  readonly acceptInvitation: (invitation: ReceivedInvitation) => Promise<void>
  readonly declineInvitation: (invitation: ReceivedInvitation) => Promise<void>
  /** Leaves those that are still open for later, and ends the sign-in. */
  readonly putOffInvitations: () => Promise<void>
  /** Leaves the last step, whatever is still open: the user has been signed in. */
  readonly end: () => Promise<void>
}

const isPassword = (strategy: string) => strategy.endsWith('_password')
const refusedPassword = ['password', 'wrongPassword'] as const
const refusedCode = ['code', 'wrongCode'] as const
const refusedPasskey = [undefined, 'wrongPasskey'] as const

type Client = ReturnType<typeof useFormClient>
const byPasskey = 'security_key' as const

/** Proves a passkey as the factor that the attempt waits for. */
async function proveByPasskey(client: Client, attempt: SignInAttempt): Promise<SignInAnswer> {
  const { id, status } = attempt
  const input = { params: { id }, body: { strategy: byPasskey } }
  if (status !== 'needs_factor_two')
    return provePasskey(client, attempt, (await client.prepareFirstFactor(input)).publicKeyOptions)
  const { publicKeyOptions } = await client.prepareSecondFactor(input)
  const credential = await answerChallenge(publicKeyOptions)
  return client.attemptSecondFactor({ params: { id }, body: { strategy: byPasskey, credential } })
}

/** Proves a code of an app, or a recovery code, as the second factor. */
const proveByCode = (client: Client, { id }: SignInAttempt, code: string): Promise<SignInAnswer> =>
  client.attemptSecondFactor({ params: { id }, body: { strategy: 'authenticator_code', code } })

/** Returns where an answer leads to: the next step, the end, or undefined if nothing changes. */
async function nextStep(client: Client, attempt: SignInAttempt): Promise<SignInStep | 'end' | undefined> {
  if (attempt.status === 'complete') return (await isOffered(client, attempt)) ? { at: 'offer' } : 'end'
  // A second factor is set up on the hosted pages.
  if (attempt.status === 'needs_enrolment') return { at: 'elsewhere' }
  if (attempt.status !== 'needs_factor_two') return undefined
  const [way] = findSecondWays(attempt)
  return way === undefined ? { at: 'elsewhere' } : { at: 'second', way }
}

/** Prepares a strategy, and returns the step at which it is proven. */
async function prepareStep(
  client: Client,
  { id }: SignInAttempt,
  strategy: SignInStrategy,
  isSentAgain: boolean,
): Promise<SignInStep> {
  if (isPassword(strategy)) return { at: 'password', strategy }
  if (strategy === byPasskey) return { at: 'passkey' }
  await client.prepareFirstFactor({ params: { id }, body: { strategy } })
  return { at: 'code', strategy, isSentAgain }
}

/** The attempt and the step at which it is. */
function useAttempt() {
  const [attempt, setAttempt] = useState<SignInAttempt>()
  const [step, setStep] = useState<SignInStep>({ at: 'start' })
  const open = (): SignInAttempt => {
    if (attempt === undefined) throw new Error('no attempt to sign in has begun')
    return attempt
  }
  return { attempt, setAttempt, step, setStep, open }
}

/** The way to the provider of the organization to which an address belongs. */
function useConnections(client: Client, redirectTo: string | undefined) {
  const { isByTokens, pages } = useBailiwick()
  return {
    /** What the attempt begins with: it ends where the person wants to go, whichever way that takes. */
    destination: redirectTo === undefined ? {} : { redirectUri: redirectTo },
    /** None in an app with tokens, because the hosted pages would put the session into cookies. */
    usable: (connections: Connections = []): Connections => (isByTokens ? [] : connections),
    leave: async ({ id }: SignInAttempt, connectionId: string) => {
      const redirectUri = pages.providerReturn(redirectTo)
      const body = { strategy: 'enterprise', connectionId, redirectUri } as const
      const { authorizeUri } = await client.prepareFirstFactor({ params: { id }, body })
      if (authorizeUri !== undefined) location.assign(authorizeUri)
    },
  }
}

interface Offered {
  readonly client: Client
  readonly work: Work
  readonly open: () => SignInAttempt
  readonly arrive: () => Promise<void>
}

/** The answers to the offer of a passkey. */
const answerOffer = ({ client, work, open, arrive }: Offered) => ({
  acceptOffer: () => work.run([undefined, 'offerFailed'], () => makePasskey(client).then(arrive)),
  declineOffer: () => {
    putOff(open())
    return arrive()
  },
})

/** Returns what ends a sign-in: open invitations are offered before the browser goes on. */
function useInvitations(client: Client, setStep: (step: SignInStep) => void, end: () => Promise<void>) {
  const { store } = useBailiwick()
  return async () => {
    const hasOrganizations = store.snapshot().tenant?.auth['organizationsEnabled'] === true
    // An invitation whose link has led here is answered on its own page.
    const mayOffer = hasOrganizations && !readInvitationToken(location.href)
    const invitations = mayOffer ? await findInvitations(client) : []
    return invitations.length === 0 ? end() : setStep({ at: 'invited', invitations })
  }
}

interface Invited extends Pick<SignInFlow, 'step' | 'work' | 'end'> {
  readonly client: Client
  readonly setStep: (step: SignInStep) => void
}

/** The answers to open invitations. */
function answerInvitations({ client, end, setStep, step, work }: Invited) {
  const invitations = step.at === 'invited' ? step.invitations : []
  const answer =
    (call: 'acceptReceivedInvitation' | 'declineReceivedInvitation') =>
    ({ id, organization }: ReceivedInvitation) =>
      work.run([undefined, 'failed'], async () => {
        await client[call]({ params: { id: organization.id, invitationId: id }, body: {} })
        const others = invitations.filter((each) => each.id !== id)
        if (others.length === 0) await end()
        else setStep({ at: 'invited', invitations: others })
      })
  return {
    acceptInvitation: answer('acceptReceivedInvitation'),
    declineInvitation: answer('declineReceivedInvitation'),
    putOffInvitations: () => {
      putOffInvitations(invitations)
      return end()
    },
  }
}

export function useSignIn(texts: Texts, end: () => Promise<void>, redirectTo: string | undefined): SignInFlow {
  const client = useFormClient()
  const { destination, usable, leave } = useConnections(client, redirectTo)
  const work = useWork(texts)
  const { attempt, setAttempt, step, setStep, open } = useAttempt()
  const arrive = useInvitations(client, setStep, end)

  async function follow({ signInAttempt }: SignInAnswer) {
    setAttempt(signInAttempt)
    const next = await nextStep(client, signInAttempt)
    if (next === 'end') return arrive()
    if (next !== undefined) setStep(next)
  }

  const prepare = async (begun: SignInAttempt, strategy: SignInStrategy, isSentAgain: boolean) =>
    setStep(await prepareStep(client, begun, strategy, isSentAgain))

  async function begin(identifier: string) {
    const { signInAttempt, ...answer } = await client.createSignIn({ body: { identifier, ...destination } })
    setAttempt(signInAttempt)
    const [first] = findWays(signInAttempt)
    const [only, ...others] = usable(answer.connections)
    if (only !== undefined && others.length === 0 && first === undefined) await leave(signInAttempt, only.id)
    else if (only !== undefined) setStep({ at: 'connections', connections: [only, ...others] })
    else if (first === undefined) setStep({ at: 'elsewhere' })
    else await prepare(signInAttempt, first, false)
  }

  async function proveFirst(body: Parameters<SignInFlow['prove']>[0]) {
    if (step.at !== 'password' && step.at !== 'code' && step.at !== 'new_password') return
    const { strategy } = step
    const proof = step.at === 'new_password' ? { password: step.password, ...body } : body
    try {
      await follow(await client.attemptFirstFactor({ params: { id: open().id }, body: { strategy, ...proof } }))
    } catch (error) {
      if (!isBailiwickError(error, 'password_change_required') || proof.password === undefined) throw error
      setStep({ at: 'new_password', strategy, password: proof.password })
    }
  }

  const go = (next: SignInStep) => {
    work.clear()
    setStep(next)
  }
  return {
    work,
    step,
    attempt,
    go,
    restart() {
      setAttempt(undefined)
      go({ at: 'start' })
    },
    begin: (identifier) => work.run(['identifier', 'invalid'], () => begin(identifier)),
    beginWithPasskey: () => work.run(refusedPasskey, async () => follow(await signInWithPasskey(client))),
    leave: (connectionId) => work.run([undefined, 'failed'], () => leave(open(), connectionId)),
    choose: (strategy, isAgain = false) => work.run(refusedCode, () => prepare(open(), strategy, isAgain)),
    prove: (body) => work.run('code' in body ? refusedCode : refusedPassword, () => proveFirst(body)),
    provePasskey: () => work.run(refusedPasskey, async () => follow(await proveByPasskey(client, open()))),
    ...answerOffer({ client, work, open, arrive }),
    ...answerInvitations({ client, end, setStep, step, work }),
    end,
    proveSecond: (code) => work.run(refusedCode, async () => follow(await proveByCode(client, open(), code))),
  }
}
