// Demo data for the pictures of the console: a deployment with several tenants, one of which has been in use for thirty days. Everything
// is made by the operations of the interface, with the fixtures of the tests, at times that the clock of this deployment is set to.
import type { Role, RoleFlag, Tenant, TenantMember, User } from '@bailiwick/contract'
import { openDatabase } from '../../server/src/platform/db/open.ts'
import { getConsoleTenantId } from '../../server/src/tenancy/tenants/console-tenant.ts'
import { storeGrant } from '../../server/test/harness/applications.ts'
import { Browser } from '../../server/test/harness/browser/frontend.ts'
import { storePasskey } from '../../server/test/harness/browser/passkeys.ts'
import { newSqliteFile } from '../../server/test/harness/databases/databases.ts'
import { sealEverything } from '../../server/test/harness/databases/event-log.ts'
import {
  createApiKey,
  createApplication,
  createCustomProvider,
  createResource,
  createRole,
  createSocialProvider,
  createTenant,
  createUser,
} from '../../server/test/harness/factories.ts'
import { freePort } from '../../server/test/harness/free-port.ts'
import { type NameServer, startNameServer } from '../../server/test/harness/outside/name-server.ts'
import { password } from '../../server/test/harness/people/people.ts'
import { flagsOf, insertAttempts, openSession, startServiceAt } from '../../server/test/harness/people/sessions.ts'
import { type TestService, testEnv } from '../../server/test/harness/service.ts'
import { addImports } from './demo-imports.ts'
import { addMedia } from './demo-media.ts'
import { messagingOf, sendReceipt, settle } from './demo-messaging.ts'
import { people, type Person, tenantNames } from './demo-names.ts'
import { addOrganizations, addToOrganization, inThirtyDays } from './demo-organizations.ts'

const dayMs = 24 * 60 * 60_000
const days = 30

const agents = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
]

