// The whole frontend interface, operation by operation. Its base address is /frontend/api/v0.
import type { Merged } from '../endpoint.ts'
import * as authenticators from './account/authenticators.ts'
import * as browserAccounts from './account/browser-accounts.ts'
import * as ownAccount from './account/own-account.ts'
import * as ownApiKeys from './account/own-api-keys.ts'
import * as ownConnections from './account/own-connections.ts'
import * as ownContacts from './account/own-contacts.ts'
import * as ownOrganizations from './account/own-organizations.ts'
import { deleteOwnPicture, setOwnPicture } from './account/own-picture.ts'
import * as ownSessions from './account/own-sessions.ts'
import * as profile from './account/profile.ts'
import { createAnonymousUser } from './anonymous-users.ts'
import { getChallenge } from './challenges.ts'
import * as oauth from './oauth.ts'
import * as organizationConnections from './organization-connections.ts'
import * as organizationDomains from './organization-domains.ts'
import * as organizationGroups from './organization-groups.ts'
import * as ownRoles from './own-roles.ts'
import * as passwordResets from './password-resets.ts'
import * as securityNotices from './security-notices.ts'
import * as signIns from './sign-ins.ts'
import * as signUps from './sign-ups.ts'
import * as tenant from './tenant.ts'
import { joinWaitlist } from './waitlist.ts'

const modules = [
  tenant,
  { getChallenge },
  signIns,
  signUps,
  { createAnonymousUser, joinWaitlist },
  passwordResets,
  securityNotices,
  profile,
  { setOwnPicture, deleteOwnPicture },
  ownAccount,
  ownContacts,
  ownOrganizations,
  organizationDomains,
  organizationGroups,
  ownRoles,
  organizationConnections,
  ownSessions,
  browserAccounts,
  authenticators,
  ownConnections,
  ownApiKeys,
  oauth,
] as const

/** Every operation by its name. The type names the modules, as that of `endpoints` does. */
export const frontendEndpoints = Object.assign({}, ...modules) as Merged<typeof modules>

export type FrontendEndpointId = keyof typeof frontendEndpoints
