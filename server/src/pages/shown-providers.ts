// The providers of a tenant as its pages show them.
import { type AnyProviderKey, type PublicTenant, isProviderKey } from '@bailiwick/contract'
import { type ShownProvider, shownProvider } from '@bailiwick/pages'

/** Returns those that sign people in: those of the service first, then the tenant's own. */
export const shownProviders = ({ socialProviders, customProviders }: PublicTenant): ShownProvider[] => [
  ...socialProviders.map(({ providerKey }) => shownProvider(providerKey)),
  ...customProviders.map(({ providerKey: key, name, logoUri }) => ({ key, name, logoUri })),
]

/** Returns the key that a form names, if it could be one. */
export const providerKeyOf = (sent: string | undefined): AnyProviderKey | undefined =>
  sent !== undefined && isProviderKey(sent) ? sent : undefined
