// The operations of the management interface that no screen calls.
import type { EndpointId } from '@bailiwick/contract'

/** Why an operation needs no screen of its own. */
export const reasons: Readonly<Partial<Record<EndpointId, string>>> = {
  evaluate: 'Apps and gateways ask about permissions; administrators read the roles of users and members.',
  listTenants: 'The console lists tenants with what the user may do in each: listOwnTenants.',
  importUsers: 'The console imports in the background: createImportJob.',
  getImportJob: 'The list of imports has all that there is to one.',
  getTenantByPublicKey: 'A tenant is found by its name, slug or id; apps have the public key, people do not.',
  getTenantBySlug: 'The list of tenants is searched by slug.',
  getEmailAddress: 'The user has all of its addresses.',
  getPhoneNumber: 'The user has all of its numbers.',
  getOrganizationMember: 'The list of members has all that there is to one.',
  getOrganizationInvitation: 'The list of invitations has all that there is to one.',
  getSession: 'The lists of sessions have all that there is to one.',
  putTenantSession: 'The sign-in rules have the limits of sessions, too.',
  checkConnection: 'A test of the connection finds what a check would, and more.',
  getDomain: 'The list of domains has all that there is to one.',
  listUserEmailAddresses: 'The user has all of its addresses.',
  listUserPhoneNumbers: 'The user has all of its numbers.',
  listTenantEmailAddresses: 'The list of users is searched by address.',
  listTenantPhoneNumbers: 'The list of users is searched by number.',
  updateEmailAddress: 'A new address is added and verified before the old one is removed.',
  cloneAllTemplates: 'The list of templates copies them with cloneTemplates.',
  getTemplateContent: 'The record of a template contains its subject and body.',
  updateTemplateContent: 'The form of a template changes its subject and body with the record.',
  countMessagesPerDay: 'For clients that were written for another server; the list of messages is filtered by time.',
  listUploadSizesByDay: 'For clients that were written for another server; the screen Usage shows what is stored.',
  createUserApiKey: 'Users create their own keys; only they, or a server of the tenant, can hand one to a program.',
  authorizeUserApiKey: 'Gateways before the servers of the tenant ask about keys that they receive.',
  verifyUserApiKey: 'The servers of the tenant check keys that they receive.',
  reportUserApiKey: 'For scanners of secrets; administrators revoke a key on the page of its user or organization.',
  receiveHookCalls: 'The command `bailiwick hooks listen` receives calls on the machine of a developer.',
  answerHookCall: 'The command `bailiwick hooks listen` returns the answers of a program on that machine.',
  getProviderToken:
    'The servers of the tenant act for users at providers; the page of a user shows to what they have access.',
  listRecentSignUps: 'The list of users begins with the newest.',
}

/** Screens that are still to be built. This list must only become shorter. */
export const notYet: readonly EndpointId[] = []
