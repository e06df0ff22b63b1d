// For every operation of the contract: a valid request in a prepared tenant, and the ways in which it can name what belongs
// to another tenant. The type makes an operation without an entry a compile error; the generated matrices run over it.
import type { Static, TSchema } from 'typebox'
import {
  type BodyOf,
  type Endpoint,
  type EndpointId,
  type ParamsOf,
  type QueryOf,
  type Tenant,
  endpoints,
} from '@bailiwick/contract'
import { newId } from '../src/platform/ids.ts'
import { fanOutEverything } from './event-log.ts'

import {
  createFile,
  createApiKey,
  createOrganization,
  createRole,
  createSocialProvider,
  createTenant,
  createTransformation,
  createUser,
  createWebhook,
  transformationBody,
  unique,
} from './factories.ts'
import { storePasskey } from './passkeys.ts'
import { type TestService, operatorKey } from './service.ts'
import { insertAttempts, openSession, signInConsoleUser } from './sessions.ts'

/** What requests name: the records of one tenant, or of none. */
export interface Names {
  readonly tenantId: string
  readonly publicKey: string
  readonly slug: string
  readonly roleId: string
  readonly userId: string
  readonly emailId: string
  readonly phoneId: string
  readonly organizationId: string
  readonly providerId: string
  readonly transformationId: string
  readonly domainId: string
  readonly channelId: string
  readonly templateId: string
  readonly messageId: string
  /** A channel that nothing changes. */
  readonly outboxId: string
  readonly organizationMemberId: string
  readonly organizationInvitationId: string
  readonly organizationDomainId: string
  readonly spareOrganizationDomainId: string
  /** Records that nothing else in the world leans on, for the operations that delete. */
  readonly spareRoleId: string
  readonly spareOrganizationId: string
  readonly spareTransformationId: string
  readonly spareProviderId: string
  readonly spareUserId: string
  readonly spareEmailId: string
  readonly sparePhoneId: string
  readonly fileId: string
  readonly spareFileId: string
  readonly spareUploadId: string
  readonly webhookId: string
  readonly spareWebhookId: string
  readonly webhookDeliveryId: string
  readonly apiKeyId: string
  readonly spareApiKeyId: string
  readonly memberId: string
  readonly spareMemberId: string
  readonly invitationId: string
  readonly spareInvitationId: string
  /** A user with a session, whom nothing else changes. */
  readonly sessionUserId: string
  readonly sessionId: string
  readonly spareSessionId: string
  readonly spareAuthenticatorId: string
  readonly signInAttemptId: string
  readonly signUpAttemptId: string
  /** To the console user of the world, from other tenants. */
  readonly ownInvitationId: string
  readonly spareOwnInvitationId: string
}

/** A tenant with at least one record of every kind. */
export interface World extends Names {
  readonly tenant: Tenant
  readonly secretKey: string
  /** A console user who is no member of this tenant. */
  readonly consoleEmail: string
  /** The session of a console user who is a member of nothing. */
  readonly consoleToken: string
}

/** A credential that the operation takes; null where it asks for none. */
export function tokenFor(id: EndpointId, world: World): string | null {
  switch (endpoints[id].permission) {
    case 'public':
      return null
    case 'create-tenant':
    case 'operator':
      return operatorKey
    case 'console-user':
      return world.consoleToken
    default:
      return world.secretKey
  }
}

async function consoleParts(service: TestService, tenantId: string, elsewhereId: string) {
  const created = async (id: EndpointId, body: object) => (await service.ok<{ id: string }>(id, { body })).id
  const address = () => `${unique()}@example.com`
  const { token, email } = await signInConsoleUser(service)
  const { tenant: another } = await createTenant(service)
  const sessionUser = await createUser(service, tenantId)
  const attempts = await insertAttempts(service, tenantId, sessionUser.id)
  const session = async () => (await openSession(service, tenantId, sessionUser.id)).row.id
  return {
    consoleToken: token,
    memberId: await created('createTenantMember', { tenantId, email: address(), roleViewUsers: true }),
    spareMemberId: await created('createTenantMember', { tenantId, email: address() }),
    invitationId: await created('inviteTenantMember', { tenantId, email: address() }),
    spareInvitationId: await created('inviteTenantMember', { tenantId, email: address() }),
    sessionUserId: sessionUser.id,
    sessionId: await session(),
    spareSessionId: await session(),
    spareAuthenticatorId: await storePasskey(service, tenantId, sessionUser.id),
    signInAttemptId: attempts.signIn.id as string,
    signUpAttemptId: attempts.signUp.id as string,
    ownInvitationId: await created('inviteTenantMember', { tenantId: elsewhereId, email, roleViewUsers: true }),
    spareOwnInvitationId: await created('inviteTenantMember', { tenantId: another.id, email }),
  }
}

/** The event that the webhook's own creation is makes its first delivery, once the log has been read on. */
async function firstDelivery(service: TestService, webhookId: string): Promise<string> {
  await fanOutEverything(service.deps)
  const { data } = await service.ok<{ data: { id: string }[] }>('listWebhookDeliveries', { params: { id: webhookId } })
  return data[0]?.id ?? ''
}

