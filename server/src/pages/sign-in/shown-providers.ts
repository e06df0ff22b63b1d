// The providers of a tenant as its pages show them.
import { type AnyProviderKey, isProviderKey } from '@bailiwick/contract'
import { type ShownProvider, shownProvider } from '@bailiwick/pages'
import { type PublicProviders, publicProviders } from '../../flows/sign-up/public-tenant.ts'
import type { PageCall } from '../call/page-call.ts'

export const asShown = ({ socialProviders, customProviders }: PublicProviders): ShownProvider[] => [
  ...socialProviders.map(({ providerKey }) => shownProvider(providerKey)),
  ...customProviders.map(({ providerKey: key, name, logoUri }) => ({ key, name, logoUri })),
]

/**
 * Returns those that sign people in: those of the service first, then the tenant's own. It counts as a look-up of the tenant by the
 * frontend interface does.
 * @throws ApiError rate_limited
 */
export async function shownProviders(page: PageCall): Promise<ShownProvider[]> {
  page.take('getPublicTenantById')
  return asShown(await publicProviders(page.deps, page.tenant))
}

/** Returns the key that a form names, if it could be one. */
export const providerKeyOf = (sent: string | undefined): AnyProviderKey | undefined =>
  sent !== undefined && isProviderKey(sent) ? sent : undefined
