// A tenant with at least one record of every kind, for the requests of the generated matrices.
import type { EndpointId, Tenant, UserApiKeyWithKey } from '@bailiwick/contract'
import { newId } from '../../src/platform/ids.ts'
import { storeGrant } from '../harness/applications.ts'
import { storePasskey } from '../harness/browser/passkeys.ts'
import { fanOutEverything } from '../harness/databases/event-log.ts'
import {
  createApiKey,
  createApplication,
  createConnection,
  createCustomProvider,
  createFile,
  createOrganization,
  createResource,
  createRole,
  createSocialProvider,
  createTenant,
  createTransformation,
  createUser,
  createWebhook,
  unique,
} from '../harness/factories.ts'
import { storeConnectionIdentity } from '../harness/people/connections.ts'
import { storeKeptAccess } from '../harness/people/kept-access.ts'
import { provisionSome } from '../harness/people/scim.ts'
import { insertAttempts, openSession, signInConsoleUser } from '../harness/people/sessions.ts'
import { insertWaitlistEntry } from '../harness/people/waitlist.ts'
import type { TestService } from '../harness/service.ts'
import { newEmail, newPhone } from './request-kinds.ts'

/** The ids that requests name. */
const idNames = [
  'tenantId',
  'roleId',
  'userId',
  'emailId',
  'phoneId',
  'organizationId',
  'providerId',
  'transformationId',
  'domainId',
  'spareDomainId',
  'channelId',
  'spareChannelId',
  'templateId',
  'spareTemplateId',
  'messageId',
  // A channel that nothing changes.
  'outboxId',
  'organizationMemberId',
  'spareOrganizationMemberId',
  'organizationInvitationId',
  'spareOrganizationInvitationId',
  'organizationDomainId',
  'checkedOrganizationDomainId',
  // With which the world's user has signed in.
  'connectionId',
  'spareConnectionId',
  'groupId',
  'spareGroupId',
  'groupedMemberId',
  'ownRoleId',
  'spareOwnRoleId',
  'setupLinkId',
  'spareScimTokenId',
  'scimGroupId',
  'spareOrganizationDomainId',
  // Records on which nothing else in the world depends, for the operations that delete.
  'spareRoleId',
  'spareOrganizationId',
  'spareTransformationId',
  'spareProviderId',
  'applicationId',
  'applicationSecretId',
  'spareApplicationId',
  'resourceId',
  'spareResourceId',
  'grantId',
  'customProviderId',
  'spareCustomProviderId',
  'spareUserId',
  'waitlistEntryId',
  'spareWaitlistEntryId',
  'importJobId',
  'spareImportJobId',
  'spareEmailId',
  'sparePhoneId',
  'fileId',
  'spareFileId',
  'spareUploadId',
  'hookId',
  'spareHookId',
  'webhookId',
  'spareWebhookId',
  'webhookDeliveryId',
  // Retired; the key that has replaced it signs.
  'spareSigningKeyId',
  'socialConnectionId',
  'spareSocialConnectionId',
  'userApiKeyId',
  'spareUserApiKeyId',
  'apiKeyId',
  'spareApiKeyId',
  'memberId',
  'spareMemberId',
  'invitationId',
  'spareInvitationId',
  // A user with a session, whom nothing else changes.
  'sessionUserId',
  'sessionId',
  'spareSessionId',
  // A user who loses an authenticator, and with it every session.
  'authenticatorUserId',
  'spareAuthenticatorId',
  'signInAttemptId',
  'spareSignInAttemptId',
  'signUpAttemptId',
  'spareSignUpAttemptId',
  // To the console user of the world, from other tenants.
  'ownInvitationId',
  'spareOwnInvitationId',
] as const

type IdName = (typeof idNames)[number]

/** What requests name: the records of one tenant, or of none. */
export type Names = Readonly<Record<IdName | 'publicKey' | 'slug', string>>