export async function createWorld(service: TestService): Promise<World> {
  const { tenant, secretKey } = await createTenant(service)
  const { tenant: elsewhere } = await createTenant(service)
  const tenantId = tenant.id
  const consoleEmail = `${unique()}@example.com`
  await service.ok('createTenantMember', { body: { tenantId: elsewhere.id, email: consoleEmail } })
  await service.ok('createTenantMember', { body: { tenantId, email: `${unique()}@example.com`, roleAdmin: true } })
  await service.ok('inviteTenantMember', { body: { tenantId, email: `${unique()}@example.com` } })
  await service.ok('putTenantBrand', { params: { id: tenantId }, body: { primary: '#4f46e5' } })
  const domain = await service.ok<{ id: string }>('createDomain', { body: { tenantId, name: `${unique()}.example` } })
  const channel = await service.ok<{ id: string }>('createChannel', {
    body: { tenantId, name: 'Inbox', key: 'inbox', type: 'email', provider: 'dev_inbox', providerSettings: {} },
  })
  const template = await service.ok<{ id: string }>('createTemplate', {
    body: { tenantId, type: 'email', name: 'receipt', body: '<p>Thank you</p>' },
  })
  const outbox = await service.ok<{ id: string }>('createChannel', {
    body: { tenantId, name: 'Outbox', key: 'outbox', type: 'email', provider: 'dev_inbox', providerSettings: {} },
  })
  const message = await service.ok<{ id: string }>('sendMessage', {
    body: { tenantId, template: 'welcome', channel: 'outbox', variables: {}, input: { to: 'ada@example.com' } },
  })
  const role = await createRole(service, tenantId)
  const user = await createUser(service, tenantId, { roleId: role.id, username: unique(), phone: newPhone() })
  const spareUser = await createUser(service, tenantId)
  const spareContacts = await createUser(service, tenantId, { phone: newPhone() })
  const member = await createUser(service, tenantId)
  const organization = await createOrganization(service, tenantId)
  const organizationId = organization.id
  const organizationMember = await service.ok<{ id: string }>('createOrganizationMember', {
    body: { organizationId, userId: member.id, roleId: role.id },
  })
  const organizationInvitation = await service.ok<{ id: string }>('createOrganizationInvitation', {
    body: { organizationId, email: `${unique()}@example.com` },
  })
  const organizationDomain = async () => {
    const request = { params: { organizationId }, body: { name: `${unique()}.example` } }
    return (await service.ok<{ id: string }>('createDomainOfOrganization', request)).id
  }
  const spareRole = await createRole(service, tenantId)
  const spareOrganization = await createOrganization(service, tenantId)
  const spareProvider = await createSocialProvider(service, tenantId, { providerKey: 'gitlab' })
  const provider = await createSocialProvider(service, tenantId)
  const transformation = await createTransformation(service, tenantId)
  const spareTransformation = await createTransformation(service, tenantId)
  const file = await createFile(service, tenantId)
  const spareFile = await createFile(service, tenantId)
  const spareUpload = await createFile(service, tenantId)
  // What whoever may set up webhooks may read.
  const webhook = await createWebhook(service, tenantId, { events: ['webhook.created'] })
  const spareWebhook = await createWebhook(service, tenantId)
  const webhookDeliveryId = await firstDelivery(service, webhook.id)
  const apiKey = await createApiKey(service, tenantId, ['users:read'])
  const spareApiKey = await createApiKey(service, tenantId, ['users:read'])
  return {
    tenant,
    secretKey,
    consoleEmail,
    tenantId,
    publicKey: tenant.publicKey,
    slug: tenant.slug,
    roleId: role.id,
    userId: user.id,
    emailId: user.primaryEmailId ?? '',
    phoneId: user.primaryPhoneId ?? '',
    organizationId,
    providerId: provider.id,
    transformationId: transformation.id,
    domainId: domain.id,
    channelId: channel.id,
    templateId: template.id,
    messageId: message.id,
    outboxId: outbox.id,
    organizationMemberId: organizationMember.id,
    organizationInvitationId: organizationInvitation.id,
    organizationDomainId: await organizationDomain(),
    spareOrganizationDomainId: await organizationDomain(),
    spareRoleId: spareRole.id,
    spareOrganizationId: spareOrganization.id,
    spareTransformationId: spareTransformation.id,
    spareProviderId: spareProvider.id,
    spareUserId: spareUser.id,
    spareEmailId: spareContacts.primaryEmailId ?? '',
    sparePhoneId: spareContacts.primaryPhoneId ?? '',
    fileId: file.id,
    spareFileId: spareFile.id,
    spareUploadId: spareUpload.id,
    webhookId: webhook.id,
    spareWebhookId: spareWebhook.id,
    webhookDeliveryId,
    apiKeyId: apiKey.id,
    spareApiKeyId: spareApiKey.id,
    ...(await consoleParts(service, tenantId, elsewhere.id)),
  }
}

