// Creates an account at the console for the operator: the way to get one while sign-up there is closed.
import type { CreateConsoleUser } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { createUser } from '../../identity/users/users.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

/** @throws ApiError email_taken */
export async function createConsoleUser(deps: Deps, input: CreateConsoleUser, actor: Actor): Promise<UserRecord> {
  return createUser(deps, await getConsoleTenantId(deps.db), { ...input, emailVerified: true }, actor)
}
