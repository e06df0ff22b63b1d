import type { SignInStrategy } from '@bailiwick/contract'
import type { IdentifierKinds } from '@bailiwick/pages'

const identifierStrategies: Readonly<Record<keyof IdentifierKinds, readonly SignInStrategy[]>> = {
  email: ['email_password', 'email_code', 'email_link'],
  phone: ['phone_password', 'phone_code'],
  username: ['username_password'],
}

/** Returns the kinds of identifiers with which one of the strategies begins. */
export function kindsFor(strategies: readonly SignInStrategy[]): IdentifierKinds {
  const has = (kind: keyof IdentifierKinds) => identifierStrategies[kind].some((each) => strategies.includes(each))
  return { email: has('email'), phone: has('phone'), username: has('username') }
}