/** Well-formed names of what exists nowhere. */
export const namesOfNothing = (): Names => ({
  tenantId: newId(),
  publicKey: `pk_dev_${unique()}`,
  slug: unique(),
  roleId: newId(),
  userId: newId(),
  emailId: newId(),
  phoneId: newId(),
  organizationId: newId(),
  providerId: newId(),
  transformationId: newId(),
  domainId: newId(),
  channelId: newId(),
  templateId: newId(),
  messageId: newId(),
  outboxId: newId(),
  organizationMemberId: newId(),
  organizationInvitationId: newId(),
  organizationDomainId: newId(),
  spareOrganizationDomainId: newId(),
  spareRoleId: newId(),
  spareOrganizationId: newId(),
  spareTransformationId: newId(),
  spareProviderId: newId(),
  spareUserId: newId(),
  spareEmailId: newId(),
  sparePhoneId: newId(),
  fileId: newId(),
  spareFileId: newId(),
  spareUploadId: newId(),
  webhookId: newId(),
  spareWebhookId: newId(),
  webhookDeliveryId: newId(),
  apiKeyId: newId(),
  spareApiKeyId: newId(),
  memberId: newId(),
  spareMemberId: newId(),
  invitationId: newId(),
  spareInvitationId: newId(),
  sessionUserId: newId(),
  sessionId: newId(),
  spareSessionId: newId(),
  spareAuthenticatorId: newId(),
  signInAttemptId: newId(),
  signUpAttemptId: newId(),
  ownInvitationId: newId(),
  spareOwnInvitationId: newId(),
})

/** A streamed body as the lines that it is made of. */
type SentBody<E extends Endpoint> = E extends { bodyType: string; body: infer S extends TSchema }
  ? readonly Static<S>[]
  : BodyOf<E>

type Given<E extends Endpoint> = object &
  (E extends { params: TSchema } ? { readonly params: ParamsOf<E> } : unknown) &
  (E extends { query: TSchema } ? { readonly query?: QueryOf<E> } : unknown) &
  (E extends { body: TSchema } ? { readonly body: SentBody<E> } : unknown)

/** How a request that names another's record is answered: as one that does not exist, or as a reference to nothing. */
export type ForeignAnswer = 'not_found' | 'null' | { readonly issueAt: string }

interface ForeignRequest<E extends Endpoint> {
  /** Which name in the request is another tenant's. */
  readonly naming: string
  readonly request: Given<E>
  readonly answer: ForeignAnswer
}

interface OperationRequests<E extends Endpoint> {
  /** Can be answered 200 once in a world. */
  readonly valid: (world: World) => Given<E>
  /** One request for each name in it that can be another's; the rest is `own`. Empty where a request names nothing. */
  readonly foreign: (own: World, other: Names) => readonly ForeignRequest<E>[]
}

type Entry<Id extends EndpointId> = OperationRequests<(typeof endpoints)[Id]>

/** The operations whose path names the tenant alone. */
const onTenant = {
  valid: ({ tenantId }: World) => ({ params: { tenantId } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'tenantId', request: { params: { tenantId } }, answer: 'not_found' as const },
  ],
}

const onTenantById = {
  valid: ({ tenantId }: World) => ({ params: { id: tenantId } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'id', request: { params: { id: tenantId } }, answer: 'not_found' as const },
  ],
}

/** The operations on versions of a document of the tenant. */
const onVersions = <Numbers extends Readonly<Record<string, string>>>(numbers: Numbers) => ({
  valid: ({ tenantId }: World) => ({ params: { id: tenantId, ...numbers } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'id', request: { params: { id: tenantId, ...numbers } }, answer: 'not_found' as const },
  ],
})

/** The operations that name an e-mail address or a phone number in the body, and nothing else. */
const onContact = (name: 'emailId' | 'phoneId') => ({
  valid: (own: World) => ({ body: { id: own[name] } }),
  foreign: (_own: World, other: Names) => [
    { naming: 'id', request: { body: { id: other[name] } }, answer: 'not_found' as const },
  ],
})

/** The operations that create a record in the tenant that the body names. */
const inTenant = <Body extends { tenantId: string }>(body: (own: World) => Body) => ({
  valid: (own: World) => ({ body: body(own) }),
  foreign: (own: World, { tenantId }: Names) => [
    { naming: 'tenantId', request: { body: { ...body(own), tenantId } }, answer: 'not_found' as const },
  ],
})

/** The operations whose path names one record by its id. */
const onRecord = (name: keyof Names) => ({
  valid: (own: World) => ({ params: { id: own[name] } }),
  foreign: (_own: World, other: Names) => [
    { naming: 'id', request: { params: { id: other[name] } }, answer: 'not_found' as const },
  ],
})

const onOrganization = {
  valid: ({ organizationId }: World) => ({ params: { organizationId } }),
  foreign: (_own: World, { organizationId }: Names) => [
    { naming: 'organizationId', request: { params: { organizationId } }, answer: 'not_found' as const },
  ],
}

/** A domain of the organization: neither may be another tenant's. */
const onOrganizationDomain = (name: 'organizationDomainId' | 'spareOrganizationDomainId') => ({
  valid: (own: World) => ({ params: { organizationId: own.organizationId, id: own[name] } }),
  foreign: (own: World, other: Names) => [
    {
      naming: 'organizationId',
      request: { params: { organizationId: other.organizationId, id: other[name] } },
      answer: 'not_found' as const,
    },
    {
      naming: 'id',
      request: { params: { organizationId: own.organizationId, id: other[name] } },
      answer: 'not_found' as const,
    },
  ],
})

/** The operations that give the record of the path's id another role. */
const givingRole = (name: 'organizationMemberId' | 'organizationInvitationId') => ({
  valid: (own: World) => ({ params: { id: own[name] }, body: { roleId: own.roleId } }),
  foreign: (own: World, other: Names) => [
    { naming: 'id', request: { params: { id: other[name] }, body: {} }, answer: 'not_found' as const },
    {
      naming: 'roleId',
      request: { params: { id: own[name] }, body: { roleId: other.roleId } },
      answer: { issueAt: '/roleId' },
    },
  ],
})

