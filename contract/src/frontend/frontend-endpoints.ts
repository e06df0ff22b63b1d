// The whole frontend interface, operation by operation. Its base address is /frontend/api/v0.
import type { FrontendEndpoint } from './frontend-endpoint.ts'
import * as authenticators from './authenticators.ts'
import * as oauth from './oauth.ts'
import * as organizationDomains from './organization-domains.ts'
import * as ownAccount from './own-account.ts'
import * as ownContacts from './own-contacts.ts'
import * as ownPicture from './own-picture.ts'
import * as ownOrganizations from './own-organizations.ts'
import * as ownConnections from './own-connections.ts'
import * as ownSessions from './own-sessions.ts'
import * as passwordResets from './password-resets.ts'
import * as profile from './profile.ts'
import * as signIns from './sign-ins.ts'
import * as signUps from './sign-ups.ts'
import * as tenant from './tenant.ts'

export const frontendEndpoints = {
  ...tenant,
  ...signIns,
  ...signUps,
  ...passwordResets,
  ...profile,
  setOwnPicture: ownPicture.setOwnPicture,
  deleteOwnPicture: ownPicture.deleteOwnPicture,
  ...ownAccount,
  ...ownContacts,
  ...ownOrganizations,
  ...organizationDomains,
  ...ownSessions,
  ...authenticators,
  ...ownConnections,
  getOAuthInteraction: oauth.getOAuthInteraction,
  loginOAuthInteraction: oauth.loginOAuthInteraction,
  consentOAuthInteraction: oauth.consentOAuthInteraction,
  abortOAuthInteraction: oauth.abortOAuthInteraction,
  findOAuthDevice: oauth.findOAuthDevice,
  listOwnAuthorizations: oauth.listOwnAuthorizations,
  deleteOwnAuthorization: oauth.deleteOwnAuthorization,
} as const satisfies Record<string, FrontendEndpoint>

export type FrontendEndpointId = keyof typeof frontendEndpoints
