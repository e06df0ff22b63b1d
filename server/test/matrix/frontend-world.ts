// Two end users of one tenant and what belongs to them, for tests that run every operation of the frontend interface.
import type { FrontendEndpointId, OwnOrganization, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { hashOfId } from '../../src/applications/engine/requests/request-store.ts'
import { oauthInteractions } from '../../src/applications/engine/tables.ts'
import { grants } from '../../src/applications/grants/tables.ts'
import { trustedDevices } from '../../src/identity/trusted-devices/tables.ts'
import { addMilliseconds } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type ApplicationId, type TenantId, type UserId, newId } from '../../src/platform/ids.ts'
import { toJson } from '../../src/platform/json-text.ts'
import { createUser, unique } from '../harness/factories.ts'
import { invitationTokenTo } from '../harness/messages.ts'
import { createApplication } from '../harness/people/authorization.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { openSession } from '../harness/people/sessions.ts'
import type { TestService } from '../harness/service.ts'

/** What the paths of the frontend interface can name of one user. */
export interface FrontendNames {
  readonly passkeyId: string
  readonly trustedDeviceId: string
  readonly apiKeyId: string
  readonly connectionId: string
  readonly authorizationId: string
  readonly interactionUid: string
  readonly emailId: string
  readonly phoneId: string
  readonly sessionId: string
  readonly organizationId: string
  readonly memberId: string
  readonly invitationId: string
  readonly invitationToken: string
  readonly organizationConnectionId: string
  readonly scimTokenId: string
  readonly domainId: string
  readonly groupId: string
  readonly roleId: string
  readonly signInId: string
  readonly signUpId: string
  readonly resetId: string
}

export interface FrontendWorld extends FrontendNames {
  readonly person: Person
}

export const frontendNamesOfNothing = (): FrontendNames => ({
  passkeyId: newId(),
  trustedDeviceId: newId(),
  apiKeyId: newId(),
  connectionId: newId(),
  authorizationId: newId(),
  interactionUid: newId(),
  emailId: newId(),
  phoneId: newId(),
  sessionId: newId(),
  organizationId: newId(),
  memberId: newId(),
  invitationId: newId(),
  invitationToken: `oi_${unique()}`,
  organizationConnectionId: newId(),
  scimTokenId: newId(),
  domainId: newId(),
  groupId: newId(),
  roleId: newId(),
  signInId: newId(),
  signUpId: newId(),
  resetId: newId(),
})

let phones = 0
const newPhone = () => `+4930${String(++phones).padStart(4, '0')}${String(process.pid % 10_000).padStart(4, '0')}`

/** Connects an account at a social provider, as if its owner had signed in with it. */
export async function insertConnection({ deps: { db, clock } }: TestService, tenantId: string, userId: string) {
  const id = newId()
  const at = clock.now()
  await db.write(() => [
    sql`INSERT INTO social_connections (tenant_id, id, user_id, provider_key, issuer, subject, email, created_at, updated_at)
      VALUES (${tenantId}, ${id}, ${userId}, ${'github'}, ${'https://github.com'}, ${id}, ${null}, ${at}, ${at})`,
  ])
  return id
}

/** A device on which the user has asked not to be asked for a second factor. */
export async function insertTrustedDevice({ deps: { db, clock } }: TestService, tenantId: string, userId: string) {
  const id = newId<'TrustedDeviceId'>()
  const row = trustedDevices.insert({
    tenant_id: tenantId as TenantId,
    id,
    user_id: userId as UserId,
    token_hash: id,
    factor: 'authenticator_code',
    browser: 'Firefox',
    os: 'Linux',
    expires_at: addMilliseconds(clock.now(), 3_600_000),
    created_at: clock.next(),
    updated_at: clock.now(),
  })
  await db.write(() => [row])
  return id
}

