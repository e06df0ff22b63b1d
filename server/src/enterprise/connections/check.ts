// What the provider of a connection says of itself, read anew, and whom a required connection would bind.
import { type ConnectionCheck, type ConnectionPreview, domainOfEmail } from '@bailiwick/contract'
import { emailAddressesOfUsers } from '../../identity/users/find-user.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { DiscoveryError, discoverProvider, fetchThrough } from '../../tenancy/custom-providers/discovery.ts'
import type { Deps } from '../deps.ts'
import { callbackUri, oidcSettings } from './present.ts'
import * as queries from './queries.ts'

const keysMax = 1000

/** Returns how many keys are published at an address; 0 if it has none that could be read. */
async function countKeys(deps: Deps, tenantId: TenantId, address: string): Promise<number> {
  try {
    const answer = await fetchThrough(deps, tenantId)(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    })
    const { keys } = (await answer.json()) as { readonly keys?: unknown }
    return answer.ok && Array.isArray(keys) ? Math.min(keys.length, keysMax) : 0
  } catch (error) {
    deps.log.info({ err: error, tenantId }, 'the keys of a connection cannot be read')
    return 0
  }
}

/** @throws ApiError not_found */
export async function checkConnection(deps: Deps, tenantId: TenantId, id: string): Promise<ConnectionCheck> {
  const row = await queries.selectConnection(deps.db, tenantId, id)
  if (row === undefined) throw notFound()
  const shared = { callbackUri: callbackUri(deps.config, row.id), keys: 0, authorizationEndpoint: null }
  if (row.type !== 'oidc')
    return { ...shared, problem: 'unsupported', reason: 'Only connections of the type oidc can be checked.' }
  try {
    const { metadata } = await discoverProvider(deps, tenantId, oidcSettings(row).issuer, true)
    const keys = await countKeys(deps, tenantId, metadata.jwks_uri ?? '')
    const authorizationEndpoint = metadata.authorization_endpoint ?? null
    if (keys > 0) return { ...shared, problem: null, reason: null, authorizationEndpoint, keys }
    const reason = 'The provider publishes no keys, or they cannot be read.'
    return { ...shared, problem: 'no_keys', reason, authorizationEndpoint }
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error
    deps.log.info({ err: error.cause ?? error, tenantId }, 'the provider of a connection cannot be used')
    return { ...shared, problem: error.problem, reason: error.message }
  }
}

const batch = 500
const membersMax = 10_000
const namedMax = 20

/**
 * Returns whom a connection leaves no other way in once it is required.
 * @throws ApiError not_found
 */
export async function previewConnection({ db }: Deps, tenantId: TenantId, id: string): Promise<ConnectionPreview> {
  const row = await queries.selectConnection(db, tenantId, id)
  if (row === undefined) throw notFound()
  const fallback = new Set(fromJson(row.fallback_user_ids))
  const names = new Set((await queries.selectDnsDomains(db, tenantId, row.organization_id)).map(({ name }) => name))
  const preview = { members: 0, bound: 0, neverConnected: 0, neverConnectedUserIds: [] as string[] }
  let before: string | undefined
  while (preview.members < membersMax) {
    const members = await queries.selectMembersBefore(db, tenantId, row.organization_id, before, batch)
    preview.members += members.length
    const userIds = members.map((member) => member.user_id)
    const addresses = userIds.length === 0 ? [] : await emailAddressesOfUsers(db, tenantId, userIds)
    const bound = new Set(
      addresses
        .filter(({ email, user_id: userId }) => names.has(domainOfEmail(email)) && !fallback.has(userId))
        .map((address) => address.user_id),
    )
    const connected = new Set(await queries.selectConnectedAmong(db, tenantId, row.id, [...bound]))
    const never = [...bound].filter((userId) => !connected.has(userId))
    preview.bound += bound.size
    preview.neverConnected += never.length
    preview.neverConnectedUserIds.push(...never.slice(0, namedMax - preview.neverConnectedUserIds.length))
    before = members.at(-1)?.created_at
    if (members.length < batch) break
  }
  return preview
}
