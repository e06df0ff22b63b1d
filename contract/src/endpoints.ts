// The whole interface, operation by operation.
import * as apiKeys from './endpoints/api-keys.ts'
import * as emailAddresses from './endpoints/email-addresses.ts'
import * as events from './endpoints/events.ts'
import * as applications from './endpoints/applications.ts'
import * as attempts from './endpoints/attempts.ts'
import * as authConfiguration from './endpoints/auth-configuration.ts'
import * as brandVersions from './endpoints/brand-versions.ts'
import * as consoleUser from './endpoints/console-user.ts'
import * as customProviders from './endpoints/custom-providers.ts'
import * as deployment from './endpoints/deployment.ts'
import * as domains from './endpoints/domains.ts'
import * as jwkCertificates from './endpoints/jwk-certificates.ts'
import * as media from './endpoints/media.ts'
import * as mediaStatistics from './endpoints/media-statistics.ts'
import * as messages from './endpoints/messages.ts'
import * as notifications from './endpoints/notifications.ts'
import * as organizationDomains from './endpoints/organization-domains.ts'
import * as organizationInvitations from './endpoints/organization-invitations.ts'
import * as organizationMembers from './endpoints/organization-members.ts'
import * as organizations from './endpoints/organizations.ts'
import * as pages from './endpoints/pages.ts'
import * as phoneNumbers from './endpoints/phone-numbers.ts'
import * as resources from './endpoints/resources.ts'
import * as roles from './endpoints/roles.ts'
import * as authenticators from './endpoints/authenticators.ts'
import * as sessions from './endpoints/sessions.ts'
import * as socialProviders from './endpoints/social-providers.ts'
import * as statistics from './endpoints/statistics.ts'
import * as tenantArchive from './endpoints/tenant-archive.ts'
import * as tenantMembers from './endpoints/tenant-members.ts'
import * as tenants from './endpoints/tenants.ts'
import * as transformations from './endpoints/transformations.ts'
import * as userTransfer from './endpoints/user-transfer.ts'
import * as users from './endpoints/users.ts'
import * as webhooks from './endpoints/webhooks.ts'

export const endpoints = {
  ...jwkCertificates,
  ...domains,
  ...authConfiguration,
  ...pages,
  ...notifications,
  ...messages,
  ...tenants,
  ...brandVersions,
  ...tenantMembers,
  ...users,
  ...userTransfer,
  ...emailAddresses,
  ...phoneNumbers,
  ...authenticators,
  ...sessions,
  ...attempts,
  ...statistics,
  ...consoleUser,
  ...deployment,
  ...tenantArchive,
  ...roles,
  ...organizations,
  ...organizationMembers,
  ...organizationInvitations,
  ...organizationDomains,
  ...socialProviders,
  ...customProviders,
  ...applications,
  ...resources,
  ...transformations,
  ...media,
  ...mediaStatistics,
  ...webhooks,
  ...apiKeys,
  ...events,
}

export type EndpointId = keyof typeof endpoints
