import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  id,
  integer,
  nullable,
  nullableId,
  nullableInteger,
  nullableText,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { TenantAuth } from './tenant-auth.ts'

export const environments = ['development', 'staging', 'production'] as const
export type Environment = (typeof environments)[number]

/** A host name of a tenant; `primary` marks the one used in the tenant's addresses. */
export const Domain = object({ primary: boolean(), name: text() })
export type Domain = Static<typeof Domain>

/** A customer, product or environment with its own users. */
export const Tenant = object({
  id: id(),
  name: text(),
  slug: text(),
  publicKey: text(),
  creatorId: optional(nullableId()),
  projectId: optional(nullableId()),
  logoId: nullableId(),
  logoUri: nullableText(),
  iconId: nullableId(),
  iconUri: nullableText(),
  auth: optional(nullable(TenantAuth)),
  brand: optional(anyJson({ description: 'The brand, as GET /tenants/{id}/brand returns it' })),
  environment: oneOf(environments),
  domains: optional(array(Domain)),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Tenant = Static<typeof Tenant>

/** What a tenant is created with. */
export const CreateTenant = object({
  name: text({ minLength: 4, maxLength: 32, pattern: '\\S' }),
  environment: oneOf(environments),
  slug: optional(text({ minLength: 4, maxLength: 32, format: 'slug' })),
  domain: optional(text({ format: 'host-name' })),
  projectId: optional(id()),
  orgId: optional(nullableText({ maxLength: 256 })),
  plan: optional(text({ maxLength: 256 })),
  paymentMethodId: optional(text({ maxLength: 256 })),
  paymentMethodBrand: optional(text({ maxLength: 256 })),
  paymentMethodLast4: optional(text({ maxLength: 256 })),
})
export type CreateTenant = Static<typeof CreateTenant>

/** The new secret key of a tenant. */
export const RotatedSecretKey = object({
  status: text({ description: 'success' }),
  secretKey: optional(text({ description: 'The new key, if it was asked for' })),
})

/** The properties of a tenant to change. */
export const UpdateTenant = object({
  name: optional(text({ minLength: 4, maxLength: 32, pattern: '\\S' })),
  slug: optional(text({ minLength: 4, maxLength: 32, format: 'slug' })),
  iconId: optional(nullableId()),
  logoId: optional(nullableId()),
})
export type UpdateTenant = Static<typeof UpdateTenant>

/** What the service stores about a tenant's plan; payments are made elsewhere. */
export const Billing = object({
  orgId: nullableText(),
  plan: nullableText(),
  paymentMethodId: nullableText(),
  paymentMethodBrand: nullableText(),
  paymentMethodLast4: nullableText(),
})
export type Billing = Static<typeof Billing>

/** The limits that the operator has set for a tenant, and how much of them is used. */
export const TenantLimits = object({
  messagesPerDay: nullableInteger({
    description: 'The limit that the operator has set for this tenant; null: the default applies',
  }),
  messagesPerDayDefault: integer(),
  trusted: boolean({
    description: "Whether messages through the deployment's own channel can use the tenant's own templates and texts",
  }),
  messagesToday: integer({ description: "Messages through the deployment's own channel. A day is a day in UTC" }),
  resetsAt: timestamp(),
})
export type TenantLimits = Static<typeof TenantLimits>

/** The limits of a tenant to change. */
export const UpdateTenantLimits = object({
  messagesPerDay: optional(
    nullableInteger({
      minimum: 0,
      maximum: 999_999_999,
      description: "Messages through the deployment's own channel; null: the default",
    }),
  ),
  trusted: optional(
    boolean({
      description:
        "Whether messages through the deployment's own channel use the templates and texts of the tenant. Otherwise they have the texts of the service, with the tenant's name and brand",
    }),
  ),
})
export type UpdateTenantLimits = Static<typeof UpdateTenantLimits>

const billingText = () => optional(nullableText({ maxLength: 256 }))

/** The billing data of a tenant to change. */
export const UpdateBilling = object({
  orgId: billingText(),
  plan: billingText(),
  paymentMethodId: billingText(),
  paymentMethodBrand: billingText(),
  paymentMethodLast4: billingText(),
})
export type UpdateBilling = Static<typeof UpdateBilling>
