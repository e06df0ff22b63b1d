// Whose identity it is. A pure decision, so that every combination can be looked at; SECURITY 2.2 says what must never be.
import type { UserId } from '../../platform/ids.ts'
import type { ProviderUser } from './provider.ts'

/** The account that has the provider's address, as it stands here. */
export interface LocalAccount {
  readonly userId: UserId
  readonly isAddressVerified: boolean
  /** Whether somebody has shown to own another address or number of this account. */
  readonly isOtherwiseProven: boolean
}

export interface Facts {
  readonly identity: Pick<ProviderUser, 'email' | 'isEmailVerified'>
  /** Who has connected this very identity. */
  readonly connectedTo: UserId | undefined
  readonly account: LocalAccount | undefined
  /** The tenant's own switch. */
  readonly isAutoConnected: boolean
}

export type Decision =
  | { readonly kind: 'known'; readonly userId: UserId }
  | { readonly kind: 'connect'; readonly userId: UserId }
  /** The owner of the address has come: what was prepared in the account by whoever it was ends. */
  | { readonly kind: 'take_over'; readonly userId: UserId }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'sign_up' }

export function decide({ identity, connectedTo, account, isAutoConnected }: Facts): Decision {
  if (connectedTo !== undefined) return { kind: 'known', userId: connectedTo }
  // An address that nobody has verified names nobody: neither an account to link with, nor one to warn of.
  if (identity.email === null || !identity.isEmailVerified || account === undefined) return { kind: 'sign_up' }
  if (!isAutoConnected) return { kind: 'refuse' }
  const { userId } = account
  if (account.isAddressVerified) return { kind: 'connect', userId }
  // Somebody lives there who has only claimed the address: the two are not to share an account.
  return account.isOtherwiseProven ? { kind: 'refuse' } : { kind: 'take_over', userId }
}