/** A tenant with at least one record of every kind. */
export interface World extends Names {
  readonly tenant: Tenant
  readonly secretKey: string
  /** A console user who is not a member of this tenant. */
  readonly consoleEmail: string
  /** The session of a console user who is a member of nothing. */
  readonly consoleToken: string
  /** An API key of a user. */
  readonly userKey: string
}

const inbox = { type: 'email', provider: 'dev_inbox', providerSettings: {} } as const

/** Creates records by the operation of that name, and returns their ids. */
const creator = (service: TestService) => async (id: EndpointId, body: object) =>
  (await service.ok<{ id: string }>(id, { body })).id

async function configurationParts(service: TestService, tenantId: string) {
  const created = creator(service)
  await service.ok('putTenantBrand', { params: { id: tenantId }, body: { primary: '#4f46e5' } })
  const domain = () => created('createDomain', { tenantId, name: `${unique()}.example` })
  return {
    domainId: await domain(),
    spareDomainId: await domain(),
    spareSigningKeyId:
      (await service.ok<{ id: string }[]>('rotateJwkCertificates', { body: { tenantId } })).at(-1)?.id ?? '',
    roleId: (await createRole(service, tenantId)).id,
    spareRoleId: (await createRole(service, tenantId)).id,
    spareProviderId: (await createSocialProvider(service, tenantId, { providerKey: 'gitlab' })).id,
    providerId: (await createSocialProvider(service, tenantId)).id,
    customProviderId: (await createCustomProvider(service, tenantId)).id,
    spareCustomProviderId: (await createCustomProvider(service, tenantId)).id,
    apiKeyId: (await createApiKey(service, tenantId, ['users:read'])).id,
    spareApiKeyId: (await createApiKey(service, tenantId, ['users:read'])).id,
  }
}

/** The event of the webhook's own creation makes its first delivery, once the reader of the log has got that far. */
async function firstDelivery(service: TestService, webhookId: string): Promise<string> {
  await fanOutEverything(service.deps)
  const { data } = await service.ok<{ data: { id: string }[] }>('listWebhookDeliveries', { params: { id: webhookId } })
  return data[0]?.id ?? ''
}

async function messagingParts(service: TestService, tenantId: string) {
  const created = creator(service)
  const channel = (key: string) => created('createChannel', { tenantId, name: key, key, ...inbox })
  const template = (name: string) =>
    created('createTemplate', { tenantId, type: 'email', name, body: '<p>Thank you</p>' })
  const channels = {
    channelId: await channel('inbox'),
    spareChannelId: await channel('spare'),
    outboxId: await channel('outbox'),
  }
  const hook = { tenantId, point: 'sign_up.before', url: 'https://hooks.example/decide', enabled: false }
  // The rights of a credential that may set up webhooks.
  const webhook = await createWebhook(service, tenantId, { events: ['webhook.created'] })
  return {
    ...channels,
    templateId: await template('receipt'),
    spareTemplateId: await template('spare'),
    messageId: await created('sendMessage', {
      tenantId,
      template: 'welcome',
      channel: 'outbox',
      variables: {},
      input: { to: 'ada@example.com' },
    }),
    hookId: await created('createHook', hook),
    spareHookId: await created('createHook', hook),
    webhookId: webhook.id,
    spareWebhookId: (await createWebhook(service, tenantId)).id,
    webhookDeliveryId: await firstDelivery(service, webhook.id),
  }
}

async function mediaParts(service: TestService, tenantId: string) {
  return {
    transformationId: (await createTransformation(service, tenantId)).id,
    spareTransformationId: (await createTransformation(service, tenantId)).id,
    fileId: (await createFile(service, tenantId)).id,
    spareFileId: (await createFile(service, tenantId)).id,
    spareUploadId: (await createFile(service, tenantId)).id,
  }
}

