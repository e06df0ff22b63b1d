// Keys of users and organizations, as the tenant's servers and administrators manage them.
import type { CreateUserApiKey, UserApiKey, UserApiKeyWithKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { EndGrants } from '../../identity/people/secure-account.ts'
import { getUserRow } from '../../identity/users/find-user.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type KeyOwner, getOrganizationId } from './owners.ts'
import { presentUserApiKey } from './present.ts'
import { selectKeysOfOrganization, selectKeysOfUser } from './queries.ts'
import { createKey, removeKey } from './user-api-keys.ts'

/** @throws ApiError not_found for a tenant that does not exist. */
export const findEntry = ({ tenants }: Deps, tenantId: TenantId): MaybePromise<TenantEntry> =>
  whenReady(tenants.byId(tenantId), (tenant) => {
    if (tenant === undefined) throw notFound()
    return tenant
  })

/** Ends every key of a user whom the caller's transaction holds. */
export const endKeysOfUser: EndGrants = async (deps, tx, { tenantId, userId }, actor) => {
  const rows = await selectKeysOfUser(tx, tenantId, userId)
  for (const row of rows) await removeKey(deps, tx, row, { actor, reason: 'ended', foundAt: null })
  return rows.length
}

/** @throws ApiError not_found */
export async function listKeysOfUser({ db }: Deps, tenantId: TenantId, id: string): Promise<UserApiKey[]> {
  const user = await getUserRow(db, tenantId, id)
  return (await selectKeysOfUser(db, tenantId, user.id)).map(presentUserApiKey)
}

/** @throws ApiError not_found */
export async function listKeysOfOrganization({ db }: Deps, tenantId: TenantId, id: string): Promise<UserApiKey[]> {
  const organizationId = await getOrganizationId(db, tenantId, id)
  return (await selectKeysOfOrganization(db, tenantId, organizationId)).map(presentUserApiKey)
}

/** @throws ApiError validation_failed if neither is named; not_found */
async function findOwner(
  { db }: Deps,
  tenantId: TenantId,
  { userId, organizationId }: Pick<CreateUserApiKey, 'userId' | 'organizationId'>,
): Promise<KeyOwner> {
  const organization = organizationId === undefined ? null : await getOrganizationId(db, tenantId, organizationId)
  if (userId !== undefined) {
    return { userId: (await getUserRow(db, tenantId, userId)).id, organizationId: organization }
  }
  if (organization === null) throw invalid('/userId', 'required', 'is required unless organizationId is given')
  return { userId: null, organizationId: organization }
}

/**
 * Creates a key for a user or an organization; the answer is the only place that ever shows it.
 * @throws ApiError not_found, user_api_key_limit_reached, validation_failed
 */
export async function createKeyFor(
  deps: Deps,
  tenantId: TenantId,
  { userId, organizationId, name, scopes, expiresAt }: CreateUserApiKey,
  actor: Actor,
): Promise<UserApiKeyWithKey> {
  const tenant = await findEntry(deps, tenantId)
  const named = {
    ...(userId === undefined ? {} : { userId }),
    ...(organizationId === undefined ? {} : { organizationId }),
  }
  const owner = await findOwner(deps, tenantId, named)
  const key = {
    owner,
    name,
    creatorId: null,
    ...(scopes && { scopes }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
  return createKey(deps, tenant, key, actor)
}
