// Creates what a test needs, with unique names, so that tests can share a service.
import { randomBytes } from 'node:crypto'
import type {
  UploadWithUrl,
  ApiKeyWithKey,
  Organization,
  RoleDetails,
  Scope,
  ApplicationWithSecret,
  Connection,
  CustomProvider,
  Resource,
  SocialProvider,
  Tenant,
  Transformation,
  User,
  UserDetails,
  WebhookWithSecret,
} from '@bailiwick/contract'
import { png } from './files/images.ts'
import type { TestService } from './service.ts'

/** Returns lower-case letters and digits that no other call returns. */
export const unique = () => `u${randomBytes(6).toString('hex')}`

/** The pages at which the tests' flows end. A tenant must list them. */
export const testPages = ['back', 'in', ''].map((path) => `http://localhost:3000/${path}`)

export interface TestTenant {
  readonly tenant: Tenant
  readonly secretKey: string
}

export async function createTenant(service: TestService, body: object = {}): Promise<TestTenant> {
  const tenant = await service.ok<Tenant>('createTenant', {
    body: { name: `Tenant ${unique()}`, environment: 'development', ...body },
  })
  const env = await service.ok<Record<string, string>>('getTenantEnv', {
    params: { id: tenant.id },
    query: { scope: 'secret' },
  })
  return { tenant, secretKey: env['BAILIWICK_SECRET_KEY'] ?? '' }
}

/** What the answer that creates a user leaves out. */
const details = {
  firstName: null,
  lastName: null,
  timezone: null,
  locale: null,
  isAnonymous: false,
  roleExpiresAt: null,
}

/** Creates a user, and returns it as the operations on one user show it. */
export async function createUser(service: TestService, tenantId: string, body: object = {}): Promise<UserDetails> {
  const input = { tenantId, email: `${unique()}@example.com`, ...body }
  const user = await service.ok<User>('createUser', { body: input })
  const given = Object.entries(input).filter(([name]) => Object.hasOwn(details, name))
  return { ...details, ...Object.fromEntries(given), ...user }
}

export const createRole = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<RoleDetails>('createRole', { body: { tenantId, name: unique(), ...body } })

export const createOrganization = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<Organization>('createOrganization', { body: { tenantId, name: unique(), ...body } })

/** An attribute of a tenant for texts, of which no page asks. */
export const textAttribute = (key: string, writableBy: 'user' | 'server') =>
  ({ key, type: 'text', label: { en: key }, writableBy, shownAt: 'nowhere' }) as const

export const createSocialProvider = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<SocialProvider>('createSocialProvider', {
    body: { tenantId, providerKey: 'github', enabled: true, ...body },
  })

export const createApplication = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<ApplicationWithSecret>('createApplication', {
    body: {
      tenantId,
      name: 'Acme Reports',
      type: 'web',
      redirectUris: ['https://reports.acme.example/callback'],
      ...body,
    },
  })

export const createResource = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<Resource>('createResource', {
    body: {
      tenantId,
      indicator: `https://${unique()}.example`,
      name: 'Acme API',
      scopes: [{ name: 'reports:read', description: 'Read your reports' }],
      ...body,
    },
  })

/** At an issuer where nobody answers, unless another one is given. */
export const createCustomProvider = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<CustomProvider>('createCustomProvider', {
    body: {
      tenantId,
      key: `custom-${unique()}`,
      name: 'Acme staff',
      enabled: true,
      issuer: 'http://127.0.0.1:9',
      clientId: 'client',
      ...body,
    },
  })

/** At an issuer where nobody answers, unless another one is given. */
export const createConnection = (service: TestService, organizationId: string, body: object = {}) =>
  service.ok<Connection>('createConnection', {
    body: {
      organizationId,
      type: 'oidc',
      name: 'Acme staff',
      oidc: { issuer: 'http://127.0.0.1:9', clientId: 'client', clientSecret: 'the secret of the client' },
      ...body,
    },
  })

/** A whole definition, as POST and PATCH take it. */
export const transformationBody = (tenantId: string, body: object = {}) => ({
  tenantId,
  name: unique(),
  outputFormat: 'auto',
  outputQuality: 80,
  outputCompression: 6,
  outputWidth: 640,
  outputHeight: 360,
  outputResizeMode: 'crop',
  steps: [{ type: 'blur', options: { blurType: 'fast', strength: 3 } }],
  ...body,
})

export const createTransformation = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<Transformation>('createTransformation', { body: transformationBody(tenantId, body) })

export const createWebhook = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<WebhookWithSecret>('createWebhook', {
    body: { tenantId, url: 'https://hooks.example/in', events: ['*'], ...body },
  })

/** Announces a PNG of one pixel; `body` changes what is announced. */
export const createUpload = (service: TestService, tenantId: string, body: object = {}) =>
  service.ok<UploadWithUrl>('createUpload', {
    body: {
      tenantId,
      access: 'public',
      originalFilename: 'dot.png',
      mime: 'image/png',
      size: png(1, 1).length,
      ...body,
    },
  })

/** Sends bytes to the address of an upload. */
export const sendBytes = (service: TestService, uploadUrl: string, payload: Uint8Array, headers: object = {}) =>
  service.request({
    method: 'PUT',
    url: uploadUrl.slice(new URL(uploadUrl).origin.length),
    headers: { host: 'id.test', ...headers },
    payload: Buffer.from(payload),
  })

/** A complete upload; its file has the same id. */
export async function createFile(service: TestService, tenantId: string, body: object = {}, bytes = png(1, 1)) {
  const upload = await createUpload(service, tenantId, { size: bytes.length, ...body })
  const { status, text } = await sendBytes(service, upload.uploadUrl, bytes)
  if (status !== 200) throw new Error(`the bytes were answered with ${status}: ${text}`)
  return upload
}

export const createApiKey = (service: TestService, tenantId: string, scopes: readonly Scope[], body: object = {}) =>
  service.ok<ApiKeyWithKey>('createApiKey', { body: { tenantId, name: unique(), scopes, ...body } })
