import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import {
  anyJson,
  array,
  boolean,
  documentBasis,
  id,
  nullable,
  object,
  oneOf,
  optional,
  pageQuery,
  recordBasis,
  text,
} from '../../schema.ts'
import { Brand } from '../../shapes/tenancy/brand.ts'
import {
  Billing,
  CreateTenant,
  RotatedSecretKey,
  Tenant,
  TenantLimits,
  UpdateBilling,
  UpdateTenant,
  UpdateTenantLimits,
  environments,
} from '../../shapes/tenancy/tenant.ts'

const tag = 'Tenants'
const params = object({ id: id() })
const idExample = { id: sample.tenantId }

export const listTenants = endpoint({
  id: 'listTenants',
  method: 'GET',
  path: '/tenants',
  tag,
  summary: "List the caller's tenants, newest first",
  description:
    'The operator gets all tenants, the key of a tenant its own; without `auth` and `brand`. With `perPage` or `cursor` the response is one page, with the neighbouring pages in a Link header.',
  permission: 'authenticated',
  query: object({
    ...pageQuery.properties,
    query: optional(text({ minLength: 1, maxLength: 100, description: 'Part of the name, slug or id' })),
    environment: optional(oneOf(environments)),
  }),
  response: array(Tenant),
  errors: [],
  example: { query: { perPage: '20' }, response: [sample.tenantInList] },
})

export const createTenant = endpoint({
  id: 'createTenant',
  method: 'POST',
  path: '/tenants',
  tag,
  summary: 'Create a tenant',
  description:
    'The new tenant is complete: it has an authentication configuration, a public and a secret key, a signing key, roles, transformations, message templates, its first domain, and pages where users sign in, at /t/{slug}/sign-in. An administrator can have created at most 10 tenants that are not deleted, unless the deployment is configured otherwise.',
  permission: 'create-tenant',
  body: CreateTenant,
  response: nullable(Tenant),
  errors: ['slug_taken', 'domain_taken', 'tenant_limit_reached'],
  example: {
    body: { name: 'Acme Incorporated', environment: 'production', domain: 'login.acme.example' },
    response: sample.tenant,
  },
})

export const getTenant = endpoint({
  id: 'getTenant',
  method: 'GET',
  path: '/tenants/{id}',
  tag,
  summary: 'Read a tenant',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  response: Tenant,
  errors: ['not_found'],
  example: { params: idExample, response: sample.tenant },
})

export const getTenantByPublicKey = endpoint({
  id: 'getTenantByPublicKey',
  method: 'GET',
  path: '/tenants/pkey/{publicKey}',
  tag,
  summary: 'Look a tenant up by its public key',
  description: 'null if there is no such tenant, or the caller cannot see it.',
  permission: 'config:read',
  tenant: { finds: 'params.publicKey' },
  params: object({ publicKey: text({ minLength: 1 }) }),
  response: nullable(Tenant),
  errors: [],
  example: { params: { publicKey: sample.tenant.publicKey }, response: sample.tenant },
})

export const getTenantBySlug = endpoint({
  id: 'getTenantBySlug',
  method: 'GET',
  path: '/tenants/slug/{slug}',
  tag,
  summary: 'Look a tenant up by its slug',
  description: 'null if there is no such tenant, or the caller cannot see it. The slug is not case-sensitive.',
  permission: 'config:read',
  tenant: { finds: 'params.slug' },
  params: object({ slug: text({ minLength: 1 }) }),
  response: nullable(Tenant),
  errors: [],
  example: { params: { slug: sample.tenant.slug }, response: sample.tenant },
})

export const getTenantBrand = endpoint({
  id: 'getTenantBrand',
  method: 'GET',
  path: '/tenants/{id}/brand',
  tag,
  summary: "Read a tenant's brand",
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  response: Brand,
  errors: ['not_found'],
  example: { params: idExample, response: sample.brand },
})

export const putTenantBrand = endpoint({
  id: 'putTenantBrand',
  method: 'PUT',
  path: '/tenants/{id}/brand',
  tag,
  summary: "Replace a tenant's brand",
  description: 'Properties that the body leaves out are removed.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params,
  query: object(documentBasis),
  body: Brand,
  isBodyExact: true,
  response: nullable(Tenant),
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: idExample, body: sample.brand, response: sample.tenant },
})

export const getTenantEnv = endpoint({
  id: 'getTenantEnv',
  method: 'GET',
  path: '/auth/tenants/{id}/env',
  tag,
  summary: "Read a tenant's environment variables",
  description:
    'scope=public leaves out the secret key, scope=secret returns only the secret key; without a scope the response contains everything that the caller can see. With Accept: text/plain the response is a .env file.',
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  query: object({ scope: optional(oneOf(['public', 'secret'])) }),
  response: anyJson(),
  errors: ['not_found'],
  example: {
    params: idExample,
    query: { scope: 'public' },
    response: {
      BAILIWICK_API_URL: 'https://id.example.com/api/v0',
      BAILIWICK_FRONTEND_API_URL: 'https://id.example.com/frontend/api/v0',
      BAILIWICK_DOMAIN: 'login.acme.example',
      BAILIWICK_TENANT_ID: sample.tenantId,
      BAILIWICK_PUBLIC_KEY: sample.tenant.publicKey,
      BAILIWICK_JWKS_URL: `https://id.example.com/frontend/api/v0/.well-known/jwks.json?publicKey=${sample.tenant.publicKey}`,
    },
  },
})