/** A key with which programs of the user call the tenant's API. */
async function createOwnKey(service: TestService, tenantId: string, userId: string) {
  await service.ok('putAuthTenant', { params: { id: tenantId }, body: { userApiKeysEnabled: true } })
  const { id } = await service.ok<{ id: string }>('createUserApiKey', { body: { tenantId, userId, name: 'Script' } })
  return id
}

/** What the user has allowed an application. */
export async function insertGrant(service: TestService, tenantId: string, userId: string) {
  const { db, clock } = service.deps
  const application = await createApplication(service, tenantId)
  const id = newId<'GrantId'>()
  const row = grants.insert({
    tenant_id: tenantId as TenantId,
    id,
    user_id: userId as UserId,
    application_id: application.id as ApplicationId,
    scopes: toJson(['openid']),
    resource_scopes: toJson({}),
    claims: toJson([]),
    last_used_at: clock.now(),
    created_at: clock.next(),
    updated_at: clock.now(),
  })
  await db.write(() => [row])
  return id
}

/** An application that waits for somebody to sign in. */
async function insertInteraction(service: TestService, tenantId: string) {
  const { db, clock } = service.deps
  const { clientId } = await createApplication(service, tenantId)
  const uid = newId()
  const payload = { params: { client_id: clientId, scope: 'openid' }, prompt: { name: 'login' } }
  const row = oauthInteractions.insert({
    tenant_id: tenantId as TenantId,
    id_hash: hashOfId(uid),
    client_id: clientId,
    payload: toJson<Readonly<Record<string, unknown>>>(payload),
    expires_at: addMilliseconds(clock.now(), 600_000),
    created_at: clock.now(),
  })
  await db.write(() => [row])
  return uid
}

/** An organization of the user with one record of every kind. */
async function createOrganizationParts(service: TestService, tenantId: string, { browser }: Person) {
  const { organization } = await browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
    body: { name: 'Research' },
  })
  const fellow = await createUser(service, tenantId)
  const params = { id: organization.id }
  const { member } = await browser.ok<{ member: { id: string } }>('addFellowMember', {
    params,
    body: { userId: fellow.id },
  })
  await service.ok('putAuthTenant', {
    params: { id: tenantId },
    body: {
      organizationCustomDomainManagementEnabled: true,
      organizationAutomaticInvitationEnabled: true,
      organizationAutomaticInvitationSuggestionsEnabled: true,
      organizationRolesEnabled: true,
      organizationRolePermissions: ['org:read'],
      organizationConnectionManagementEnabled: true,
    },
  })
  const { domain } = await browser.ok<{ domain: { id: string } }>('createOrganizationDomain', {
    params,
    body: { name: `${unique()}.example` },
  })
  const { group } = await browser.ok<{ group: { id: string } }>('createOwnOrganizationGroup', {
    params,
    body: { name: 'Engineering' },
  })
  await browser.ok('addFellowToGroup', {
    params: { ...params, groupId: group.id },
    body: { memberId: member.id },
  })
  const { role } = await browser.ok<{ role: { id: string } }>('createOwnRole', { params, body: { name: 'Dispatcher' } })
  const { connection } = await browser.ok<{ connection: { id: string } }>('createOwnOrganizationConnection', {
    params,
    body: { type: 'oidc', name: 'Acme staff', oidc: { issuer: 'https://id.acme.example' } },
  })
  const { token } = await browser.ok<{ token: { id: string } }>('createOwnOrganizationScimToken', {
    params: { ...params, connectionId: connection.id },
    body: { name: 'Okta' },
  })
  const guest = `${unique()}@example.com`
  const { invitation } = await browser.ok<{ invitation: { id: string } }>('sendInvitation', {
    params,
    body: { email: guest },
  })
  return {
    organizationId: organization.id,
    memberId: member.id,
    organizationConnectionId: connection.id,
    scimTokenId: token.id,
    domainId: domain.id,
    groupId: group.id,
    roleId: role.id,
    invitationId: invitation.id,
    invitationToken: await invitationTokenTo(service.deps, guest),
  }
}

