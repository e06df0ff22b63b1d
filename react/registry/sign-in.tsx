'use client'
// Signing in, with Tailwind classes. This file is yours: change it as you like.
import {
  type SignInFlow,
  type SignInStep,
  findSecondWays,
  findWays,
  useSignInForm,
  useTenant,
} from '@bailiwick/react/forms'
import type { ComponentProps } from 'react'

const button =
  'inline-flex h-9 items-center justify-center rounded-md bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90 aria-disabled:opacity-50'
const quiet = 'text-sm text-muted-foreground underline-offset-4 hover:underline'

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string
  readonly name: string
  readonly error?: string | undefined
}

function Field({ error, label, name, ...input }: FieldProps) {
  return (
    <label className="grid gap-2 text-sm font-medium">
      {label}
      <input
        required
        name={name}
        aria-invalid={error !== undefined}
        className="h-9 rounded-md border border-input bg-background px-3 text-sm aria-invalid:border-destructive"
        {...input}
      />
      {error !== undefined && <span className="text-sm text-destructive">{error}</span>}
    </label>
  )
}

const titles: Readonly<Record<SignInStep['at'], string>> = {
  start: 'Sign in',
  choose: 'How do you want to sign in?',
  connections: 'Sign in with your organization',
  elsewhere: 'Continue on the next page',
  password: 'Enter your password',
  code: 'Enter the code',
  passkey: 'Use your passkey',
  new_password: 'Choose a new password',
  second: 'Confirm that it is you',
  offer: 'Sign in faster next time',
  invited: 'You have been invited',
}

export interface SignInProps {
  /** Where the browser goes afterwards; the tenant's sign-in rules must list it. */
  readonly redirectTo?: string
  /** The hosted sign-in page, for steps that this form does not have. */
  readonly hostedPage: string
}

/** Answers the step with what was typed. */
function answer(flow: SignInFlow, read: (name: string) => string) {
  const { step } = flow
  if (step.at === 'start') return flow.begin(read('identifier').trim())
  if (step.at === 'password') return flow.prove({ password: read('password') })
  if (step.at === 'new_password') return flow.prove({ newPassword: read('newPassword') })
  if (step.at === 'code') return flow.prove({ code: read('code').trim() })
  if (step.at === 'second' && step.way !== 'key') return flow.proveSecond(read('code').trim())
  if (step.at === 'passkey' || step.at === 'second') return flow.provePasskey()
  return step.at === 'offer' ? flow.acceptOffer() : flow.end()
}

function Input({ step, work }: Pick<SignInFlow, 'step' | 'work'>) {
  const { fields } = work.problems
  const { at } = step
  if (at === 'start')
    return <Field label="E-mail address" name="identifier" autoComplete="username" error={fields['identifier']} />
  if (at === 'code' || (at === 'second' && step.way !== 'key'))
    return <Field label="Code" name="code" autoComplete="one-time-code" error={fields['code']} />
  if (at !== 'password' && at !== 'new_password') return null
  const isNew = at === 'new_password'
  const name = isNew ? 'newPassword' : 'password'
  return (
    <Field
      label={isNew ? 'New password' : 'Password'}
      name={name}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      error={fields[name]}
    />
  )
}

const firstWays: Readonly<Record<string, string>> = {
  email_password: 'Use your password',
  phone_password: 'Use your password',
  username_password: 'Use your password',
  email_code: 'Get a code by e-mail',
  phone_code: 'Get a code by text message',
  security_key: 'Use a passkey',
}
const secondWays = {
  app: 'Use the authenticator app',
  key: 'Use a passkey',
  recovery: 'Use a recovery code',
} as const

/** What else leads on from a step. */
function listChoices(flow: SignInFlow): (readonly [label: string, choose: () => unknown])[] {
  const { attempt, step } = flow
  if (step.at === 'start') return []
  if (step.at === 'invited') return [['Not now', flow.putOffInvitations]]
  if (step.at === 'offer') return [['Not now', flow.declineOffer]]
  const choices: (readonly [string, () => unknown])[] = []
  if (step.at === 'connections') for (const { id, name } of step.connections) choices.push([name, () => flow.leave(id)])
  if (step.at === 'second' && attempt !== undefined)
    for (const way of findSecondWays(attempt))
      if (way !== step.way) choices.push([secondWays[way], () => flow.go({ at: 'second', way })])
  if (step.at !== 'second' && attempt !== undefined)
    for (const way of findWays(attempt)) {
      const isCurrent = step.at === 'passkey' ? way === 'security_key' : 'strategy' in step && way === step.strategy
      const label = isCurrent ? 'Send a new code' : (firstWays[way] ?? way)
      if (!isCurrent || step.at === 'code') choices.push([label, () => flow.choose(way)])
    }
  return [...choices, ['Back', flow.restart]]
}

function Invited({ flow }: { readonly flow: SignInFlow }) {
  const { step } = flow
  if (step.at !== 'invited') return null
  return step.invitations.map((each) => (
    <div key={each.id} className="flex items-center gap-4">
      <bdi className="grow text-sm font-medium">{each.organization.name}</bdi>
      <button type="button" className={quiet} onClick={() => void flow.declineInvitation(each)}>
        Decline
      </button>
      <button type="button" className={button} onClick={() => void flow.acceptInvitation(each)}>
        Join
      </button>
    </div>
  ))
}

export function SignIn({ hostedPage, redirectTo }: SignInProps) {
  const tenant = useTenant()
  const flow = useSignInForm({ redirectTo })
  const { step, work } = flow
  const { form: problem } = work.problems
  const hasForm = !['elsewhere', 'connections', 'choose', 'invited'].includes(step.at)
  return (
    <section className="grid w-full max-w-sm gap-6 rounded-xl border bg-card p-6 text-card-foreground shadow-sm">
      <h2 className="text-lg font-semibold">
        {step.at === 'start' ? `Sign in to ${tenant?.name ?? '…'}` : titles[step.at]}
      </h2>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
      {step.at === 'elsewhere' && (
        <a className={button} href={hostedPage}>
          Continue
        </a>
      )}
      {hasForm && (
        <form
          key={step.at}
          className="grid gap-4"
          aria-busy={work.isBusy}
          onSubmit={(event) => {
            event.preventDefault()
            const values = new URLSearchParams([...new FormData(event.currentTarget)] as [string, string][])
            void answer(flow, (name) => values.get(name) ?? '')
          }}
        >
          <Input step={step} work={work} />
          <button type="submit" className={button} aria-disabled={work.isBusy}>
            Continue
          </button>
        </form>
      )}
      <Invited flow={flow} />
      {listChoices(flow).map(([label, choose]) => (
        <button key={label} type="button" className={quiet} onClick={() => void choose()}>
          {label}
        </button>
      ))}
    </section>
  )
}
