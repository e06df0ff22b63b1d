// The whole interface, operation by operation.
import type { Merged } from './endpoint.ts'
import * as applications from './endpoints/applications/applications.ts'
import * as resources from './endpoints/applications/resources.ts'
import * as connections from './endpoints/enterprise/connections.ts'
import * as scim from './endpoints/enterprise/scim.ts'
import * as setupLinks from './endpoints/enterprise/setup-links.ts'
import * as attempts from './endpoints/identity/attempts.ts'
import * as authenticators from './endpoints/identity/authenticators.ts'
import * as consoleUser from './endpoints/identity/console-user.ts'
import * as emailAddresses from './endpoints/identity/email-addresses.ts'
import * as evaluations from './endpoints/identity/evaluations.ts'
import * as importJobs from './endpoints/identity/import-jobs.ts'
import * as organizationDomains from './endpoints/identity/organization-domains.ts'
import * as organizationGroups from './endpoints/identity/organization-groups.ts'
import * as organizationInvitations from './endpoints/identity/organization-invitations.ts'
import * as organizationMembers from './endpoints/identity/organization-members.ts'
import * as organizations from './endpoints/identity/organizations.ts'
import * as phoneNumbers from './endpoints/identity/phone-numbers.ts'
import * as providerTokens from './endpoints/identity/provider-tokens.ts'
import * as sessions from './endpoints/identity/sessions.ts'
import * as statistics from './endpoints/identity/statistics.ts'
import * as tenantMembers from './endpoints/identity/tenant-members.ts'
import * as userApiKeys from './endpoints/identity/user-api-keys.ts'
import * as userTransfer from './endpoints/identity/user-transfer.ts'
import * as users from './endpoints/identity/users.ts'
import * as mediaStatistics from './endpoints/media/media-statistics.ts'
import * as media from './endpoints/media/media.ts'
import * as transformations from './endpoints/media/transformations.ts'
import * as hooks from './endpoints/messaging/hooks.ts'
import * as messages from './endpoints/messaging/messages.ts'
import * as notifications from './endpoints/messaging/notifications.ts'
import * as webhooks from './endpoints/messaging/webhooks.ts'
import * as apiKeys from './endpoints/tenancy/api-keys.ts'
import * as attributes from './endpoints/tenancy/attributes.ts'
import * as authConfiguration from './endpoints/tenancy/auth-configuration.ts'
import * as brandVersions from './endpoints/tenancy/brand-versions.ts'
import * as challengeProvider from './endpoints/tenancy/challenge-provider.ts'
import * as claims from './endpoints/tenancy/claims.ts'
import * as customProviders from './endpoints/tenancy/custom-providers.ts'
import * as deployment from './endpoints/tenancy/deployment.ts'
import * as domains from './endpoints/tenancy/domains.ts'
import * as events from './endpoints/tenancy/events.ts'
import * as jwkCertificates from './endpoints/tenancy/jwk-certificates.ts'
import * as organizationRoles from './endpoints/tenancy/organization-roles.ts'
import * as pages from './endpoints/tenancy/pages.ts'
import * as roles from './endpoints/tenancy/roles.ts'
import * as socialProviders from './endpoints/tenancy/social-providers.ts'
import * as tenantArchive from './endpoints/tenancy/tenant-archive.ts'
import * as tenants from './endpoints/tenancy/tenants.ts'
import * as testMode from './endpoints/tenancy/test-mode.ts'
import * as waitlist from './endpoints/tenancy/waitlist.ts'

const modules = [
  jwkCertificates,
  domains,
  authConfiguration,
  pages,
  challengeProvider,
  claims,
  attributes,
  notifications,
  messages,
  tenants,
  brandVersions,
  testMode,
  tenantMembers,
  users,
  waitlist,
  userTransfer,
  importJobs,
  evaluations,
  emailAddresses,
  phoneNumbers,
  authenticators,
  userApiKeys,
  providerTokens,
  sessions,
  attempts,
  statistics,
  consoleUser,
  deployment,
  tenantArchive,
  roles,
  organizations,
  organizationMembers,
  organizationGroups,
  organizationRoles,
  organizationInvitations,
  organizationDomains,
  connections,
  setupLinks,
  scim,
  socialProviders,
  customProviders,
  applications,
  resources,
  transformations,
  media,
  mediaStatistics,
  hooks,
  webhooks,
  apiKeys,
  events,
] as const

/** Every operation by its name. The type names the modules; spelled out, it would be a tenth of the published package. */
export const endpoints = Object.assign({}, ...modules) as Merged<typeof modules>

export type EndpointId = keyof typeof endpoints
