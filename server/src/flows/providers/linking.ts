// Decides whose an identity is. It is a pure function, so that every combination can be tested; docs/security-tests.md 2.2 says what must
// never happen.
import type { UserId } from '../../platform/ids.ts'
import type { ProviderUser } from './provider.ts'

/** The account that has the provider's address here. */
export interface LocalAccount {
  readonly userId: UserId
  readonly isAddressVerified: boolean
  /** Whether somebody has proven to own another address or number of this account. */
  readonly isOtherwiseProven: boolean
}

export interface Facts {
  readonly identity: Pick<ProviderUser, 'email' | 'isEmailVerified'>
  /** The user who has connected this very identity. */
  readonly connectedTo: UserId | undefined
  readonly account: LocalAccount | undefined
  /** The tenant's switch for linking. */
  readonly isAutoConnected: boolean
}

export type Decision =
  | { readonly kind: 'known'; readonly userId: UserId }
  | { readonly kind: 'connect'; readonly userId: UserId }
  /** The owner of the address has arrived: whatever somebody else prepared in the account is removed. */
  | { readonly kind: 'take_over'; readonly userId: UserId }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'sign_up' }

export function decide({ identity, connectedTo, account, isAutoConnected }: Facts): Decision {
  if (connectedTo !== undefined) return { kind: 'known', userId: connectedTo }
  // An address that nobody has verified identifies nobody: neither an account to link with, nor one to warn about.
  if (identity.email === null || !identity.isEmailVerified || account === undefined) return { kind: 'sign_up' }
  if (!isAutoConnected) return { kind: 'refuse' }
  const { userId } = account
  if (account.isAddressVerified) return { kind: 'connect', userId }
  // Somebody uses the account who has only claimed the address: the two people must not share it.
  return account.isOtherwiseProven ? { kind: 'refuse' } : { kind: 'take_over', userId }
}
