'use client'
// Signing in, with Tailwind classes. This file is yours: change it as you like.
import { type SignInStep, findSecondWays, useSignInForm, useTenant } from '@bailiwick/react/forms'
import type { ComponentProps, ReactNode } from 'react'

const button =
  'inline-flex h-9 w-full items-center justify-center rounded-md bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90 aria-disabled:opacity-50'
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

export function SignIn({ hostedPage, redirectTo }: SignInProps) {
  const tenant = useTenant()
  const flow = useSignInForm({ redirectTo })
  const { attempt, step, work } = flow
  const { fields, form: problem } = work.problems

  function send(event: { readonly currentTarget: HTMLFormElement; preventDefault: () => void }) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const read = (name: string) => String(data.get(name) ?? '')
    if (step.at === 'start') void flow.begin(read('identifier').trim())
    if (step.at === 'password') void flow.prove({ password: read('password') })
    if (step.at === 'new_password') void flow.prove({ newPassword: read('newPassword') })
    if (step.at === 'code') void flow.prove({ code: read('code').trim() })
    if (step.at === 'passkey' || (step.at === 'second' && step.way === 'key')) void flow.provePasskey()
    else if (step.at === 'second') void flow.proveSecond(read('code').trim())
    if (step.at === 'offer') void flow.acceptOffer()
    // The invitations stay open; <OrganizationSwitcher/> has them.
    if (step.at === 'invited') void flow.end()
  }

  const inputs: Partial<Record<SignInStep['at'], ReactNode>> = {
    start: (
      <Field label="E-mail address" name="identifier" autoComplete="username webauthn" error={fields['identifier']} />
    ),
    password: (
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={fields['password']}
      />
    ),
    new_password: (
      <Field
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        error={fields['newPassword']}
      />
    ),
    code: <Field label="Code" name="code" inputMode="numeric" autoComplete="one-time-code" error={fields['code']} />,
  }
  const others = step.at === 'second' && attempt ? findSecondWays(attempt).filter((way) => way !== step.way) : []

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
      {step.at === 'elsewhere' ? (
        <a className={button} href={hostedPage}>
          Continue
        </a>
      ) : (
        <form key={step.at} className="grid gap-4" onSubmit={send} aria-busy={work.isBusy}>
          {inputs[step.at]}
          {step.at === 'second' && step.way !== 'key' && (
            <Field label="Code" name="code" autoComplete="one-time-code" error={fields['code']} />
          )}
          <button type="submit" className={button} aria-disabled={work.isBusy}>
            Continue
          </button>
        </form>
      )}
      {others.map((way) => (
        <button key={way} type="button" className={quiet} onClick={() => flow.go({ at: 'second', way })}>
          {way === 'recovery' ? 'Use a recovery code' : way === 'key' ? 'Use a passkey' : 'Use the authenticator app'}
        </button>
      ))}
      {step.at === 'offer' && (
        <button type="button" className={quiet} onClick={() => void flow.declineOffer()}>
          Not now
        </button>
      )}
      {step.at === 'connections' &&
        step.connections.map(({ id, name }) => (
          <button key={id} type="button" className={quiet} onClick={() => void flow.leave(id)}>
            {name}
          </button>
        ))}
      {step.at !== 'start' && step.at !== 'offer' && (
        <button type="button" className={quiet} onClick={flow.restart}>
          Back
        </button>
      )}
    </section>
  )
}
