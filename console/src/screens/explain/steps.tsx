// The ways of one step of a sign-in: which ones work for the person, and why the others do not.
import type { SignInExplanation } from '@bailiwick/contract'
import { Icon } from '../../parts/icon.tsx'
import { readReason } from '../rules/setting-names.ts'

const strategyNames: Readonly<Record<string, string>> = {
  username_password: 'Username and password',
  email_password: 'E-mail address and password',
  phone_password: 'Phone number and password',
  email_link: 'Link by e-mail',
  email_code: 'Code by e-mail',
  phone_code: 'Code by text message',
  oauth: 'Social provider',
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