async function userParts(service: TestService, tenantId: string, roleId: string) {
  const user = await createUser(service, tenantId, { roleId, username: unique(), phone: newPhone() })
  const spareContacts = await createUser(service, tenantId, { phone: newPhone() })
  const sessionUser = await createUser(service, tenantId)
  await createSocialProvider(service, tenantId, { providerKey: 'facebook', keepTokens: true })
  const authenticatorUser = await createUser(service, tenantId)
  const attempts = await insertAttempts(service, tenantId, sessionUser.id)
  const spareAttempts = await insertAttempts(service, tenantId, sessionUser.id)
  const importJob = async () => {
    const request = { query: { tenantId }, body: [{ email: newEmail() }] }
    return (await service.ok<{ id: string }>('createImportJob', request)).id
  }
  await service.ok('putAuthTenant', { params: { id: tenantId }, body: { userApiKeysEnabled: true } })
  const apiKey = () => {
    const body = { tenantId, userId: sessionUser.id, name: 'Script' }
    return service.ok<UserApiKeyWithKey>('createUserApiKey', { body })
  }
  const { id: userApiKeyId, key: userKey } = await apiKey()
  const session = async () => (await openSession(service, tenantId, sessionUser.id)).row.id
  return {
    userId: user.id,
    emailId: user.primaryEmailId ?? '',
    phoneId: user.primaryPhoneId ?? '',
    spareUserId: (await createUser(service, tenantId)).id,
    spareEmailId: spareContacts.primaryEmailId ?? '',
    sparePhoneId: spareContacts.primaryPhoneId ?? '',
    waitlistEntryId: await insertWaitlistEntry(service, tenantId, newEmail()),
    spareWaitlistEntryId: await insertWaitlistEntry(service, tenantId, newEmail()),
    importJobId: await importJob(),
    spareImportJobId: await importJob(),
    sessionUserId: sessionUser.id,
    sessionId: await session(),
    spareSessionId: await session(),
    socialConnectionId: await storeKeptAccess(service, tenantId, sessionUser.id),
    spareSocialConnectionId: await storeKeptAccess(service, tenantId, sessionUser.id),
    userApiKeyId,
    userKey,
    spareUserApiKeyId: (await apiKey()).id,
    authenticatorUserId: authenticatorUser.id,
    spareAuthenticatorId: await storePasskey(service, tenantId, authenticatorUser.id),
    signInAttemptId: attempts.signIn.id as string,
    spareSignInAttemptId: spareAttempts.signIn.id as string,
    signUpAttemptId: attempts.signUp.id as string,
    spareSignUpAttemptId: spareAttempts.signUp.id as string,
  }
}

async function organizationParts(service: TestService, tenantId: string, roleId: string, userId: string) {
  const created = creator(service)
  const { id: organizationId } = await createOrganization(service, tenantId)
  const { id: connectionId } = await createConnection(service, organizationId, {
    roleRules: [{ claim: 'groups', value: 'admins', roleId }],
  })
  await service.ok('testConnection', { params: { id: connectionId } })
  await storeConnectionIdentity(service, { tenantId, organizationId, connectionId, userId })
  const member = async (body: object = {}) => {
    const { id } = await createUser(service, tenantId)
    return created('createOrganizationMember', { organizationId, userId: id, ...body })
  }
  const invitation = () => created('createOrganizationInvitation', { organizationId, email: newEmail() })
  const domain = async () => {
    const request = { params: { organizationId }, body: { name: `${unique()}.example` } }
    return (await service.ok<{ id: string }>('createDomainOfOrganization', request)).id
  }
  const setupLink = async () => {
    const request = { params: { organizationId }, body: { email: newEmail() } }
    return (await service.ok<{ id: string }>('createSetupLink', request)).id
  }
  const group = async () => {
    const request = { params: { organizationId }, body: { name: unique() } }
    return (await service.ok<{ id: string }>('createOrganizationGroup', request)).id
  }
  const body = { organizationRolesEnabled: true, organizationRolePermissions: ['org:read'] }
  await service.ok('putAuthTenant', { params: { id: tenantId }, body })
  const ownRole = async () => {
    const request = { params: { organizationId }, body: { name: unique() } }
    return (await service.ok<{ id: string }>('createOrganizationRole', request)).id
  }
  const groupId = await group()
  const groupedMemberId = await member()
  await service.ok('addMemberToGroup', {
    params: { organizationId, id: groupId },
    body: { memberId: groupedMemberId },
  })
  return {
    organizationId,
    groupId,
    spareGroupId: await group(),
    spareOrganizationId: (await createOrganization(service, tenantId)).id,
    groupedMemberId,
    ownRoleId: await ownRole(),
    spareOwnRoleId: await ownRole(),
    organizationMemberId: await member({ roleId }),
    spareOrganizationMemberId: await member(),
    organizationInvitationId: await invitation(),
    spareOrganizationInvitationId: await invitation(),
    organizationDomainId: await domain(),
    checkedOrganizationDomainId: await domain(),
    connectionId,
    ...(await provisionSome(service, connectionId)),
    spareConnectionId: (await createConnection(service, organizationId)).id,
    setupLinkId: await setupLink(),
    spareOrganizationDomainId: await domain(),
  }
}

