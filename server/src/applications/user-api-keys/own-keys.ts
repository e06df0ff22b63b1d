// The keys of the signed-in user, and those of an organization as a member manages them.
import type { CreateOrganizationApiKey, CreateOwnApiKey } from '@bailiwick/contract'
import type { AnyCall } from '../../flows/frontend/flow.ts'
import { enterOrganization } from '../../flows/own-organizations/rights.ts'
import type { Deps } from '../../identity/deps.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { findScopesOfOwner } from './owners.ts'
import { presentUserApiKey } from './present.ts'
import { type UserApiKeyRow, selectKeysOfOrganization, selectKeysOfUser } from './queries.ts'
import { type MayTouch, createKey, deleteKey, rotateKey } from './user-api-keys.ts'

/** @throws ApiError user_api_keys_disabled */
function assertKeysEnabled({ tenant: { auth } }: AnyCall) {
  if (!auth.userApiKeysEnabled) throw new ApiError('user_api_keys_disabled')
}

/** Checked before a key is shown to the user. @throws ApiError user_api_keys_disabled, reauthentication_required */
function assertMayReceive(deps: Deps, call: AnyCall) {
  assertKeysEnabled(call)
  assertFresh(deps, call.signedIn)
}

const isOwn =
  ({ signedIn }: AnyCall): MayTouch =>
  (row) =>
    row.user_id === signedIn.row.user_id

const isOfOrganization =
  (organizationId: string): MayTouch =>
  (row) =>
    row.user_id === null && row.organization_id === organizationId

const listed = ({ tenant }: AnyCall, rows: readonly UserApiKeyRow[], scopes: readonly string[], query: PageQuery) => ({
  ...pageOfWhole('apiKeys', { items: rows.map(presentUserApiKey), order: 'newest first' }, query),
  offer: { scopes: [...scopes], daysMax: tenant.auth.userApiKeyDaysMax },
})

export async function listOwnKeys({ db, clock }: Deps, call: AnyCall, query: PageQuery) {
  assertKeysEnabled(call)
  const { user_id: userId } = call.signedIn.row
  const owned = await findScopesOfOwner({ db, clock }, call.tenantId, { userId, organizationId: null })
  return listed(call, await selectKeysOfUser(db, call.tenantId, userId), owned?.scopes ?? [], query)
}

/** @throws ApiError reauthentication_required, also for somebody who acts in the user's place; not_found for an organization of others. */
export async function createOwnKey(deps: Deps, call: AnyCall, { organizationId, ...input }: CreateOwnApiKey) {
  assertMayReceive(deps, call)
  if (organizationId !== undefined) await enterOrganization(deps, call, organizationId)
  const { user_id: userId } = call.signedIn.row
  const owner = { userId, organizationId: (organizationId ?? null) as OrganizationId | null }
  return createKey(deps, call.tenant, { ...input, owner, creatorId: userId }, call.actor())
}

/** @throws ApiError reauthentication_required, not_found */
export function rotateOwnKey(deps: Deps, call: AnyCall, id: string, expiresAt: string | null | undefined) {
  assertMayReceive(deps, call)
  const key = { id, mayTouch: isOwn(call), ...(expiresAt === undefined ? {} : { expiresAt }) }
  return rotateKey(deps, call.tenant, key, call.actor())
}

/** @throws ApiError not_found */
export const deleteOwnKey = (deps: Deps, call: AnyCall, id: string) =>
  deleteKey(deps, call.tenant, { id, mayTouch: isOwn(call) }, call.actor())

const enter = (deps: Deps, call: AnyCall, organizationId: string) =>
  enterOrganization(deps, call, organizationId, 'org:api-keys:manage')

/** Returns the scopes that a member can give to a key of the organization: nobody gives more than they have. */
async function givableBy(deps: Deps, call: AnyCall, { permissions }: Awaited<ReturnType<typeof enter>>, id: string) {
  const owner = { userId: null, organizationId: id as OrganizationId }
  const owned = await findScopesOfOwner(deps, call.tenantId, owner)
  return (owned?.scopes ?? []).filter((scope) => permissions.has(scope))
}

/** @throws ApiError forbidden, not_found */
export async function listOrganizationKeys(deps: Deps, call: AnyCall, id: string, query: PageQuery) {
  assertKeysEnabled(call)
  const member = await enter(deps, call, id)
  const rows = await selectKeysOfOrganization(deps.db, call.tenantId, id as OrganizationId)
  return listed(call, rows, await givableBy(deps, call, member, id), query)
}

/** @throws ApiError reauthentication_required, forbidden, not_found */
export async function createOrganizationKey(deps: Deps, call: AnyCall, id: string, input: CreateOrganizationApiKey) {
  assertMayReceive(deps, call)
  const givable = await givableBy(deps, call, await enter(deps, call, id), id)
  const owner = { userId: null, organizationId: id as OrganizationId }
  const { user_id: creatorId } = call.signedIn.row
  return createKey(deps, call.tenant, { ...input, owner, creatorId, givable }, call.actor())
}

interface OrganizationKey {
  readonly id: string
  readonly keyId: string
}

/** @throws ApiError reauthentication_required, forbidden, not_found */
export async function rotateOrganizationKey(
  deps: Deps,
  call: AnyCall,
  { id, keyId }: OrganizationKey,
  expiresAt: string | null | undefined,
) {
  assertMayReceive(deps, call)
  const givable = await givableBy(deps, call, await enter(deps, call, id), id)
  const key = { id: keyId, mayTouch: isOfOrganization(id), givable, ...(expiresAt === undefined ? {} : { expiresAt }) }
  return rotateKey(deps, call.tenant, key, call.actor())
}

/** @throws ApiError forbidden, not_found */
export async function deleteOrganizationKey(deps: Deps, call: AnyCall, { id, keyId }: OrganizationKey) {
  await enter(deps, call, id)
  return deleteKey(deps, call.tenant, { id: keyId, mayTouch: isOfOrganization(id) }, call.actor())
}
