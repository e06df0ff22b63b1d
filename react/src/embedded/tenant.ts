// What the tenant's sign-in rules allow.
import type { ProviderKey, PublicTenant, socialProviders } from '@bailiwick/contract'

export type ContactField = 'email' | 'phone' | 'username'

const isOn = ({ auth }: PublicTenant, setting: string) => auth[setting] === true

/** The kinds of identifiers by which users sign in. */
export function findIdentifiers(tenant: PublicTenant): ContactField[] {
  const on = (setting: string) => isOn(tenant, setting)
  const strategies = {
    email: on('emailSignInEnabled') && (on('strategyEmailPasswordEnabled') || on('strategyEmailCodeEnabled')),
    phone: on('phoneSignInEnabled') && (on('strategyPhonePasswordEnabled') || on('strategyPhoneCodeEnabled')),
    username: on('usernameSignInEnabled') && on('strategyUsernamePasswordEnabled'),
  }
  const kinds = (['email', 'phone', 'username'] as const).filter((kind) => strategies[kind])
  return kinds.length === 0 ? ['email'] : kinds
}

export const offersPasskeys = (tenant: PublicTenant): boolean => isOn(tenant, 'strategySecurityKeyEnabled')
export const canSignIn = (tenant: PublicTenant): boolean => isOn(tenant, 'signInEnabled')
export const canSignUp = (tenant: PublicTenant): boolean => isOn(tenant, 'signUpEnabled')
type Names = typeof socialProviders
/** The names that are not their key with a capital; the types hold them to the contract, of which nothing is bundled. */
const names: {
  readonly [Key in ProviderKey as Names[Key]['name'] extends Capitalize<Key> ? never : Key]: Names[Key]['name']
} = { github: 'GitHub', gitlab: 'GitLab' }
const named = (provider: PublicTenant['socialProviders'][number]) => {
  const { providerKey: key } = provider
  return {
    ...provider,
    name: (names as Readonly<Record<string, string>>)[key] ?? key.charAt(0).toUpperCase() + key.slice(1),
  }
}

/** The service's providers, then the tenant's own. */
export const findProviders = (tenant: PublicTenant) =>
  isOn(tenant, 'strategyOAuthEnabled') ? [...tenant.socialProviders.map(named), ...tenant.customProviders] : []
