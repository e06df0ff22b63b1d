// An account at the console, made by the operator: the way in while nobody can sign up there.
import type { CreateConsoleUser } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/principal.ts'
import { getConsoleTenantId } from '../tenants/console-tenant.ts'
import type { UserRecord } from '../users/present.ts'
import { createUser } from '../users/users.ts'

/** @throws ApiError email_taken */
export async function createConsoleUser(deps: Deps, input: CreateConsoleUser, actor: Actor): Promise<UserRecord> {
  return createUser(deps, await getConsoleTenantId(deps.db), { ...input, emailVerified: true }, actor)
}