export const rotateTenantSecretKey = endpoint({
  id: 'rotateTenantSecretKey',
  method: 'POST',
  path: '/tenants/{id}/rotate-secret-key',
  tag,
  summary: "Replace a tenant's secret key",
  description:
    'The old key works for another graceSeconds (default 86400, at most 604800; 0 ends it at once). With reveal=true the answer contains the new key.',
  permission: 'admin',
  tenant: { from: 'params.id' },
  params,
  query: object({
    graceSeconds: optional(text({ pattern: '^(0|[1-9][0-9]{0,5})$', description: 'Seconds, 0 to 604800' })),
    reveal: optional(oneOf(['true', 'false'], { description: 'Whether the answer contains the new key' })),
  }),
  response: RotatedSecretKey,
  errors: ['not_found'],
  example: { params: idExample, query: { graceSeconds: '3600' }, response: { status: 'success' } },
})

export const updateTenant = endpoint({
  id: 'updateTenant',
  method: 'PUT',
  path: '/tenants/{id}',
  tag,
  summary: 'Change a tenant',
  description:
    'Properties that the body leaves out stay as they are. `iconId` and `logoId` name files of the tenant; null removes them.',
  permission: 'config:write',
  tenant: { from: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateTenant,
  response: Tenant,
  errors: ['not_found', 'slug_taken', 'changed_meanwhile'],
  example: { params: idExample, body: { name: 'Acme Incorporated' }, response: sample.tenant },
})

export const deleteTenant = endpoint({
  id: 'deleteTenant',
  method: 'DELETE',
  path: '/tenants/{id}',
  tag,
  summary: 'Delete a tenant',
  description: 'The tenant stops working at once. It can be restored for 30 days; then it is erased.',
  permission: 'admin',
  tenant: { from: 'params.id' },
  params,
  response: boolean(),
  errors: ['not_found'],
  example: { params: idExample, response: true },
})

export const restoreTenant = endpoint({
  id: 'restoreTenant',
  method: 'POST',
  path: '/tenants/{id}/restore',
  tag,
  summary: 'Restore a deleted tenant',
  description:
    "Possible within 30 days of the deletion, for the operator or a member with roleAdmin: the tenant's own keys are refused until then. The tenant counts again towards the number of tenants that its creator can have.",
  permission: 'admin',
  tenant: { from: 'params.id' },
  params,
  response: Tenant,
  errors: ['not_found', 'tenant_limit_reached'],
  example: { params: idExample, response: sample.tenant },
})

const billing = { orgId: null, plan: 'team', paymentMethodId: null, paymentMethodBrand: null, paymentMethodLast4: null }

export const getTenantBilling = endpoint({
  id: 'getTenantBilling',
  method: 'GET',
  path: '/tenants/{id}/billing',
  tag,
  summary: "Read a tenant's plan and payment fields",
  permission: 'billing:read',
  tenant: { from: 'params.id' },
  params,
  response: Billing,
  errors: ['not_found'],
  example: { params: idExample, response: billing },
})

export const putTenantBilling = endpoint({
  id: 'putTenantBilling',
  method: 'PUT',
  path: '/tenants/{id}/billing',
  tag,
  summary: "Change a tenant's plan and payment fields",
  description: 'Properties that the body leaves out stay as they are; null removes a value.',
  permission: 'billing:write',
  tenant: { from: 'params.id' },
  params,
  body: UpdateBilling,
  response: Billing,
  errors: ['not_found'],
  example: { params: idExample, body: { plan: 'team' }, response: billing },
})

const limits = {
  messagesPerDay: 20_000,
  messagesPerDayDefault: 2000,
  trusted: false,
  messagesToday: 118,
  resetsAt: '2026-11-21T00:00:00.000000Z',
}

export const getTenantLimits = endpoint({
  id: 'getTenantLimits',
  method: 'GET',
  path: '/tenants/{id}/limits',
  tag,
  summary: 'Read the message limits of a tenant',
  description:
    "Only messages through the deployment's own channel count: invitations, codes, password resets and notices. Messages through a channel of the tenant do not count.",
  permission: 'config:read',
  tenant: { from: 'params.id' },
  params,
  response: TenantLimits,
  errors: ['not_found'],
  example: { params: idExample, response: limits },
})

export const putTenantLimits = endpoint({
  id: 'putTenantLimits',
  method: 'PUT',
  path: '/tenants/{id}/limits',
  tag,
  summary: 'Set the message limits of a tenant',
  description:
    "Only for the operator. Takes effect at once. Limits that the body leaves out stay as they are; null restores the deployment's default (BAILIWICK_MESSAGES_PER_TENANT_PER_DAY). A tenant that is not trusted can use its own templates and texts only through its own channel.",
  permission: 'operator',
  alternative: 'ask the operator, or set up a channel for the tenant',
  tenant: { from: 'params.id' },
  params,
  body: UpdateTenantLimits,
  response: TenantLimits,
  errors: ['not_found'],
  example: { params: idExample, body: { messagesPerDay: 20_000 }, response: limits },
})
