// Events of tenants and their settings.
import { claimTokens } from '../formats/claim-name.ts'
import { scopes } from '../permissions.ts'
import {
  array,
  boolean,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../schema.ts'
import { captchaProviders } from '../settings/challenges.ts'
import { Brand } from '../shapes/tenancy/brand.ts'
import { challengeFailureRules } from '../shapes/tenancy/challenge-provider.ts'
import { roleAssigners } from '../shapes/tenancy/role.ts'
import { environments } from '../shapes/tenancy/tenant.ts'
import { providerKeys } from '../social-providers.ts'
import { change, event, flags, record, recordOfIntegers, texts } from './event-definition.ts'

const tenant = { name: text(), slug: text(), iconId: nullableText(), logoId: nullableText() }
const apiKey = object({
  name: text(),
  scopes: array(oneOf(scopes)),
  last4: text({ description: "The key's last four characters" }),
  expiresAt: nullableTimestamp(),
})
const role = {
  name: text(),
  description: nullableText(),
  permissions: texts(),
  assignableBy: optional(oneOf(roleAssigners, { description: 'Missing in events of earlier versions' })),
  requiresSecondFactor: optional(boolean({ description: 'Missing in events of earlier versions' })),
}
const domain = { name: text() }
const reason = { reason: nullableText({ description: 'Why the domain could not be verified' }) }
const settings = () => record('The names of the settings that changed')
const providerFields = () => record('The names of the changed fields of the provider; null if there was no provider')
const memberEnd = {
  expiresAt: optional(nullableTimestamp({ description: 'When the rights end. Missing in events of earlier versions' })),
}
const rightsEnd = {
  rightsExpireAt: optional(
    nullableTimestamp({
      description: 'When the rights end that the invitation gives. Missing in events of earlier versions',
    }),
  ),
}
const membership = { userId: text(), flags: flags(), ...memberEnd }

export const tenancyEvents = {
  'tenant.created': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: 'A tenant was created.',
    data: object({ name: text(), slug: text(), environment: oneOf(environments), domain: nullableText() }),
  }),
  'tenant.updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: "A tenant's name, slug, icon or logo was changed.",
    data: object(change(tenant)),
  }),
  'tenant.clock_moved': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: 'The clock of a tenant in test mode was moved ahead, or set to the real time again.',
    data: object(change({ aheadSeconds: integer() })),
  }),
  'tenant.deleted': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: 'A tenant was deleted. It can be restored until it is erased.',
    data: object({ erasedAfter: timestamp() }),
  }),
  'tenant.restored': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: 'A deleted tenant was restored.',
    data: object({ deletedAt: timestamp() }),
  }),
  'tenant.erased': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: "All data of a deleted tenant were erased. The event is in the log of the console's own tenant.",
    data: object({
      deletedAt: timestamp(),
      wasUnfinishedImport: boolean({ description: 'Whether the data were those of an import that never finished' }),
    }),
  }),
  'tenant.exported': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: 'The operator began to download an archive of a tenant, with all of its secrets.',
    data: object({}),
  }),
  'tenant.imported': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: 'A tenant was imported from an archive.',
    data: object({ exportedAt: timestamp(), rows: recordOfIntegers('How many rows were imported, by table') }),
  }),
  'tenant.brand_updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: "A tenant's brand was replaced.",
    data: object({ before: Brand, after: Brand }),
  }),
  'tenant.pages_updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: "The settings of a tenant's pages were changed, which makes a new version of them.",
    data: object({ version: integer(), before: settings(), after: settings() }),
  }),
  'tenant.attributes_updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: 'The attributes that a tenant gives its users were changed, which makes a new version of them.',
    data: object({ version: integer(), before: settings(), after: settings() }),
  }),
  'events.removed': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: "The oldest events of a tenant's log were removed because of their age.",
    data: object({
      count: integer({ description: 'How many were removed' }),
      removed: integer({ description: 'How many have been removed since the log began' }),
      newestCreatedAt: timestamp(),
      days: integer({ description: 'After how many days events were removed' }),
    }),
  }),
  'challenge_provider.updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: 'The provider of the puzzles of a tenant was chosen or changed.',
    data: object({
      provider: oneOf(captchaProviders),
      siteKey: text(),
      onFailure: oneOf(challengeFailureRules),
      isSecretChanged: boolean(),
    }),
  }),
  'challenge_provider.deleted': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: 'A tenant went back to the puzzles of the service itself.',
    data: object({ provider: oneOf(captchaProviders) }),
  }),
  'tenant.claims_updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: 'The claims that a tenant adds to tokens were changed, which makes a new version of them.',
    data: object({ version: integer(), before: settings(), after: settings() }),
  }),
  'tenant.claims_omitted': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence:
      "A token was issued without the tenant's claims because they were too large. Recorded at most once a minute by each node.",
    data: object({ token: oneOf(claimTokens), userId: text(), bytes: integer(), bytesMax: integer() }),
  }),
  'tenant.billing_updated': event({
    subject: 'tenant',
    permission: 'billing:read',
    sentence: 'The billing data of a tenant were changed.',
    data: object({
      ...change({ plan: nullableText() }),
      fields: array(text(), { description: 'The names of the fields that were sent' }),
    }),
  }),
  'tenant.limits_updated': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: 'The operator changed the message limits of a tenant.',
    data: object(
      change({
        messagesPerDay: nullableInteger({ description: "null: the deployment's default" }),
        trusted: optional(boolean()),
      }),
    ),
  }),
  'tenant.secret_key_rotated': event({
    subject: 'tenant',
    permission: 'events:read',
    sentence: "A tenant's secret key was replaced.",
    data: object({
      graceSeconds: integer({ description: 'How long the previous key continues to work' }),
      last4: text({ description: "The new key's last four characters" }),
    }),
  }),
  'deployment.master_key_rotated': event({
    subject: 'deployment',
    permission: 'events:read',
    sentence: "The deployment's master key was replaced. The event is in the log of the console's own tenant.",
    data: object({ keyId: text(), resealed: integer({ description: 'How many secrets were encrypted again' }) }),
  }),
  'deployment.jobs_retried': event({
    subject: 'deployment',
    permission: 'events:read',
    sentence: "The operator retried failed background work. The event is in the log of the console's own tenant.",
    data: object({ kind: text(), jobs: integer({ description: 'How many jobs are retried' }) }),
  }),
  'signing_key.rotated': event({
    subject: 'signing_key',
    permission: 'config:read',
    sentence: 'A tenant got a new signing key: by a rotation, or because its first application uses RS256.',
    data: object({ kid: text() }),
  }),
  'signing_key.withdrawn': event({
    subject: 'signing_key',
    permission: 'config:read',
    sentence: "A tenant's signing key was withdrawn: what it has signed is refused from now on.",
    data: object({ kid: text() }),
  }),
  'api_key.created': event({
    subject: 'api_key',
    permission: 'config:read',
    sentence: 'An API key was created.',
    data: object({ after: apiKey }),
  }),
  'api_key.deleted': event({
    subject: 'api_key',
    permission: 'config:read',
    sentence: 'An API key was deleted.',
    data: object({ before: apiKey }),
  }),
  'auth_configuration.updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: "A tenant's sign-in rules were changed, which makes a new version of them.",
    data: object({ version: integer(), before: settings(), after: settings() }),
  }),
  'domain.created': event({
    subject: 'domain',
    permission: 'config:read',
    sentence: 'A domain was added to a tenant.',
    data: object(domain),
  }),
  'domain.verified': event({
    subject: 'domain',
    permission: 'config:read',
    sentence: "A tenant's domain was verified.",
    data: object({ ...domain, ...reason }),
  }),
  'domain.verification_failed': event({
    subject: 'domain',
    permission: 'config:read',
    sentence: "A tenant's domain could not be verified.",
    data: object({ ...domain, ...reason }),
  }),
  'domain.made_primary': event({
    subject: 'domain',
    permission: 'config:read',
    sentence: "A domain became the tenant's primary one.",
    data: object(domain),
  }),
  'domain.deleted': event({
    subject: 'domain',
    permission: 'config:read',
    sentence: 'A domain was removed from a tenant.',
    data: object(domain),
  }),
  'role.created': event({
    subject: 'role',
    permission: 'config:read',
    sentence: 'A role was created.',
    data: object(role),
  }),
  'role.updated': event({
    subject: 'role',
    permission: 'config:read',
    sentence: 'A role was changed.',
    data: object(change(role)),
  }),
  'role.deleted': event({
    subject: 'role',
    permission: 'config:read',
    sentence: 'A role was deleted.',
    data: object({ before: object(role) }),
  }),
  'social_provider.created': event({
    subject: 'social_provider',
    permission: 'config:read',
    sentence: 'A social sign-in provider was added.',
    data: object({ before: providerFields(), after: providerFields(), clientSecretChanged: boolean() }),
  }),
  'social_provider.updated': event({
    subject: 'social_provider',
    permission: 'config:read',
    sentence: 'A social sign-in provider was changed.',
    data: object({ before: providerFields(), after: providerFields(), clientSecretChanged: boolean() }),
  }),
  'social_provider.secret_revealed': event({
    subject: 'social_provider',
    permission: 'config:read',
    sentence: 'The client secret of a social sign-in provider was read.',
    data: object({ providerKey: oneOf(providerKeys) }),
  }),
  'social_provider.deleted': event({
    subject: 'social_provider',
    permission: 'config:read',
    sentence: 'A social sign-in provider was removed.',
    data: object({ before: record('The provider before it was removed, without its client secret') }),
  }),
  'custom_provider.created': event({
    subject: 'custom_provider',
    permission: 'config:read',
    sentence: 'A custom provider (OpenID Connect) was added.',
    data: object({ before: providerFields(), after: providerFields(), clientSecretChanged: boolean() }),
  }),
  'custom_provider.updated': event({
    subject: 'custom_provider',
    permission: 'config:read',
    sentence: 'A custom provider was changed.',
    data: object({ before: providerFields(), after: providerFields(), clientSecretChanged: boolean() }),
  }),
  'custom_provider.secret_revealed': event({
    subject: 'custom_provider',
    permission: 'config:read',
    sentence: 'The client secret of a custom provider was read.',
    data: object({ providerKey: text() }),
  }),
  'custom_provider.deleted': event({
    subject: 'custom_provider',
    permission: 'config:read',
    sentence: 'A custom provider was removed.',
    data: object({ before: record('The provider before it was removed, without its client secret') }),
  }),
  'tenant_membership.created': event({
    subject: 'tenant_membership',
    permission: 'admin',
    sentence: 'An administrator became a member of a tenant.',
    data: object(membership),
  }),
  'tenant_membership.updated': event({
    subject: 'tenant_membership',
    permission: 'admin',
    sentence: 'The flags of a member of a tenant, or the time at which they end, were changed.',
    data: object({
      userId: text(),
      before: flags(),
      after: flags(),
      ...memberEnd,
    }),
  }),
  'tenant_membership.deleted': event({
    subject: 'tenant_membership',
    permission: 'admin',
    sentence: 'An administrator is no longer a member of a tenant.',
    data: object(membership),
  }),
  'tenant_membership.expired': event({
    subject: 'tenant_membership',
    permission: 'admin',
    sentence: 'The rights of an administrator of a tenant have expired.',
    data: object(membership),
  }),
  'tenant_invitation.created': event({
    subject: 'tenant_invitation',
    permission: 'admin',
    sentence: 'An administrator was invited to a tenant.',
    data: object({ flags: flags(), expiresAt: timestamp(), ...rightsEnd }),
  }),
  'tenant_invitation.updated': event({
    subject: 'tenant_invitation',
    permission: 'admin',
    sentence: 'The flags of an invitation to administer a tenant were changed.',
    data: object({ before: flags(), after: flags(), ...rightsEnd }),
  }),
  'tenant_invitation.accepted': event({
    subject: 'tenant_invitation',
    permission: 'admin',
    sentence: 'An invitation to administer a tenant was accepted.',
    data: object({ flags: flags() }),
  }),
  'tenant_invitation.declined': event({
    subject: 'tenant_invitation',
    permission: 'admin',
    sentence: 'An invitation to administer a tenant was declined.',
    data: object({ flags: flags() }),
  }),
  'tenant_invitation.deleted': event({
    subject: 'tenant_invitation',
    permission: 'admin',
    sentence: 'An invitation to administer a tenant was revoked.',
    data: object({ flags: flags() }),
  }),
}