export interface Demo {
  readonly origin: string
  readonly tenant: Tenant
  /** A tenant that nobody has set up yet. */
  readonly freshTenant: Tenant
  readonly consoleTenantId: string
  /** The addresses of an administrator with every right, and of one who may look at settings and users. */
  readonly administrators: { readonly all: string; readonly few: string }
  /** The ids that replace `$id` in the paths of the screens, by path, `$groupId` and `$roleId`. */
  readonly ids: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

async function addAdministrators(service: TestService, tenantId: string) {
  const consoleTenantId = await getConsoleTenantId(service.deps.db)
  const add = async (name: string, email: string, ...flags: readonly RoleFlag[]) => {
    const user = await createUser(service, consoleTenantId, { email, name, password })
    await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    await service.ok('createTenantMember', { body: { tenantId, email, ...flagsOf(...flags) } })
    return email
  }
  const all = await add('Margaret Hamilton', 'margaret@northwind.example', 'roleAdmin', 'roleEditBilling')
  const few = await add('Katherine Johnson', 'katherine@northwind.example', 'roleViewConfig', 'roleViewUsers')
  const radia = await add(
    'Radia Perlman',
    'radia@northwind.example',
    'roleEditUsers',
    'roleViewUsers',
    'roleViewOrganizations',
  )
  const members = await service.ok<{ data: readonly TenantMember[] }>('listTenantMembers', { params: { tenantId } })
  const leaving = members.data.find(({ user }) => user.emailAddresses.some(({ email }) => email === radia))
  const rights = { roleEditUsers: true, roleViewUsers: true, roleViewOrganizations: true }
  await service.ok('updateTenantMember', {
    params: { id: leaving?.id ?? '' },
    body: { ...rights, expiresAt: inThirtyDays() },
  })
  for (const email of ['grace@northwind.example', 'a.very.long.address.of.an.auditor@accountants.northwind.example']) {
    await service.ok('inviteTenantMember', { body: { tenantId, email, ...flagsOf('roleViewUsers') } })
  }
  return { consoleTenantId, administrators: { all, few } }
}

async function addRoles(service: TestService, tenantId: string): Promise<readonly Role[]> {
  const permissions = [
    'articles:read',
    'articles:write',
    'orders:read',
    'orders:refund',
    'reports:read',
    'users:invite',
  ]
  const roles = []
  for (const [name, description, count] of [
    ['viewer', 'Sees articles and orders', 1],
    ['editor', 'Writes articles, and sees the orders that belong to them', 3],
    ['administrator', 'Everything, for the people who run the shop and answer for what happens there', 6],
    ['billing', null, 2],
  ] as const) {
    roles.push(await createRole(service, tenantId, { name, description, permissions: permissions.slice(0, count) }))
  }
  return roles
}

/** Lets some people join and some sign in, as on one day. */
async function liveOneDay(
  service: TestService,
  { tenant, roles, users, daysAgo }: { tenant: Tenant; roles: readonly Role[]; users: User[]; daysAgo: number },
) {
  const join = async (person: Person, index: number) => {
    const user = await createUser(service, tenant.id, {
      email: null,
      ...person,
      password,
      roleId: roles[index % (roles.length + 1)]?.id ?? null,
      ...(index === 0 ? { publicMeta: { locale: 'en', plan: 'team', seats: 12 }, roleExpiresAt: inThirtyDays() } : {}),
    })
    if (user.primaryEmailId !== null && index % 7 !== 6) {
      await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    }
    users.push(user)
  }
  const joined = Math.ceil(((days - daysAgo) * people.length) / days)
  for (const [index, person] of people.slice(0, joined).entries()) if (index >= users.length) await join(person, index)
  for (const [index, user] of users.entries()) {
    if ((index * 7 + daysAgo * 5) % 6 > (daysAgo % 7 < 2 ? 0 : 2)) continue
    const ua = agents[(index + daysAgo) % agents.length] ?? null
    await openSession(service, tenant.id, user.id, { ip: `203.0.113.${(index * 13) % 250}`, ua })
    const email = user.emailAddresses[0]?.email
    if (index % 4 === 0 && email !== undefined) await sendReceipt(service, tenant.id, email, user.name ?? '')
  }
  for (const user of users.slice(0, 1 + (daysAgo % 3))) await insertAttempts(service, tenant.id, user.id)
}

async function addPeople(service: TestService, tenant: Tenant, users: readonly User[]) {
  const [ada, , suspended] = users
  if (ada === undefined || suspended === undefined) throw new Error('there are at least three people')
  const body = { tenantId: tenant.id, userId: ada.id }
  await service.ok('suspendUser', { params: { id: suspended.id } })
  await storePasskey(service, tenant.id, ada.id)
  await service.ok('createEmailAddress', { body: { ...body, email: 'countess@lovelace.example' } })
  await service.ok('createPhoneNumber', { body: { ...body, phone: '+442079460123' } })
  const identifier = ada.emailAddresses[0]?.email
  for (const proof of [{ password: 'wrong horse battery staple' }, { password }, { strategy: 'email_code' }]) {
    const browser = new Browser(service, tenant.publicKey)
    await browser.call('createSignIn', { body: { identifier, strategy: 'email_password', ...proof } })
    await browser.call('createSignUp', { body: { email: `visitor-${Object.keys(proof)[0]}@example.com`, password } })
  }
  return ada.id
}

/** Somebody who has not signed up, and addresses that wait for the day on which they may. */
async function addVisitors(service: TestService, tenant: Tenant) {
  const params = { id: tenant.id }
  const put = (body: object) => service.ok('putAuthTenant', { params, body })
  await put({ anonymousUsersEnabled: true })
  await new Browser(service, tenant.publicKey).ok('createAnonymousUser')
  await put({ signUpEnabled: false, waitlistEnabled: true })
  for (const name of ['mary', 'grace', 'a.very.long.address.of.somebody.who.waits'])
    await new Browser(service, tenant.publicKey).ok('joinWaitlist', { body: { email: `${name}@research.example` } })
  await put({ signUpEnabled: true, waitlistEnabled: false })
}

async function addApplications(service: TestService, tenant: Tenant, users: readonly User[]) {
  const tenantId = tenant.id
  const indicator = 'https://api.northwind.example'
  const scopes = [
    { name: 'reports:read', description: 'Read your reports' },
    { name: 'orders:write', description: 'Place and change orders in your name' },
  ]
  const resource = await createResource(service, tenantId, { indicator, name: 'Northwind API', scopes })
  await createResource(service, tenantId, {
    indicator: 'https://warehouse.northwind.example/api/v2',
    name: 'Warehouse',
  })
  const application = await createApplication(service, tenantId, {
    name: 'Northwind Reports',
    redirectUris: [
      'https://reports.northwind.example/callback',
      'https://staging.reports.northwind.example/oauth/callback',
    ],
  })
  await createApplication(service, tenantId, {
    name: 'Shop on phones',
    type: 'native',
    redirectUris: ['example.northwind.shop:/callback'],
  })
  await createApplication(service, tenantId, {
    name: 'Nightly export of all orders to the data warehouse',
    type: 'machine',
    redirectUris: [],
    machineScopes: [{ resourceId: resource.id, scopes: ['reports:read'] }],
  })
  for (const user of users.slice(0, 5)) {
    await storeGrant(service, { tenantId, userId: user.id, applicationId: application.id })
  }
  return { application: application.id, resource: resource.id }
}

async function addProviders(service: TestService, tenant: Tenant) {
  const credentials = {
    useCustomCredentials: true,
    clientId: 'northwind-shop.apps.example',
    clientSecret: 'kept sealed',
  }
  const social = await createSocialProvider(service, tenant.id, { providerKey: 'google', ...credentials })
  await createSocialProvider(service, tenant.id, credentials)
  await createSocialProvider(service, tenant.id, { providerKey: 'facebook', enabled: false })
  const custom = await createCustomProvider(service, tenant.id, { key: 'custom-staff', name: 'Northwind staff' })
  await createCustomProvider(service, tenant.id, {
    key: 'custom-partners',
    name: 'Partners and suppliers of the whole group',
    issuer: 'https://identity.partners.northwind.example/realms/suppliers-and-partners',
    enabled: false,
  }).catch(() => undefined)
  return { social: social.id, custom: custom.id }
}

async function addSettings(service: TestService, { id }: Tenant, names: NameServer) {
  const params = { id }
  await service.ok('putAuthTenant', {
    params,
    body: {
      organizationsEnabled: true,
      strategyPhoneCodeEnabled: true,
      redirectUris: ['https://shop.northwind.example/back'],
    },
  })
  await service.ok('putAuthTenant', {
    params,
    body: { nameRequired: true, organizationCustomDomainManagementEnabled: true },
  })
  const primary = {
    primary: '#0f766e',
    primaryForeground: '#ffffff',
    darkPrimary: '#5eead4',
    darkPrimaryForeground: '#042f2e',
  }
  await service.ok('putTenantBrand', { params, body: { primary: '#155e75' } })
  await service.ok('putTenantBrand', { params, body: primary })
  const claims = [
    { claim: 'plan', in: ['session', 'access'], source: 'user.publicMeta.plan', ifMissing: 'null' },
    { claim: 'groups', in: ['id', 'userinfo'], source: 'role.name', as: 'list' },
    { claim: 'product', in: ['access'], source: 'constant', value: 'reports' },
  ]
  const asked = { writableBy: 'user', shownAt: 'both' }
  const attributes = [
    { ...asked, key: 'company', type: 'text', label: { en: 'Company', de: 'Firma' }, maxLength: 100 },
    { ...asked, key: 'size', type: 'choice', label: { en: 'Size' }, choices: [{ value: 'small' }, { value: 'large' }] },
  ]
  await service.ok('putAttributes', { params, body: { attributes } })
  await service.ok('putClaims', { params, body: { claims } })
  await service.ok('putPages', {
    params,
    body: { languages: ['en', 'de'], defaultLanguage: 'en', termsUri: 'https://northwind.example/terms' },
  })
  for (const name of ['login.northwind.example', 'accounts.northwind-wholesale.example']) {
    const domain = await service.ok<Record<string, string>>('createDomain', { body: { tenantId: id, name } })
    if (name.startsWith('accounts')) continue
    const { verificationRecordDomain = '', verificationRecordValue = '' } = domain
    names.records.set(verificationRecordDomain, [verificationRecordValue])
    await service.ok('verifyDomain', { body: { id: domain['id'] } }).catch(() => undefined)
  }
  await createApiKey(service, id, ['users:read', 'organizations:read'], { name: 'Nightly export' })
  await createApiKey(service, id, ['users:write'], { name: 'CRM', expiresAt: '2030-01-01T00:00:00.000000Z' })
  await createApiKey(service, id, ['events:read'], {
    name: 'Security monitoring of the whole company, read by the SIEM',
  })
}

/** Returns the ids that the screens are opened with: the known ones, and of what was recorded on the way the first. */
async function findIds<Known extends object>(service: TestService, tenant: { readonly id: string }, known: Known) {
  const firstIn = async (list: Parameters<TestService['ok']>[0], call: object) =>
    (await service.ok<{ data: { id: string }[] }>(list, call)).data[0]?.id ?? ''
  const query = { tenantId: tenant.id }
  return {
    ...known,
    'sign-ins/$id': await firstIn('listSignInAttempts', { query }),
    'sign-ups/$id': await firstIn('listSignUpAttempts', { query }),
    'messages/$id': await firstIn('listMessages', { params: query }),
    'channels/$id': await firstIn('listChannels', { params: query }),
  }
}

/** Starts a service on SQLite, at an address of this machine, and fills it. */
export async function startDemo(): Promise<Demo> {
  const { options, remove } = newSqliteFile()
  const database = await openDatabase(options)
  await database.migrate()
  const names = await startNameServer()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  let aheadMs = -days * dayMs
  const service = await startServiceAt(database, () => Date.now() + aheadMs, {
    ...testEnv,
    BAILIWICK_BASE_URL: `${origin}/api/v0`,
    BAILIWICK_DNS_SERVERS: names.address,
  })
  for (const name of tenantNames) await createTenant(service, { name, environment: 'production' })
  const { tenant: freshTenant } = await createTenant(service, { name: 'Fresh start' })
  const { tenant } = await createTenant(service, { name: 'Northwind Traders', environment: 'production' })
  const messaging = await messagingOf(service, tenant)
  const roles = await addRoles(service, tenant.id)
  const users: User[] = []
  for (let daysAgo = days; daysAgo >= 0; daysAgo--) {
    aheadMs = -daysAgo * dayMs
    await liveOneDay(service, { tenant, roles, users, daysAgo })
    await settle(service)
  }
  await addSettings(service, tenant, names)
  await addImports(service, tenant.id, users)
  const organization = await addOrganizations(service, tenant, users, names)
  const { application, resource } = await addApplications(service, tenant, users)
  const { social, custom } = await addProviders(service, tenant)
  const { file, transformation } = await addMedia(service, tenant)
  const administrators = await addAdministrators(service, tenant.id)
  const user = await addPeople(service, tenant, users)
  await addVisitors(service, tenant)
  await settle(service)
  await sealEverything(service.deps)
  const ids = await findIds(service, tenant, {
    'users/$id': user,
    ...(await addToOrganization(service, tenant, organization)),
    'roles/$id': roles[1]?.id ?? '',
    'social-providers/$id': social,
    'custom-providers/$id': custom,
    'applications/$id': application,
    'resources/$id': resource,
    'media/$id': file,
    'transformations/$id': transformation,
    'templates/$id': messaging.template.id,
    'webhooks/$id': messaging.broken.id,
    'hooks/$id': messaging.hook.id,
  })
  await service.app.listen({ port, host: '127.0.0.1' })
  const close = async () => {
    await service.app.close()
    await messaging.receiver.stop()
    await names.close()
    await database.close()
    await remove()
  }
  return { origin, tenant, freshTenant, ...administrators, ids, close }
}
