// The ways to sign in that an organization can allow, as pages name them: the passwords are one way.
import type { SignInStrategy } from '@bailiwick/contract'
import type { TextKey } from '@bailiwick/pages'
import type { PageCall } from '../call/page-call.ts'

export const waysToSignIn = [
  {
    name: 'password',
    key: 'choose.password',
    strategies: ['username_password', 'email_password', 'phone_password'],
  },
  { name: 'email_code', key: 'choose.emailCode', strategies: ['email_code'] },
  { name: 'email_link', key: 'choose.emailLink', strategies: ['email_link'] },
  { name: 'phone_code', key: 'choose.phoneCode', strategies: ['phone_code'] },
  { name: 'oauth', key: 'account.connections', strategies: ['oauth'] },
  { name: 'security_key', key: 'choose.passkey', strategies: ['security_key'] },
  { name: 'enterprise', key: 'setup.signOn', strategies: ['enterprise'] },
] as const satisfies readonly { name: string; key: TextKey; strategies: readonly SignInStrategy[] }[]

/** Returns what members read who must sign in again, in the reader's language. */
export function explainSignIn({ text }: PageCall, allowed: readonly SignInStrategy[]): string {
  const labels = waysToSignIn
    .filter(({ strategies }) => strategies.some((strategy) => allowed.includes(strategy)))
    .map(({ key }) => text(key))
  if (labels.length === 0) return text('orgs.signInAgain')
  return text('orgs.signInWays', { ways: labels.join(', ') })
}