/** The operations that set the flags of the path's member or invitation. */
const settingFlags = (name: 'memberId' | 'invitationId') => ({
  valid: (own: World) => ({ params: { id: own[name] }, body: { roleViewUsers: true } }),
  foreign: (_own: World, other: Names) => [
    { naming: 'id', request: { params: { id: other[name] }, body: {} }, answer: 'not_found' as const },
  ],
})

/** The operations that name the tenant in their query alone. */
const queryingTenant = {
  valid: ({ tenantId }: World) => ({ query: { tenantId } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'tenantId', request: { query: { tenantId } }, answer: 'not_found' as const },
  ],
}

const changingAuth = {
  valid: ({ tenantId }: World) => ({ params: { id: tenantId }, body: { signUpEnabled: false } }),
  foreign: (_own: World, { tenantId }: Names) => [
    {
      naming: 'id',
      request: { params: { id: tenantId }, body: { signUpEnabled: false } },
      answer: 'not_found' as const,
    },
  ],
}

const newPhone = () => `+49${Math.random().toString().slice(2, 12)}`
const messageContent = { variables: { code: '1' }, input: { to: 'ada@example.com' } }
const messageBody = (tenantId: string) => ({ ...messageContent, tenantId, template: 'welcome', channel: 'outbox' })
const newEmail = () => `${unique()}@example.com`
const definition = (tenantId: string) => transformationBody(tenantId) as BodyOf<typeof endpoints.createTransformation>
const userInTenant = inTenant(({ tenantId, roleId }) => ({
  tenantId,
  name: 'Ada',
  username: unique(),
  roleId,
  phone: newPhone(),
  password: `pass-${unique()}`,
  email: newEmail(),
  publicMeta: { locale: 'en' },
  privateMeta: [1],
}))

