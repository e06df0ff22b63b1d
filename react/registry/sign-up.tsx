'use client'
// Signing up, with Tailwind classes. This file is yours: change it as you like.
import { type SignUpFlow, useSignUpForm, useTenant } from '@bailiwick/react/forms'

type Tenant = NonNullable<ReturnType<typeof useTenant>>

const button =
  'inline-flex h-9 w-full items-center justify-center rounded-md bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90 aria-disabled:opacity-50'
const quiet = 'text-sm text-muted-foreground underline-offset-4 hover:underline'
const input = 'h-9 rounded-md border border-input bg-background px-3 text-sm aria-invalid:border-destructive'

const labels = {
  email: 'E-mail address',
  phone: 'Phone number',
  username: 'Username',
  name: 'Name',
  password: 'Password',
} as const
const types = { email: 'email', phone: 'tel', username: 'text', name: 'text', password: 'password' } as const
const completions = {
  email: 'email',
  phone: 'tel',
  username: 'username',
  name: 'name',
  password: 'new-password',
} as const

export interface SignUpProps {
  /** Where the browser goes afterwards; the tenant's sign-in rules must list it. */
  readonly redirectTo?: string
  /** The hosted sign-up page, for what this form does not have. */
  readonly hostedPage: string
}

function Inputs({ flow }: { readonly flow: SignUpFlow }) {
  const { contact } = flow
  const problems = flow.work.problems.fields
  const names = contact === undefined ? flow.fields : []
  return (
    <>
      {names.map((name) => (
        <label key={name} className="grid gap-2 text-sm font-medium">
          {labels[name]}
          <input
            required
            className={input}
            name={name}
            type={types[name]}
            autoComplete={completions[name]}
            aria-invalid={problems[name] !== undefined}
          />
          {problems[name] !== undefined && <span className="text-sm text-destructive">{problems[name]}</span>}
        </label>
      ))}
      {contact !== undefined && (
        <label className="grid gap-2 text-sm font-medium">
          The code that was sent to {contact.address}
          <input
            required
            className={input}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            aria-invalid={problems['code'] !== undefined}
          />
          {problems['code'] !== undefined && <span className="text-sm text-destructive">{problems['code']}</span>}
        </label>
      )}
    </>
  )
}

function Steps({ hostedPage, redirectTo, tenant }: SignUpProps & { readonly tenant: Tenant }) {
  const flow = useSignUpForm(tenant, { redirectTo })
  const { contact, work } = flow
  const { form: problem } = work.problems

  function send(event: { readonly currentTarget: HTMLFormElement; preventDefault: () => void }) {
    event.preventDefault()
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    ) as Record<string, string>
    if (contact === undefined) void flow.fill(values)
    else void flow.verify(values['code']?.trim() ?? '')
  }

  // Attributes of the tenant's own are asked for on the hosted page.
  if (flow.isElsewhere || flow.attributes.length > 0) {
    return (
      <a className={button} href={hostedPage}>
        Continue
      </a>
    )
  }
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
      <form key={String(contact?.address)} className="grid gap-4" onSubmit={send} aria-busy={work.isBusy}>
        <Inputs flow={flow} />
        <button type="submit" className={button} aria-disabled={work.isBusy}>
          Continue
        </button>
      </form>
      {contact !== undefined && (
        <button type="button" className={quiet} onClick={() => void flow.resend()}>
          {flow.isSentAgain ? 'A new code is on its way' : 'Send a new code'}
        </button>
      )}
    </>
  )
}

export function SignUp(props: SignUpProps) {
  const tenant = useTenant()
  return (
    <section className="grid w-full max-w-sm gap-6 rounded-xl border bg-card p-6 text-card-foreground shadow-sm">
      <h2 className="text-lg font-semibold">Create an account at {tenant?.name ?? '…'}</h2>
      {tenant !== undefined && <Steps {...props} tenant={tenant} />}
    </section>
  )
}
