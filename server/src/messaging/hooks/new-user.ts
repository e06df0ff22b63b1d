// What the tenant's hooks decide about a user who is about to be created, whatever way that is.
import type { HookAdditions } from '@bailiwick/contract'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type RoleRow, findRoleRow } from '../../tenancy/roles/find-role.ts'
import { attributesInUse } from '../../tenancy/tenants/attributes/document.ts'
import { metaIssues } from '../../tenancy/tenants/attributes/values.ts'
import { findTenantRow } from '../../tenancy/tenants/find-tenant.ts'
import type { HookMessage } from './answer.ts'
import { decisionAt, textFor } from './decisions.ts'

/** How a user comes to be created. */
export type UserOrigin = 'management' | 'import' | 'sign_up' | 'connection' | 'directory' | 'migration'

interface UserInput {
  readonly name?: string | undefined
  readonly username?: string | undefined
  readonly email?: string | undefined
  readonly emailVerified?: boolean | undefined
  readonly phone?: string | undefined
  readonly phoneVerified?: boolean | undefined
  readonly publicMeta?: unknown
}

/** A hook has denied the user. Flows in which somebody reads the text answer with an error of their own. */
export class UserDenied extends ApiError {
  readonly texts: HookMessage | undefined

  constructor(texts: HookMessage | undefined) {
    const detail = textFor(texts, undefined)
    super('hook_denied', detail === undefined ? {} : { detail })
    this.texts = texts
  }
}

export const factsOfNewUser = (origin: UserOrigin, input: UserInput) => ({
  origin,
  user: {
    id: null,
    name: input.name ?? null,
    username: input.username ?? null,
    email: input.email ?? null,
    emailVerified: input.emailVerified === true,
    phone: input.phone ?? null,
    phoneVerified: input.phoneVerified === true,
    publicMeta: input.publicMeta ?? {},
  },
})

/** A user who is about to be created: what was entered, and what was made for it. */
export interface DecidedUser<Input extends UserInput, Prepared extends { readonly role: RoleRow | undefined }> {
  readonly input: Input
  readonly prepared: Prepared
}

/** @throws UserDenied */
async function assertFits(db: Reader, tenantId: TenantId, publicMeta: unknown): Promise<void> {
  const tenant = await findTenantRow(db, tenantId)
  const attributes = tenant === undefined ? [] : await attributesInUse(db, tenant)
  if (metaIssues(attributes, publicMeta).length > 0) throw new UserDenied(undefined)
}

/**
 * Returns a user with what answers of hooks add. A role that somebody else has chosen stays.
 * @throws UserDenied also for a role that is gone meanwhile, and for a value that is not of the type of its attribute.
 */
export async function withAdditions<I extends UserInput, P extends { readonly role: RoleRow | undefined }>(
  db: Reader,
  tenantId: TenantId,
  { input, prepared }: DecidedUser<I, P>,
  { publicMeta, roleId }: HookAdditions = {},
): Promise<DecidedUser<I, P>> {
  if (publicMeta !== undefined) await assertFits(db, tenantId, publicMeta)
  const own = input.publicMeta ?? {}
  const merged = publicMeta === undefined ? input : { ...input, publicMeta: { ...own, ...(publicMeta as object) } }
  if (roleId === undefined || prepared.role !== undefined) return { input: merged, prepared }
  const role = await findRoleRow(db, tenantId, null, roleId)
  if (role === undefined) throw new UserDenied(undefined)
  return { input: merged, prepared: { ...prepared, role } }
}

/**
 * Asks the hooks about a new user, within `decidedTransaction`; returns the user with what they add.
 * @throws UserDenied
 */
export async function decideUser<I extends UserInput, P extends { readonly role: RoleRow | undefined }>(
  tx: Transaction,
  tenantId: TenantId,
  origin: UserOrigin,
  user: DecidedUser<I, P>,
): Promise<DecidedUser<I, P>> {
  const verdict = await decisionAt(tx, tenantId, 'user.before_create', factsOfNewUser(origin, user.input))
  if (!verdict.isAllowed) throw new UserDenied(verdict.message)
  return withAdditions(tx, tenantId, user, verdict.additions)
}
