// Every feature below this wing, those first whose tables others refer to. A new feature needs a line here, and nothing else outside its
// folder but its contract and migration.
import { feature as applications } from '../applications/applications/feature.ts'
import { feature as claims } from '../applications/claims/feature.ts'
import { feature as engine } from '../applications/engine/feature.ts'
import { feature as grants } from '../applications/grants/feature.ts'
import { feature as interactions } from '../applications/interactions/feature.ts'
import { feature as logout } from '../applications/logout/feature.ts'
import { feature as resources } from '../applications/resources/feature.ts'
import { feature as settings } from '../applications/settings/feature.ts'
import { feature as userApiKeys } from '../applications/user-api-keys/feature.ts'
import { feature as connections } from '../enterprise/connections/feature.ts'
import { feature as saml } from '../enterprise/saml/feature.ts'
import { feature as scim } from '../enterprise/scim/feature.ts'
import { feature as setup } from '../enterprise/setup/feature.ts'
import { feature as account } from '../flows/account/feature.ts'
import { feature as anonymousUsers } from '../flows/anonymous-users/feature.ts'
import { feature as challenges } from '../flows/challenges/feature.ts'
import { feature as consoleUser } from '../flows/console-user/feature.ts'
import type { FlowFeature, FlowContext } from '../flows/feature.ts'
import { feature as frontend } from '../flows/frontend/feature.ts'
import { feature as organizationConnections } from '../flows/organization-connections/feature.ts'
import { feature as ownOrganizations } from '../flows/own-organizations/feature.ts'
import { feature as passwordResets } from '../flows/password-resets/feature.ts'
import { feature as providerTokens } from '../flows/provider-tokens/feature.ts'
import { feature as signIn } from '../flows/sign-in/feature.ts'
import { feature as signUp } from '../flows/sign-up/feature.ts'
import { feature as socialSignIn } from '../flows/social-sign-in/feature.ts'
import { feature as attempts } from '../identity/attempts/feature.ts'
import { feature as attributes } from '../identity/attributes/feature.ts'
import { feature as authenticators } from '../identity/authenticators/feature.ts'
import type { Deps } from '../identity/deps.ts'
import { feature as evaluations } from '../identity/evaluations/feature.ts'
import { feature as importJobs } from '../identity/import-jobs/feature.ts'
import { feature as lockout } from '../identity/lockout/feature.ts'
import { feature as oneTimeCodes } from '../identity/one-time-codes/feature.ts'
import { feature as organizationDomains } from '../identity/organization-domains/feature.ts'
import { feature as organizationGroups } from '../identity/organization-groups/feature.ts'
import { feature as organizationRoles } from '../identity/organization-roles/feature.ts'
import { feature as organizations } from '../identity/organizations/feature.ts'
import type { DataPart } from '../identity/people/export.ts'
import { feature as people } from '../identity/people/feature.ts'
import type { EndGrants } from '../identity/people/secure-account.ts'
import { feature as securityNotices } from '../identity/security-notices/feature.ts'
import { feature as sessions } from '../identity/sessions/feature.ts'
import { feature as socialConnections } from '../identity/social-connections/feature.ts'
import { feature as statistics } from '../identity/statistics/feature.ts'
import { feature as tenantMembers } from '../identity/tenant-members/feature.ts'
import { feature as trustedDevices } from '../identity/trusted-devices/feature.ts'
import { feature as waitlist } from '../identity/waitlist/feature.ts'
import { feature as media } from '../media/feature.ts'
import type { Binary } from '../media/routes.ts'
import { feature as transformations } from '../media/transformations/feature.ts'
import { feature as hooks } from '../messaging/hooks/feature.ts'
import { feature as notifications } from '../messaging/notifications/feature.ts'
import { feature as webhooks } from '../messaging/webhooks/feature.ts'
import type { Feature } from '../platform/feature.ts'
import type { Health } from '../platform/http/health.ts'
import { feature as platform } from '../platform/platform-feature.ts'
import { feature as apiKeys } from '../tenancy/api-keys/feature.ts'
import { feature as authConfiguration } from '../tenancy/auth-configuration/feature.ts'
import { feature as customProviders } from '../tenancy/custom-providers/feature.ts'
import { feature as domains } from '../tenancy/domains/feature.ts'
import { feature as events } from '../tenancy/events/feature.ts'
import { feature as pages } from '../tenancy/pages/feature.ts'
import { feature as roles } from '../tenancy/roles/feature.ts'
import { feature as signingKeys } from '../tenancy/signing-keys/feature.ts'
import { feature as socialProviders } from '../tenancy/social-providers/feature.ts'
import { feature as tenants } from '../tenancy/tenants/feature.ts'
import type { FindFile } from '../tenancy/tenants/lifecycle.ts'
import { feature as testMode } from '../tenancy/test-mode/feature.ts'

/** What the routes of features need from each other or from the process. */
export interface ServiceContext extends FlowContext {
  readonly health: Health
  readonly findFile: FindFile
  readonly binary: () => Binary
}

export interface ServiceFeature extends Feature<Deps, ServiceContext>, Pick<FlowFeature, 'frontend'> {
  /** What it knows about a user, for both exports of a user's data. */
  readonly dataParts?: readonly DataPart[]
  /** Ends what a user has allowed in it. */
  readonly endGrants?: EndGrants
}

export const features: readonly ServiceFeature[] = [
  tenants,
  authConfiguration,
  domains,
  apiKeys,
  signingKeys,
  roles,
  pages,
  testMode,
  events,
  socialProviders,
  customProviders,
  notifications,
  hooks,
  webhooks,
  media,
  transformations,
  people,
  importJobs,
  authenticators,
  oneTimeCodes,
  socialConnections,
  organizations,
  organizationDomains,
  organizationGroups,
  organizationRoles,
  tenantMembers,
  waitlist,
  sessions,
  attempts,
  lockout,
  trustedDevices,
  securityNotices,
  statistics,
  attributes,
  evaluations,
  connections,
  setup,
  scim,
  saml,
  frontend,
  challenges,
  signIn,
  signUp,
  anonymousUsers,
  passwordResets,
  account,
  ownOrganizations,
  organizationConnections,
  socialSignIn,
  providerTokens,
  consoleUser,
  settings,
  applications,
  claims,
  resources,
  userApiKeys,
  grants,
  engine,
  interactions,
  logout,
  platform,
]

/** Returns the operation that ends what a user has allowed, in every feature. */
export const allEndGrants =
  (all: readonly ServiceFeature[]): EndGrants =>
  async (...owner) => {
    let ended = 0
    for (const feature of all) ended += (await feature.endGrants?.(...owner)) ?? 0
    return ended
  }
