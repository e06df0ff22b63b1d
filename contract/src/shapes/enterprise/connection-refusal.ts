// Why a person whom an organization's own provider has identified is refused, as events and reports of tests say.

export const connectionRefusals = [
  /** The connection is not live, or no longer exists. */
  'connection_off',
  /** The organization has not proved by DNS that it owns the domain of the address. */
  'domain_not_verified',
  /** The provider says that it has not verified the address. */
  'address_not_verified',
  /** The provider sent no address, or no valid one, and the connection does not make users. */
  'address_missing',
  /** Another person at the provider is connected to the user with this address. */
  'identity_conflict',
  /** Somebody has proven to own another contact of the account that only claims the address. */
  'address_claimed',
  'user_not_active',
  'not_a_member',
  'membership_limit_reached',
] as const

export type ConnectionRefusal = (typeof connectionRefusals)[number]
