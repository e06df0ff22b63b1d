import type { Static, TOptional, TUnsafe } from 'typebox'
import { type RoleFlag, roleFlags } from '../../permissions.ts'
import {
  boolean,
  id,
  nullable,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { environments } from '../tenancy/tenant.ts'
import { UserSummary, personName } from './user.ts'

const flags = Object.fromEntries(roleFlags.map((flag) => [flag, boolean()])) as Record<RoleFlag, TUnsafe<boolean>>
const optionalFlags = Object.fromEntries(roleFlags.map((flag) => [flag, optional(boolean())])) as Record<
  RoleFlag,
  TOptional<TUnsafe<boolean>>
>

/** An administrator of a tenant, with the rights there. */
export const TenantMember = object({
  id: text(),
  tenantId: text(),
  userId: text(),
  user: UserSummary,
  ...flags,
  expiresAt: nullableTimestamp({ description: 'When the rights end; null for never' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type TenantMember = Static<typeof TenantMember>

/** A tenant as a caller sees it who may do something in it, with the caller's own flags. */
export const OwnTenant = object({
  id: text(),
  name: text(),
  slug: text(),
  environment: oneOf(environments),
  logoId: nullableText(),
  iconId: nullableText(),
  ...flags,
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type OwnTenant = Static<typeof OwnTenant>

const memberEnd = {
  expiresAt: optional(
    nullableText({ format: 'cursor', description: 'When the rights end; null, the default, for never' }),
  ),
}

/** All nine flags at once; omitted ones are false. An end that is left out stays as it is. */
export const UpdateTenantMember = object({ ...optionalFlags, ...memberEnd })
export type UpdateTenantMember = Static<typeof UpdateTenantMember>

/** An invitation to become an administrator of a tenant. */
export const TenantInvitation = object({
  id: text(),
  tenantId: text(),
  tenant: object({
    id: text(),
    name: text(),
    slug: text(),
    logoId: nullableText(),
    iconId: nullableText(),
    environment: oneOf(environments),
    createdAt: timestamp(),
  }),
  email: text({ format: 'email' }),
  userId: nullableText({
    description: 'Shown only to the invited administrator; null for the tenant until the invitation is accepted',
  }),
  user: nullable(UserSummary),
  ...flags,
  expiresAt: nullableTimestamp({ description: 'When the rights end that are invited to; null for never' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type TenantInvitation = Static<typeof TenantInvitation>

const newConsoleUser = {
  email: text({ format: 'email' }),
  name: optional(personName()),
  password: optional(
    text({
      format: 'password',
      minLength: 12,
      description: 'The password of an administrator has at least 12 characters',
    }),
  ),
}

/** What an account at the console is created with. */
export const CreateConsoleUser = object(newConsoleUser)
export type CreateConsoleUser = Static<typeof CreateConsoleUser>

/** Omitted flags are false. */
export const CreateTenantMember = object({
  tenantId: id(),
  ...newConsoleUser,
  ...optionalFlags,
  ...memberEnd,
})
export type CreateTenantMember = Static<typeof CreateTenantMember>

/** Who is invited to administer a tenant, and with which rights. */
export const CreateTenantInvitation = object({
  tenantId: id(),
  email: text({ format: 'email' }),
  ...optionalFlags,
  ...memberEnd,
})
export type CreateTenantInvitation = Static<typeof CreateTenantInvitation>
