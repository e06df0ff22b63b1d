// Every migration in the order in which it is applied.
import type { RegisteredMigration } from '../migrate.ts'
import { migration as version010 } from './0001-version-0-1-0.ts'
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
import { migration as connections } from './0130-connections.ts'
import { migration as liveConnections } from './0131-live-connections.ts'
import { migration as connectionTests } from './0132-connection-tests.ts'
import { migration as scim } from './0140-scim.ts'
import { migration as saml } from './0150-saml.ts'
import { migration as factorRules } from './0160-factor-rules.ts'
import { migration as sessionProofs } from './0161-session-proofs.ts'
import { migration as organizationSecurity } from './0162-organization-security.ts'
import { migration as trustedDevices } from './0163-trusted-devices.ts'
import { migration as resetPasswords } from './0164-reset-passwords.ts'
import { migration as setupLinks } from './0170-setup-links.ts'
import { migration as organizationGroups } from './0190-organization-groups.ts'
import { migration as noticeLinks } from './0210-notice-links.ts'
import { migration as spentChallenges } from './0220-spent-challenges.ts'
import { migration as formerPasswords } from './0221-former-passwords.ts'
import { migration as claims } from './0230-claims.ts'
import { migration as hooks } from './0240-hooks.ts'
import { migration as userApiKeys } from './0250-user-api-keys.ts'
import { migration as signInFailures } from './0260-sign-in-failures.ts'
import { migration as actsOfAdministrators } from './0261-acts-of-administrators.ts'
import { migration as singleLogout } from './0280-single-logout.ts'
import { migration as idJag } from './0290-id-jag.ts'
import { migration as passkeyProviders } from './0300-passkey-providers.ts'
import { migration as attributes } from './0320-attributes.ts'
import { migration as hookAnswers } from './0330-hook-answers.ts'
import { migration as timedMemberships } from './0340-timed-memberships.ts'
import { migration as testMode } from './0350-test-mode.ts'
import { migration as providerTokens } from './0355-provider-tokens.ts'
import { migration as hookRelays } from './0356-hook-relays.ts'
import { migration as organizationRoles } from './0360-organization-roles.ts'
import { migration as anonymousUsers } from './0365-anonymous-users.ts'
import { migration as waitlist } from './0366-waitlist.ts'
import { migration as challengeProviders } from './0367-challenge-providers.ts'
import { migration as searchTerms } from './0375-search-terms.ts'
import { migration as timedRoles } from './0405-timed-roles.ts'
import { migration as clocksAhead } from './0406-clocks-ahead.ts'
import { migration as connectionSignIns } from './0435-connection-sign-ins.ts'
import { migration as attributeMappings } from './0436-attribute-mappings.ts'
import { migration as rightsOfInvitations } from './0437-rights-of-invitations.ts'
import { migration as eventAnchors } from './0450-event-anchors.ts'
import { migration as invitationEnds } from './0451-invitation-ends.ts'

/** The steps in which version 0.1.0 made its schema, as its databases record them. */
const stepsOfVersion010 = [
  '0001-first',
  '0002-events',
  '0003-users',
  '0004-versions-and-domains',
  '0005-sessions',
  '0006-channels',
  '0007-api-keys',
  '0008-messages',
  '0009-sign-in',
  '0010-media',
  '0011-authenticators',
  '0015-social-connections',
  '0016-own-contacts',
  '0017-organization-domains',
  '0018-kept-images',
  '0019-claimed-contacts',
  '0020-first-factor-time',
  '0021-completed-tables',
  '0022-created-tenants',
  '0024-send-limits',
  '0025-password-draws',
  '0026-second-factor-guesses',
  '0027-message-filters',
  '0028-sign-in-filters',
  '0029-other-filters',
  '0030-versioned-brands',
  '0031-pictures',
  '0033-active-organization',
  '0040-applications',
  '0045-custom-providers',
  '0050-organization-names',
  '0060-session-followers',
  '0073-given-up-jobs',
]

export const migrations: readonly RegisteredMigration[] = [
  {
    id: '0001-version-0-1-0',
    migration: version010,
    replaces: stepsOfVersion010,
    // On a database that was made with it, version 0.1.0 would begin to make the schema again.
    requires: '0001-version-0-1-0',
  },
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
  { id: '0130-connections', migration: connections },
  { id: '0131-live-connections', migration: liveConnections },
  { id: '0132-connection-tests', migration: connectionTests },
  { id: '0140-scim', migration: scim },
  { id: '0150-saml', migration: saml },
  { id: '0160-factor-rules', migration: factorRules },
  { id: '0161-session-proofs', migration: sessionProofs },
  { id: '0162-organization-security', migration: organizationSecurity },
  { id: '0163-trusted-devices', migration: trustedDevices },
  { id: '0164-reset-passwords', migration: resetPasswords },
  { id: '0170-setup-links', migration: setupLinks },
  { id: '0190-organization-groups', migration: organizationGroups },
  { id: '0210-notice-links', migration: noticeLinks },
  { id: '0220-spent-challenges', migration: spentChallenges },
  { id: '0221-former-passwords', migration: formerPasswords },
  { id: '0230-claims', migration: claims },
  { id: '0240-hooks', migration: hooks },
  { id: '0250-user-api-keys', migration: userApiKeys },
  { id: '0260-sign-in-failures', migration: signInFailures },
  { id: '0261-acts-of-administrators', migration: actsOfAdministrators },
  { id: '0280-single-logout', migration: singleLogout },
  { id: '0290-id-jag', migration: idJag },
  { id: '0300-passkey-providers', migration: passkeyProviders },
  { id: '0320-attributes', migration: attributes },
  { id: '0330-hook-answers', migration: hookAnswers },
  { id: '0340-timed-memberships', migration: timedMemberships },
  { id: '0350-test-mode', migration: testMode },
  { id: '0355-provider-tokens', migration: providerTokens },
  { id: '0356-hook-relays', migration: hookRelays },
  { id: '0360-organization-roles', migration: organizationRoles },
  { id: '0365-anonymous-users', migration: anonymousUsers },
  { id: '0366-waitlist', migration: waitlist },
  { id: '0367-challenge-providers', migration: challengeProviders },
  { id: '0375-search-terms', migration: searchTerms },
  { id: '0405-timed-roles', migration: timedRoles },
  { id: '0406-clocks-ahead', migration: clocksAhead },
  { id: '0435-connection-sign-ins', migration: connectionSignIns },
  { id: '0436-attribute-mappings', migration: attributeMappings },
  { id: '0437-rights-of-invitations', migration: rightsOfInvitations },
  { id: '0450-event-anchors', migration: eventAnchors },
  { id: '0451-invitation-ends', migration: invitationEnds },
]
