// Every migration in the order in which it is applied.
import type { RegisteredMigration } from '../migrate.ts'
import { migration as first } from './0001-first.ts'
import { migration as events } from './0002-events.ts'
import { migration as users } from './0003-users.ts'
import { migration as versionsAndDomains } from './0004-versions-and-domains.ts'
import { migration as sessions } from './0005-sessions.ts'
import { migration as channels } from './0006-channels.ts'
import { migration as apiKeys } from './0007-api-keys.ts'
import { migration as messages } from './0008-messages.ts'
import { migration as signIn } from './0009-sign-in.ts'
import { migration as media } from './0010-media.ts'
import { migration as authenticators } from './0011-authenticators.ts'
import { migration as socialConnections } from './0015-social-connections.ts'
import { migration as ownContacts } from './0016-own-contacts.ts'
import { migration as organizationDomains } from './0017-organization-domains.ts'
import { migration as keptImages } from './0018-kept-images.ts'
import { migration as claimedContacts } from './0019-claimed-contacts.ts'
import { migration as firstFactorTime } from './0020-first-factor-time.ts'
import { migration as completedTables } from './0021-completed-tables.ts'
import { migration as createdTenants } from './0022-created-tenants.ts'
import { migration as sendLimits } from './0024-send-limits.ts'
import { migration as passwordDraws } from './0025-password-draws.ts'
import { migration as secondFactorGuesses } from './0026-second-factor-guesses.ts'
import { migration as messageFilters } from './0027-message-filters.ts'
import { migration as signInFilters } from './0028-sign-in-filters.ts'
import { migration as otherFilters } from './0029-other-filters.ts'
import { migration as versionedBrands } from './0030-versioned-brands.ts'
import { migration as pictures } from './0031-pictures.ts'
import { migration as activeOrganization } from './0033-active-organization.ts'
import { migration as applications } from './0040-applications.ts'
import { migration as customProviders } from './0045-custom-providers.ts'
import { migration as organizationNames } from './0050-organization-names.ts'
import { migration as sessionFollowers } from './0060-session-followers.ts'
import { migration as givenUpJobs } from './0073-given-up-jobs.ts'
import { migration as tokenExchange } from './0080-token-exchange.ts'
import { migration as rsaSigningKeys } from './0081-rsa-signing-keys.ts'
import { migration as lostRuns } from './0090-lost-runs.ts'
import { migration as recoveryCodeUse } from './0091-recovery-code-use.ts'
import { migration as assignableRoles } from './0092-assignable-roles.ts'
import { migration as waitingMessages } from './0099-waiting-messages.ts'
import { migration as profileFields } from './0100-profile-fields.ts'
import { migration as sendingAccounts } from './0110-sending-accounts.ts'
import { migration as importJobs } from './0120-import-jobs.ts'
import { migration as applicationAddresses } from './0121-application-addresses.ts'

export const migrations: readonly RegisteredMigration[] = [
  { id: '0001-first', migration: first },
  { id: '0002-events', migration: events },
  { id: '0003-users', migration: users },
  { id: '0004-versions-and-domains', migration: versionsAndDomains },
  { id: '0005-sessions', migration: sessions },
  { id: '0006-channels', migration: channels },
  { id: '0007-api-keys', migration: apiKeys },
  { id: '0008-messages', migration: messages },
  { id: '0009-sign-in', migration: signIn },
  { id: '0010-media', migration: media },
  { id: '0011-authenticators', migration: authenticators },
  { id: '0015-social-connections', migration: socialConnections },
  { id: '0016-own-contacts', migration: ownContacts },
  { id: '0017-organization-domains', migration: organizationDomains },
  { id: '0018-kept-images', migration: keptImages },
  { id: '0019-claimed-contacts', migration: claimedContacts },
  { id: '0020-first-factor-time', migration: firstFactorTime },
  { id: '0021-completed-tables', migration: completedTables },
  { id: '0022-created-tenants', migration: createdTenants },
  { id: '0024-send-limits', migration: sendLimits },
  { id: '0025-password-draws', migration: passwordDraws },
  { id: '0026-second-factor-guesses', migration: secondFactorGuesses },
  { id: '0027-message-filters', migration: messageFilters },
  { id: '0028-sign-in-filters', migration: signInFilters },
  { id: '0029-other-filters', migration: otherFilters },
  { id: '0030-versioned-brands', migration: versionedBrands },
  { id: '0031-pictures', migration: pictures },
  { id: '0033-active-organization', migration: activeOrganization },
  { id: '0040-applications', migration: applications },
  { id: '0045-custom-providers', migration: customProviders },
  { id: '0050-organization-names', migration: organizationNames },
  { id: '0060-session-followers', migration: sessionFollowers },
  { id: '0073-given-up-jobs', migration: givenUpJobs },
  { id: '0080-token-exchange', migration: tokenExchange },
  { id: '0081-rsa-signing-keys', migration: rsaSigningKeys },
  { id: '0090-lost-runs', migration: lostRuns },
  { id: '0091-recovery-code-use', migration: recoveryCodeUse },
  { id: '0092-assignable-roles', migration: assignableRoles },
  { id: '0099-waiting-messages', migration: waitingMessages },
  { id: '0100-profile-fields', migration: profileFields },
  { id: '0110-sending-accounts', migration: sendingAccounts },
  { id: '0120-import-jobs', migration: importJobs },
  { id: '0121-application-addresses', migration: applicationAddresses },
]