/** What the user has begun and not finished. */
async function startAttempts(person: Person) {
  const { email } = person
  const browser = person.elsewhere()
  const signIn = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email } })
  const signUp = await browser.ok<SignUpAnswer>('createSignUp', { body: { email: `${unique()}@example.com` } })
  const { passwordReset } = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', {
    body: { identifier: email },
  })
  return { signInId: signIn.signInAttempt.id, signUpId: signUp.signUpAttempt.id, resetId: passwordReset.id }
}

/** A signed-in user with one record of every kind. */
export async function createFrontendWorld(
  service: TestService,
  tenant: { id: string; publicKey: string },
): Promise<FrontendWorld> {
  const person = await signedInPerson(service, tenant)
  const { user } = person
  const { passkey } = await person.addPasskey()
  const { id: phoneId } = await service.ok<{ id: string }>('createPhoneNumber', {
    body: { tenantId: tenant.id, userId: user.id, phone: newPhone() },
  })
  return {
    person,
    passkeyId: passkey.id,
    apiKeyId: await createOwnKey(service, tenant.id, user.id),
    trustedDeviceId: await insertTrustedDevice(service, tenant.id, user.id),
    ...(await createOrganizationParts(service, tenant.id, person)),
    ...(await startAttempts(person)),
    connectionId: await insertConnection(service, tenant.id, user.id),
    authorizationId: await insertGrant(service, tenant.id, user.id),
    interactionUid: await insertInteraction(service, tenant.id),
    emailId: user.primaryEmailId ?? '',
    phoneId,
    sessionId: (await openSession(service, tenant.id, user.id)).row.id,
  }
}

type Params = Readonly<Record<string, string>>

const idOf = (name: keyof FrontendNames) => (names: FrontendNames) => ({ id: names[name] })
const ofOrganization = idOf('organizationId')
const ofMember = ({ organizationId, memberId }: FrontendNames) => ({ id: organizationId, memberId })
const ofInvitation = ({ organizationId, invitationId }: FrontendNames) => ({ id: organizationId, invitationId })
const ofDomain = ({ organizationId, domainId }: FrontendNames) => ({ id: organizationId, domainId })
const ofGroup = ({ organizationId, groupId }: FrontendNames) => ({ id: organizationId, groupId })
const ofOwnRole = ({ organizationId, roleId }: FrontendNames) => ({ id: organizationId, roleId })
const ofConnection = ({ organizationId, organizationConnectionId }: FrontendNames) => ({
  id: organizationId,
  connectionId: organizationConnectionId,
})
const ofScimToken = (names: FrontendNames) => ({ ...ofConnection(names), tokenId: names.scimTokenId })
const ofGroupMember = (names: FrontendNames) => ({ ...ofGroup(names), memberId: names.memberId })
const ofOrganizationKey = ({ organizationId, apiKeyId }: FrontendNames) => ({ id: organizationId, keyId: apiKeyId })
const ofInteraction = ({ interactionUid }: FrontendNames) => ({ uid: interactionUid })
const byToken = ({ invitationToken }: FrontendNames) => ({ token: invitationToken })

