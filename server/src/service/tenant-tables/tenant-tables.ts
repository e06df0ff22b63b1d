// Every table that holds rows of tenants. A test fails for a table that is missing here, so that the author of a new one decides what an
// export contains and what the erasure of a tenant removes: the table's own declaration says so.
import { applicationSecrets, applications } from '../../applications/applications/tables.ts'
import { oauthInteractions, oauthReplays, oauthSessions, oauthTokens } from '../../applications/engine/tables.ts'
import { grants } from '../../applications/grants/tables.ts'
import { resources } from '../../applications/resources/tables.ts'
import { oauthSettings } from '../../applications/settings/tables.ts'
import { passwordResets } from '../../flows/password-resets/tables.ts'
import { oauthStates } from '../../flows/providers/tables.ts'
import { signInAttempts, signUpAttempts } from '../../identity/attempts/tables.ts'
import { authenticatorCodes, passkeyChallenges, passkeys, recoveryCodes } from '../../identity/authenticators/tables.ts'
import { guesses, knownDevices } from '../../identity/lockout/tables.ts'
import { verifications } from '../../identity/one-time-codes/tables.ts'
import { organizationDomains } from '../../identity/organizations/domain-tables.ts'
import { organizationInvitations, organizationMembers, organizations } from '../../identity/organizations/tables.ts'
import { sessionFollowers, sessions } from '../../identity/sessions/tables.ts'
import { socialConnections } from '../../identity/social-connections/tables.ts'
import { tenantInvitations, tenantMembers } from '../../identity/tenant-members/tables.ts'
import { contactCandidates, emailAddresses, phoneNumbers, users } from '../../identity/users/tables.ts'
import { passwords } from '../../identity/passwords/tables.ts'
import { mediaFiles, mediaKeptImages, mediaUploads } from '../../media/tables.ts'
import { transformations } from '../../media/transformations/tables.ts'
import { channels, messages, templates, tenantLimits } from '../../messaging/notifications/tables.ts'
import { webhookDeliveries, webhooks } from '../../messaging/webhooks/tables.ts'
import { cacheInvalidations } from '../../platform/cache/tables.ts'
import type { TableFacts } from '../../platform/db/table.ts'
import { counters, deployment, schemaMigrations, schemaRequirements } from '../../platform/db/tables.ts'
import { eventCheckpoints, eventSeals, events } from '../../platform/events/tables.ts'
import { idempotencyKeys } from '../../platform/idempotency/tables.ts'
import { jobs } from '../../platform/jobs/tables.ts'
import { quotas, recipientQuotas } from '../../platform/quotas/tables.ts'
import { apiKeys } from '../../tenancy/api-keys/tables.ts'
import { domains } from '../../tenancy/domains/tables.ts'
import { roles } from '../../tenancy/roles/tables.ts'
import { signingKeys } from '../../platform/crypto/tables.ts'
import { customProviders } from '../../tenancy/custom-providers/tables.ts'
import { socialProviders } from '../../tenancy/social-providers/tables.ts'
import { authConfigurations, brandVersions, pagesVersions, secretKeys, tenants } from '../../tenancy/tenants/tables.ts'

/** A referenced table comes before those that refer to it. */
export const tenantTables: readonly TableFacts[] = [
  authConfigurations,
  brandVersions,
  pagesVersions,
  domains,
  secretKeys,
  apiKeys,
  signingKeys,
  roles,
  transformations,
  templates,
  channels,
  socialProviders,
  customProviders,
  webhooks,
  users,
  passwords,
  authenticatorCodes,
  recoveryCodes,
  passkeys,
  passkeyChallenges,
  emailAddresses,
  phoneNumbers,
  contactCandidates,
  socialConnections,
  organizations,
  organizationMembers,
  organizationInvitations,
  organizationDomains,
  tenantMembers,
  tenantInvitations,
  sessions,
  oauthSettings,
  applications,
  applicationSecrets,
  sessionFollowers,
  resources,
  grants,
  oauthSessions,
  oauthInteractions,
  oauthTokens,
  oauthReplays,
  signInAttempts,
  signUpAttempts,
  verifications,
  oauthStates,
  passwordResets,
  tenantLimits,
  quotas,
  guesses,
  knownDevices,
  webhookDeliveries,
  messages,
  mediaFiles,
  mediaKeptImages,
  mediaUploads,
  idempotencyKeys,
  jobs,
  events,
  eventSeals,
  eventCheckpoints,
  counters,
]

/** The tables that hold no data of a tenant. */
export const otherTables: readonly TableFacts[] = [
  tenants,
  deployment,
  schemaMigrations,
  schemaRequirements,
  recipientQuotas,
  cacheInvalidations,
]
