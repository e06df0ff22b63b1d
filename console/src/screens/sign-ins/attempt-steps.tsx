// The course of an attempt: what was done, where it is, and what is still to come.
import { Icon } from '../../parts/icon.tsx'

export interface Step {
  readonly title: string
  readonly detail?: string | undefined
  readonly state: 'done' | 'current' | 'ahead'
}

const words = { done: 'done', current: 'here', ahead: 'not reached' } as const

export function AttemptSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className="way">
      {steps.map(({ title, detail, state }) => (
        <li key={title} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
          <span className="way-mark">{state === 'done' ? <Icon name="check" /> : null}</span>
          <span className="stack">
            <strong>
              {title} <span className="visually-hidden">({words[state]})</span>
            </strong>
            {detail === undefined ? null : <span className="quiet">{detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

const names: Readonly<Record<string, string>> = {
  username_password: 'user name and password',
  email_password: 'e-mail address and password',
  phone_password: 'phone number and password',
  email_link: 'link by e-mail',
  email_code: 'code by e-mail',
  phone_code: 'code by SMS',
  oauth: 'social account',
  enterprise: 'single sign-on',
  authenticator_code: 'authenticator app',
  security_key: 'passkey or security key',
}

/** Returns a way to sign in, in words. */
export const wayName = (strategy: string) => names[strategy] ?? strategy
export const wayNames = (strategies: readonly string[]) => strategies.map(wayName).join(', ')