/** How the path of an operation names its subject; a test checks that every path with a parameter is listed here. */
export const pathNames: Readonly<Partial<Record<FrontendEndpointId, (names: FrontendNames) => Params>>> = {
  updatePasskey: idOf('passkeyId'),
  deletePasskey: idOf('passkeyId'),
  deleteTrustedDevice: idOf('trustedDeviceId'),
  rotateOwnApiKey: idOf('apiKeyId'),
  deleteOwnApiKey: idOf('apiKeyId'),
  listOwnOrganizationApiKeys: ofOrganization,
  createOwnOrganizationApiKey: ofOrganization,
  rotateOwnOrganizationApiKey: ofOrganizationKey,
  deleteOwnOrganizationApiKey: ofOrganizationKey,
  deleteOwnConnection: idOf('connectionId'),
  deleteOwnConnectionAccess: idOf('connectionId'),
  deleteOwnAuthorization: idOf('authorizationId'),
  getOAuthInteraction: ofInteraction,
  loginOAuthInteraction: ofInteraction,
  consentOAuthInteraction: ofInteraction,
  abortOAuthInteraction: ofInteraction,
  deleteOwnEmail: idOf('emailId'),
  prepareOwnEmail: idOf('emailId'),
  verifyOwnEmail: idOf('emailId'),
  makeOwnEmailPrimary: idOf('emailId'),
  deleteOwnPhone: idOf('phoneId'),
  prepareOwnPhone: idOf('phoneId'),
  verifyOwnPhone: idOf('phoneId'),
  makeOwnPhonePrimary: idOf('phoneId'),
  deleteOwnSession: idOf('sessionId'),
  switchBrowserAccount: idOf('sessionId'),
  getOwnOrganization: ofOrganization,
  updateOwnOrganization: ofOrganization,
  getOwnOrganizationSecurity: ofOrganization,
  updateOwnOrganizationSecurity: ofOrganization,
  deleteOwnOrganization: ofOrganization,
  listFellowMembers: ofOrganization,
  addFellowMember: ofOrganization,
  updateFellowMember: ofMember,
  removeFellowMember: ofMember,
  getFellowMember: ofMember,
  listOrganizationRoles: ofOrganization,
  getSentInvitation: ofInvitation,
  updateSentInvitation: ofInvitation,
  acceptReceivedInvitation: ofInvitation,
  declineReceivedInvitation: ofInvitation,
  leaveOrganization: ofOrganization,
  requestInvitation: ofOrganization,
  listSentInvitations: ofOrganization,
  sendInvitation: ofOrganization,
  resendInvitation: ofInvitation,
  revokeInvitation: ofInvitation,
  listOwnOrganizationGroups: ofOrganization,
  createOwnOrganizationGroup: ofOrganization,
  getOwnOrganizationGroup: ofGroup,
  updateOwnOrganizationGroup: ofGroup,
  deleteOwnOrganizationGroup: ofGroup,
  listFellowsOfGroup: ofGroup,
  addFellowToGroup: ofGroup,
  removeFellowFromGroup: ofGroupMember,
  listOwnRoles: ofOrganization,
  createOwnRole: ofOrganization,
  updateOwnRole: ofOwnRole,
  deleteOwnRole: ofOwnRole,
  listOwnOrganizationConnections: ofOrganization,
  createOwnOrganizationConnection: ofOrganization,
  updateOwnOrganizationConnection: ofConnection,
  deleteOwnOrganizationConnection: ofConnection,
  checkOwnOrganizationConnection: ofConnection,
  testOwnOrganizationConnection: ofConnection,
  getOwnOrganizationConnectionTest: ofConnection,
  previewOwnOrganizationConnection: ofConnection,
  getOwnOrganizationProvisioning: ofConnection,
  createOwnOrganizationScimToken: ofConnection,
  deleteOwnOrganizationScimToken: ofScimToken,
  listOwnOrganizationScimGroups: ofConnection,
  updateOwnOrganizationGroupRules: ofConnection,
  previewOwnOrganizationGroupRules: ofConnection,
  listOwnOrganizationScimLog: ofConnection,
  listOrganizationDomains: ofOrganization,
  createOrganizationDomain: ofOrganization,
  getOrganizationDomain: ofDomain,
  verifyOrganizationDomain: ofDomain,
  deleteOrganizationDomain: ofDomain,
  getInvitation: byToken,
  acceptInvitation: byToken,
  declineInvitation: byToken,
  getSignIn: idOf('signInId'),
  prepareFirstFactor: idOf('signInId'),
  attemptFirstFactor: idOf('signInId'),
  prepareSecondFactor: idOf('signInId'),
  attemptSecondFactor: idOf('signInId'),
  getSignUp: idOf('signUpId'),
  updateSignUp: idOf('signUpId'),
  prepareVerification: idOf('signUpId'),
  attemptVerification: idOf('signUpId'),
  attemptPasswordReset: idOf('resetId'),
}