export const requests: { readonly [Id in EndpointId]: Entry<Id> } = {
  listTenants: { valid: () => ({}), foreign: () => [] },
  createTenant: {
    valid: () => ({
      body: {
        name: 'Acme Incorporated',
        environment: 'staging',
        slug: unique(),
        domain: `${unique()}.example`,
        projectId: newId(),
        orgId: null,
        plan: 'free',
        paymentMethodId: 'pm_1',
        paymentMethodBrand: 'visa',
        paymentMethodLast4: '4242',
      },
    }),
    foreign: () => [],
  },
  getTenant: onTenantById,
  getTenantByPublicKey: {
    valid: ({ publicKey }) => ({ params: { publicKey } }),
    foreign: (_own, { publicKey }) => [{ naming: 'publicKey', request: { params: { publicKey } }, answer: 'null' }],
  },
  getTenantBySlug: {
    valid: ({ slug }) => ({ params: { slug } }),
    foreign: (_own, { slug }) => [{ naming: 'slug', request: { params: { slug } }, answer: 'null' }],
  },
  getTenantBrand: onTenantById,
  putTenantBrand: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { primary: 'teal', darkRadius: '4px' } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { primary: 'red' } }, answer: 'not_found' },
    ],
  },
  listBrandVersions: onTenantById,
  diffBrandVersions: onVersions({ from: '0', to: '1' }),
  restoreBrandVersion: onVersions({ version: '1' }),
  getTenantEnv: onTenantById,
  rotateTenantSecretKey: onTenantById,
  listTenantMembers: onTenant,
  createTenantMember: {
    valid: ({ tenantId, consoleEmail }) => ({ body: { tenantId, email: consoleEmail, roleViewUsers: true } }),
    foreign: () => [],
  },
  listTenantInvitations: onTenant,
  inviteTenantMember: inTenant(({ tenantId }) => ({ tenantId, email: newEmail(), roleEditUsers: true })),
  createUser: {
    valid: userInTenant.valid,
    foreign: (own, other) => [
      ...userInTenant.foreign(own, other),
      {
        naming: 'roleId',
        request: { body: { tenantId: own.tenantId, email: newEmail(), roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
    ],
  },
  listUsers: {
    valid: ({ tenantId }) => ({ query: { tenantId, query: 'ada', status: 'active', perPage: '5' } }),
    foreign: (_own, { tenantId }) => [{ naming: 'tenantId', request: { query: { tenantId } }, answer: 'not_found' }],
  },
  getUser: onRecord('userId'),
  updateUser: {
    valid: ({ userId, roleId }) => ({
      params: { id: userId },
      body: {
        name: 'Ada',
        username: unique(),
        imageUri: 'https://cdn.example/ada.png',
        roleId,
        status: 'active' as const,
        publicMeta: { locale: 'en' },
        privateMeta: [1],
      },
    }),
    foreign: ({ userId }, other) => [
      { naming: 'id', request: { params: { id: other.userId }, body: { name: 'Eve' } }, answer: 'not_found' },
      {
        naming: 'roleId',
        request: { params: { id: userId }, body: { roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
    ],
  },
  changeUserPassword: {
    valid: ({ userId }) => ({ params: { id: userId }, body: { password: `pass-${unique()}` } }),
    foreign: (_own, { userId }) => [
      {
        naming: 'id',
        request: { params: { id: userId }, body: { password: `pass-${unique()}` } },
        answer: 'not_found',
      },
    ],
  },
  suspendUser: onRecord('userId'),
  unsuspendUser: onRecord('userId'),
  unlockUser: onRecord('userId'),
  exportUserData: onRecord('userId'),
  deleteUser: onRecord('spareUserId'),
  importUsers: {
    valid: ({ tenantId }) => ({ query: { tenantId }, body: [{ email: newEmail(), name: 'Ada' }] }),
    foreign: (_own, { tenantId }) => [
      { naming: 'tenantId', request: { query: { tenantId }, body: [{ email: newEmail() }] }, answer: 'not_found' },
    ],
  },
  exportUsers: {
    valid: ({ tenantId }) => ({ query: { tenantId } }),
    foreign: (_own, { tenantId }) => [{ naming: 'tenantId', request: { query: { tenantId } }, answer: 'not_found' }],
  },
  listTenantEmailAddresses: onTenant,
  listUserEmailAddresses: {
    valid: ({ userId }) => ({ params: { userId } }),
    foreign: (_own, { userId }) => [{ naming: 'userId', request: { params: { userId } }, answer: 'not_found' }],
  },
  getEmailAddress: onRecord('emailId'),
  createEmailAddress: {
    valid: ({ tenantId, userId }) => ({ body: { tenantId, userId, email: newEmail() } }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, userId: own.userId, email: newEmail() } },
        answer: 'not_found',
      },
      {
        naming: 'userId',
        request: { body: { tenantId: own.tenantId, userId: other.userId, email: newEmail() } },
        answer: { issueAt: '/userId' },
      },
    ],
  },
  updateEmailAddress: {
    valid: ({ emailId }) => ({ body: { id: emailId, email: newEmail() } }),
    foreign: (_own, { emailId }) => [
      { naming: 'id', request: { body: { id: emailId, email: newEmail() } }, answer: 'not_found' },
    ],
  },
  deleteEmailAddress: {
    valid: ({ spareEmailId }) => ({ query: { id: spareEmailId } }),
    foreign: (_own, { spareEmailId }) => [
      { naming: 'id', request: { query: { id: spareEmailId } }, answer: 'not_found' },
    ],
  },
  makePrimaryEmailAddress: onContact('emailId'),
  verifyEmailAddress: onContact('emailId'),
  listTenantPhoneNumbers: onTenant,
  listUserPhoneNumbers: {
    valid: ({ userId }) => ({ params: { userId } }),
    foreign: (_own, { userId }) => [{ naming: 'userId', request: { params: { userId } }, answer: 'not_found' }],
  },
  getPhoneNumber: onRecord('phoneId'),
  createPhoneNumber: {
    valid: ({ tenantId, userId }) => ({ body: { tenantId, userId, phone: newPhone() } }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, userId: own.userId, phone: newPhone() } },
        answer: 'not_found',
      },
      {
        naming: 'userId',
        request: { body: { tenantId: own.tenantId, userId: other.userId, phone: newPhone() } },
        answer: { issueAt: '/userId' },
      },
    ],
  },
  deletePhoneNumber: {
    valid: ({ sparePhoneId }) => ({ query: { id: sparePhoneId } }),
    foreign: (_own, { sparePhoneId }) => [
      { naming: 'id', request: { query: { id: sparePhoneId } }, answer: 'not_found' },
    ],
  },
  makePrimaryPhoneNumber: onContact('phoneId'),
  verifyPhoneNumber: onContact('phoneId'),
  listRoles: onTenant,
  createRole: inTenant(({ tenantId }) => ({
    tenantId,
    name: unique(),
    description: 'May read',
    permissions: ['articles:read'],
  })),
  getRole: onRecord('roleId'),
  updateRole: {
    valid: ({ roleId }) => ({
      params: { id: roleId },
      body: { name: unique(), description: null, permissions: ['articles:read'] },
    }),
    foreign: (_own, { roleId }) => [
      { naming: 'id', request: { params: { id: roleId }, body: { name: unique() } }, answer: 'not_found' },
    ],
  },
  deleteRole: onRecord('spareRoleId'),
  listOrganizations: onTenant,
  getOrganization: onRecord('organizationId'),
  updateOrganization: {
    valid: ({ organizationId }) => ({
      params: { id: organizationId },
      body: { name: 'Research', slug: unique(), imageUri: null, publicMeta: { a: 1 }, privateMeta: null },
    }),
    foreign: (_own, { organizationId }) => [
      { naming: 'id', request: { params: { id: organizationId }, body: { name: 'Taken' } }, answer: 'not_found' },
    ],
  },
  deleteOrganization: onRecord('spareOrganizationId'),
  listOrganizationMembers: onOrganization,
  getOrganizationMember: onRecord('organizationMemberId'),
  updateOrganizationMember: givingRole('organizationMemberId'),
  deleteOrganizationMember: onRecord('organizationMemberId'),
  listOrganizationInvitations: onOrganization,
  getOrganizationInvitation: onRecord('organizationInvitationId'),
  updateOrganizationInvitation: givingRole('organizationInvitationId'),
  deleteOrganizationInvitation: onRecord('organizationInvitationId'),
  listDomainsOfOrganization: onOrganization,
  createDomainOfOrganization: {
    valid: ({ organizationId }) => ({ params: { organizationId }, body: { name: `${unique()}.example` } }),
    foreign: (_own, { organizationId }) => [
      {
        naming: 'organizationId',
        request: { params: { organizationId }, body: { name: `${unique()}.example` } },
        answer: 'not_found',
      },
    ],
  },
  verifyDomainOfOrganization: onOrganizationDomain('organizationDomainId'),
  deleteDomainOfOrganization: onOrganizationDomain('spareOrganizationDomainId'),
  createOrganization: inTenant(({ tenantId }) => ({
    tenantId,
    name: 'Research',
    slug: unique(),
    imageUri: 'https://cdn.example/logo.png',
    publicMeta: {},
    privateMeta: null,
  })),
  createOrganizationInvitation: {
    valid: ({ organizationId, roleId }) => ({ body: { organizationId, email: newEmail(), roleId, userId: null } }),
    foreign: ({ organizationId }, other) => [
      {
        naming: 'organizationId',
        request: { body: { organizationId: other.organizationId, email: newEmail() } },
        answer: 'not_found',
      },
      {
        naming: 'roleId',
        request: { body: { organizationId, email: newEmail(), roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
      {
        naming: 'userId',
        request: { body: { organizationId, email: newEmail(), userId: other.userId } },
        answer: { issueAt: '/userId' },
      },
    ],
  },
  createOrganizationMember: {
    valid: ({ organizationId, userId, roleId }) => ({
      body: { organizationId, userId, roleId, publicMeta: { team: 1 }, privateMeta: 'note' },
    }),
    foreign: ({ organizationId, userId }, other) => [
      {
        naming: 'organizationId',
        request: { body: { organizationId: other.organizationId, userId } },
        answer: 'not_found',
      },
      {
        naming: 'userId',
        request: { body: { organizationId, userId: other.userId } },
        answer: { issueAt: '/userId' },
      },
      {
        naming: 'roleId',
        request: { body: { organizationId, userId, roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
    ],
  },
  createSocialProvider: inTenant(({ tenantId }) => ({
    tenantId,
    providerKey: 'google' as const,
    enabled: true,
    useCustomCredentials: true,
    clientId: 'client',
    clientSecret: 'kept sealed',
    redirectUri: 'https://app.example/callback',
    additionalScopes: ['email'],
    authenticatable: true,
    autoConnectAccounts: false,
    config: { prompt: 'consent' },
  })),
  listSocialProviders: queryingTenant,
  getSocialProvider: onRecord('providerId'),
  getSocialProviderSecret: onRecord('providerId'),
  deleteSocialProvider: onRecord('spareProviderId'),
  updateSocialProvider: {
    valid: ({ providerId }) => ({ params: { id: providerId }, body: { enabled: false, clientId: null } }),
    foreign: (_own, { providerId }) => [
      { naming: 'id', request: { params: { id: providerId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  updateTenant: {
    valid: ({ tenantId, fileId }) => ({
      params: { id: tenantId },
      body: { name: 'Acme Limited', slug: unique(), iconId: fileId, logoId: null },
    }),
    foreign: (own, { tenantId, fileId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { name: 'Taken over' } }, answer: 'not_found' },
      ...(['iconId', 'logoId'] as const).map((name) => ({
        naming: name,
        request: { params: { id: own.tenantId }, body: { [name]: fileId } },
        answer: { issueAt: `/${name}` },
      })),
    ],
  },
  getTenantBilling: onTenantById,
  putTenantBilling: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { plan: 'team', paymentMethodLast4: null } }),
    foreign: (_own, { tenantId }) => [
      { naming: 'id', request: { params: { id: tenantId }, body: { plan: 'free' } }, answer: 'not_found' },
    ],
  },
  getTenantLimits: onTenantById,
  putTenantLimits: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { messagesPerDay: 20_000 } }),
    foreign: () => [],
  },
  getAuthTenant: onTenantById,
  putAuthTenant: changingAuth,
  putTenantSession: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { sessionMaximumLifetime: 86_400 } }),
    foreign: (_own, { tenantId }) => [
      {
        naming: 'id',
        request: { params: { id: tenantId }, body: { sessionMaximumLifetime: 600 } },
        answer: 'not_found',
      },
    ],
  },
  previewAuthTenant: changingAuth,
  explainSignIn: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { identifier: 'ada@acme.example' } }),
    foreign: (_own, { tenantId }) => [
      {
        naming: 'id',
        request: { params: { id: tenantId }, body: { identifier: 'ada@acme.example' } },
        answer: 'not_found',
      },
    ],
  },
  listAuthVersions: onTenantById,
  diffAuthVersions: onVersions({ from: '1', to: '1' }),
  restoreAuthVersion: onVersions({ version: '1' }),
  getPages: onTenantById,
  putPages: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { texts: { de: { 'signIn.title': 'Hallo' } } } }),
    foreign: (own, other) => [
      { naming: 'id', request: { params: { id: other.tenantId }, body: {} }, answer: 'not_found' },
      {
        naming: 'darkLogoId',
        request: { params: { id: own.tenantId }, body: { darkLogoId: other.fileId } },
        answer: { issueAt: '/darkLogoId' },
      },
    ],
  },
  listPagesVersions: onTenantById,
  diffPagesVersions: onVersions({ from: '0', to: '0' }),
  restorePagesVersion: onVersions({ version: '0' }),
  listJwkCertificates: queryingTenant,
  rotateJwkCertificates: inTenant(({ tenantId }) => ({ tenantId })),
  listDomains: queryingTenant,
  createDomain: inTenant(({ tenantId }) => ({ tenantId, name: `${unique()}.example` })),
  getDomain: onRecord('domainId'),
  verifyDomain: onRecord('domainId'),
  makeDomainPrimary: onRecord('domainId'),
  deleteDomain: onRecord('domainId'),
  listTransformations: onTenant,
  createTransformation: inTenant(({ tenantId }) => ({ ...definition(tenantId), description: 'A card' })),
  previewTransformation: {
    valid: ({ tenantId, fileId }) => ({ body: { ...definition(tenantId), fileId } }),
    foreign: ({ tenantId, fileId }, other) => [
      { naming: 'tenantId', request: { body: { ...definition(other.tenantId), fileId } }, answer: 'not_found' },
      {
        naming: 'fileId',
        request: { body: { ...definition(tenantId), fileId: other.fileId } },
        answer: { issueAt: '/fileId' },
      },
    ],
  },
  updateTransformation: {
    valid: ({ transformationId, tenantId }) => ({
      params: { id: transformationId },
      body: { ...definition(tenantId), description: 'A card' },
    }),
    foreign: ({ transformationId, tenantId }, other) => [
      {
        naming: 'id',
        request: { params: { id: other.transformationId }, body: definition(tenantId) },
        answer: 'not_found',
      },
      {
        naming: 'tenantId',
        request: { params: { id: transformationId }, body: definition(other.tenantId) },
        answer: 'not_found',
      },
      {
        naming: 'id and tenantId',
        request: { params: { id: other.transformationId }, body: definition(other.tenantId) },
        answer: 'not_found',
      },
    ],
  },
  getTransformation: onRecord('transformationId'),
  deleteTransformation: onRecord('spareTransformationId'),
  createChannel: inTenant(({ tenantId }) => ({
    tenantId,
    name: unique(),
    key: `mail.${unique().replaceAll(/\d/g, 'x')}`,
    description: 'Receipts',
    type: 'email' as const,
    provider: 'email_resend' as const,
    enabled: true,
    providerSettings: { apiKey: 're_secret', from: 'hello@acme.example' },
  })),
  listChannels: onTenant,
  getChannel: onRecord('channelId'),
  updateChannel: {
    valid: ({ channelId }) => ({
      params: { id: channelId },
      body: { name: unique(), description: null, enabled: false },
    }),
    foreign: (_own, { channelId }) => [
      { naming: 'id', request: { params: { id: channelId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  deleteChannel: onRecord('channelId'),
  createTemplate: inTenant(({ tenantId }) => ({
    tenantId,
    type: 'email' as const,
    name: unique(),
    subject: 'Hello {{ user.name }}',
    body: '<p>{{ code }}</p>',
  })),
  listTemplates: onTenant,
  getTemplate: onRecord('templateId'),
  updateTemplate: {
    valid: ({ templateId }) => ({ params: { id: templateId }, body: { name: unique(), subject: null, body: 'Hi' } }),
    foreign: (_own, { templateId }) => [
      { naming: 'id', request: { params: { id: templateId }, body: { body: 'Hi' } }, answer: 'not_found' },
    ],
  },
  cloneTemplates: {
    // A tenant's own key knows no other tenant to copy to.
    valid: ({ tenantId, templateId }) => ({ body: { tenantId, toTenantId: tenantId, templates: [templateId] } }),
    foreign: (own, other) => [
      {
        naming: 'tenantId',
        request: { body: { tenantId: other.tenantId, toTenantId: own.tenantId } },
        answer: 'not_found',
      },
      {
        naming: 'toTenantId',
        request: { body: { tenantId: own.tenantId, toTenantId: other.tenantId } },
        answer: 'not_found',
      },
      {
        naming: 'templates',
        request: { body: { tenantId: own.tenantId, toTenantId: own.tenantId, templates: [other.templateId] } },
        answer: { issueAt: '/templates/0' },
      },
    ],
  },
  previewTemplate: {
    valid: ({ templateId }) => ({ params: { id: templateId }, body: { variables: { code: '1' } } }),
    foreign: (_own, { templateId }) => [
      { naming: 'id', request: { params: { id: templateId }, body: { variables: {} } }, answer: 'not_found' },
    ],
  },
  sendMessage: {
    valid: ({ tenantId }) => ({ body: messageBody(tenantId) }),
    foreign: (own, other) => [
      { naming: 'tenantId', request: { body: messageBody(other.tenantId) }, answer: 'not_found' },
      {
        naming: 'template',
        request: { body: { ...messageBody(own.tenantId), template: other.templateId } },
        answer: { issueAt: '/template' },
      },
      {
        naming: 'channel',
        request: { body: { ...messageBody(own.tenantId), channel: other.channelId } },
        answer: { issueAt: '/channel' },
      },
    ],
  },
  testMessage: {
    valid: ({ templateId, outboxId }) => ({ body: { ...messageContent, templateId, channelId: outboxId } }),
    foreign: (own, other) => [
      {
        naming: 'templateId',
        request: { body: { ...messageContent, templateId: other.templateId, channelId: own.outboxId } },
        answer: 'not_found',
      },
      {
        naming: 'channelId',
        request: { body: { ...messageContent, templateId: own.templateId, channelId: other.channelId } },
        answer: { issueAt: '/channelId' },
      },
    ],
  },
  listMessages: onTenant,
  getMessage: onRecord('messageId'),
  resendMessage: onRecord('messageId'),
  listMessageStatistics: queryingTenant,
  listMessagesByDay: queryingTenant,
  deleteTemplate: onRecord('templateId'),
  createUpload: inTenant(({ tenantId }) => ({
    tenantId,
    path: 'logos/acme.png',
    access: 'public' as const,
    originalFilename: 'acme.png',
    mime: 'image/png' as const,
    size: 100,
    meta: { of: 'logo' },
    transformations: ['avatar', 'thumbnail'],
  })),
  listUploads: onTenant,
  getUpload: onRecord('fileId'),
  deleteUpload: onRecord('spareUploadId'),
  listFiles: onTenant,
  getFile: onRecord('fileId'),
  deleteFile: onRecord('spareFileId'),
  signFile: {
    valid: ({ fileId }) => ({ params: { id: fileId }, body: { transformation: 'avatar', expiresIn: 60 } }),
    foreign: (_own, other) => [
      { naming: 'id', request: { params: { id: other.fileId }, body: {} }, answer: 'not_found' },
    ],
  },
  listMediaStatistics: queryingTenant,
  listFilesByDay: queryingTenant,
  listBytesByDay: queryingTenant,
  createWebhook: inTenant(({ tenantId }) => ({
    tenantId,
    url: 'https://hooks.example/in?key=1',
    events: ['role.created', 'webhook.created'],
    description: 'To the data warehouse',
    enabled: true,
  })),
  listWebhooks: onTenant,
  getWebhook: onRecord('webhookId'),
  updateWebhook: {
    valid: ({ webhookId }) => ({
      params: { id: webhookId },
      body: { url: 'https://hooks.example/other', events: ['role.created'], description: null, enabled: true },
    }),
    foreign: (_own, { webhookId }) => [
      { naming: 'id', request: { params: { id: webhookId }, body: { enabled: false } }, answer: 'not_found' },
    ],
  },
  deleteWebhook: onRecord('spareWebhookId'),
  rotateWebhookSecret: onRecord('webhookId'),
  listWebhookDeliveries: onRecord('webhookId'),
  retryWebhookDelivery: onRecord('webhookDeliveryId'),
  createApiKey: inTenant(({ tenantId }) => ({
    tenantId,
    name: 'Nightly export',
    // What whoever may make keys holds.
    scopes: ['config:read' as const, 'config:write' as const],
    expiresAt: '2999-12-31T23:59:59Z',
  })),
  listApiKeys: onTenant,
  deleteApiKey: onRecord('spareApiKeyId'),
  listEvents: onTenant,
  streamEvents: onTenant,
  updateTenantMember: settingFlags('memberId'),
  deleteTenantMember: onRecord('spareMemberId'),
  updateTenantInvitation: settingFlags('invitationId'),
  deleteTenantInvitation: onRecord('spareInvitationId'),
  listTenantSessions: onTenant,
  listUserSessions: {
    valid: ({ sessionUserId }) => ({ params: { userId: sessionUserId } }),
    foreign: (_own, { sessionUserId }) => [
      { naming: 'userId', request: { params: { userId: sessionUserId } }, answer: 'not_found' },
    ],
  },
  listUserAuthenticators: onRecord('sessionUserId'),
  deleteUserAuthenticator: {
    valid: ({ sessionUserId, spareAuthenticatorId }) => ({
      params: { userId: sessionUserId, id: spareAuthenticatorId },
    }),
    foreign: (own, { sessionUserId, spareAuthenticatorId }) => [
      {
        naming: 'userId',
        request: { params: { userId: sessionUserId, id: spareAuthenticatorId } },
        answer: 'not_found',
      },
      {
        naming: 'id',
        request: { params: { userId: own.sessionUserId, id: spareAuthenticatorId } },
        answer: 'not_found',
      },
    ],
  },
  getSession: onRecord('sessionId'),
  deleteSession: onRecord('spareSessionId'),
  impersonateUser: {
    valid: ({ sessionUserId }) => ({ params: { id: sessionUserId }, body: { reason: 'Ticket 4711' } }),
    foreign: (_own, { sessionUserId }) => [
      { naming: 'id', request: { params: { id: sessionUserId }, body: { reason: 'Ticket 1' } }, answer: 'not_found' },
    ],
  },
  listSignInAttempts: queryingTenant,
  getSignInAttempt: onRecord('signInAttemptId'),
  deleteSignInAttempt: onRecord('signInAttemptId'),
  listSignUpAttempts: queryingTenant,
  getSignUpAttempt: onRecord('signUpAttemptId'),
  deleteSignUpAttempt: onRecord('signUpAttemptId'),
  listStatistics: queryingTenant,
  listSignUpsByDay: queryingTenant,
  listSessionsByDay: queryingTenant,
  listRecentSignUps: queryingTenant,
  listRecentSignIns: queryingTenant,
  getMeta: { valid: () => ({}), foreign: () => [] },
  createConsoleUser: { valid: () => ({ body: { email: newEmail(), name: 'Ada' } }), foreign: () => [] },
  whoAmI: { valid: () => ({}), foreign: () => [] },
  listOwnInvitations: { valid: () => ({}), foreign: () => [] },
  acceptOwnInvitation: onRecord('ownInvitationId'),
  declineOwnInvitation: onRecord('spareOwnInvitationId'),
  restoreTenant: onTenantById,
  // The last one: nothing can be asked of the world after it.
  deleteTenant: onTenantById,
}

export const endpointIds = Object.keys(requests) as EndpointId[]