async function applicationParts(service: TestService, tenantId: string, userId: string) {
  const { secrets, ...application } = await createApplication(service, tenantId)
  return {
    applicationId: application.id,
    applicationSecretId: secrets[0]?.id ?? '',
    spareApplicationId: (await createApplication(service, tenantId)).id,
    resourceId: (await createResource(service, tenantId)).id,
    spareResourceId: (await createResource(service, tenantId)).id,
    grantId: await storeGrant(service, { tenantId, userId, applicationId: application.id }),
  }
}

async function consoleParts(service: TestService, tenantId: string) {
  const created = creator(service)
  const { token: consoleToken, email } = await signInConsoleUser(service)
  const { tenant: elsewhere } = await createTenant(service)
  const { tenant: another } = await createTenant(service)
  const consoleEmail = newEmail()
  await created('createTenantMember', { tenantId: elsewhere.id, email: consoleEmail })
  await created('createTenantMember', { tenantId, email: newEmail(), roleAdmin: true })
  return {
    consoleEmail,
    consoleToken,
    memberId: await created('createTenantMember', { tenantId, email: newEmail(), roleViewUsers: true }),
    spareMemberId: await created('createTenantMember', { tenantId, email: newEmail() }),
    invitationId: await created('inviteTenantMember', { tenantId, email: newEmail() }),
    spareInvitationId: await created('inviteTenantMember', { tenantId, email: newEmail() }),
    ownInvitationId: await created('inviteTenantMember', { tenantId: elsewhere.id, email, roleViewUsers: true }),
    spareOwnInvitationId: await created('inviteTenantMember', { tenantId: another.id, email }),
  }
}

export async function createWorld(service: TestService): Promise<World> {
  const { tenant, secretKey } = await createTenant(service)
  const { id: tenantId, publicKey, slug } = tenant
  const configuration = await configurationParts(service, tenantId)
  const { roleId } = configuration
  const users = await userParts(service, tenantId, roleId)
  return {
    tenant,
    secretKey,
    tenantId,
    publicKey,
    slug,
    ...configuration,
    ...(await messagingParts(service, tenantId)),
    ...(await mediaParts(service, tenantId)),
    ...users,
    ...(await applicationParts(service, tenantId, users.userId)),
    ...(await organizationParts(service, tenantId, roleId, users.userId)),
    ...(await consoleParts(service, tenantId)),
  }
}

/** Well-formed names that do not exist anywhere. */
export function namesOfNothing(): Names {
  const ids = Object.fromEntries(idNames.map((name): [IdName, string] => [name, newId()])) as Record<IdName, string>
  return { ...ids, publicKey: `pk_dev_${unique()}`, slug: unique() }
}
