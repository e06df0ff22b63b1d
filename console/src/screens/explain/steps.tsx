// The ways of one step of a sign-in: which ones work for the person, and why the others do not.
import type { SignInExplanation } from '@bailiwick/contract'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../parts/icon.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { readReason } from '../rules/setting-names.ts'

export const strategyNames: Readonly<Record<string, string>> = {
  username_password: 'Username and password',
  email_password: 'E-mail address and password',
  phone_password: 'Phone number and password',
  email_link: 'Link by e-mail',
  email_code: 'Code by e-mail',
  phone_code: 'Code by text message',
  oauth: 'Social provider',
  enterprise: 'Single sign-on of the organization',
  authenticator_code: 'Authenticator app',
  security_key: 'Passkey or security key',
}

export const strategyName = (strategy: string): string => strategyNames[strategy] ?? strategy

export function Steps({ of }: { readonly of: SignInExplanation['firstFactors'] }) {
  return (
    <ul className="steps">
      {of.map(({ strategy, usable, reasons }) => (
        <li key={strategy} data-usable={usable}>
          <Icon name={usable ? 'check' : 'close'} />
          <span>
            <strong>{strategyName(strategy)}</strong>
            <span className="quiet">{usable ? 'works' : reasons.map(readReason).join('; ')}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The rules that ask the user for a second factor, each with the screen on which it is changed. */
export function FactorRules({ of: rules }: { readonly of: SignInExplanation['secondFactorRules'] }) {
  const path = useTenantPath()
  if (rules.length === 0) return null
  return (
    <ul className="reasons">
      {rules.map(({ by, id, name }) => (
        <li key={`${by} ${id ?? ''}`}>
          {by === 'tenant' ? (
            <Link to={path('sign-in-rules?tab=second-factor')}>Required by the sign-in rules</Link>
          ) : (
            <>
              {by === 'role' ? 'Required by the role' : 'Required before the user acts for'}{' '}
              <Link to={path(`${by === 'role' ? 'roles' : 'organizations'}/${id ?? ''}`)}>{name}</Link>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
