// The scopes that an authorization request contains, those of OpenID Connect and those of resources.
import type { OAuthInteraction } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { UserId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import { findApplicationOfClient } from '../applications/application-records.ts'
import { claimsByScope } from '../engine/claims-by-scope.ts'
import { findGrant } from '../grants/grant-records.ts'
import { type ResourceRow, findResource } from '../resources/resource-records.ts'

const ownScopes: ReadonlySet<string> = new Set([...Object.keys(claimsByScope), 'offline_access'])
const resourcesMax = 10

export interface AskedFor {
  readonly scopes: readonly string[]
  readonly resources: readonly { readonly row: ResourceRow; readonly scopes: readonly string[] }[]
}

export async function askedFor(
  { db }: Deps,
  tenant: TenantEntry,
  params: Readonly<Record<string, unknown>>,
): Promise<AskedFor> {
  const asked = typeof params['scope'] === 'string' ? params['scope'].split(' ') : []
  const indicators = [params['resource']]
    .flat()
    .filter((each) => typeof each === 'string')
    .slice(0, resourcesMax)
  const rows = await Promise.all(indicators.map((indicator) => findResource(db, tenant.row.id, indicator)))
  return {
    scopes: asked.filter((scope) => ownScopes.has(scope)),
    resources: rows
      .filter((row) => row !== undefined)
      .map((row) => {
        const offered = new Set(fromJson(row.scopes).map(({ name }) => name))
        return { row, scopes: asked.filter((scope) => offered.has(scope)) }
      }),
  }
}

export async function askedScopes(
  deps: Deps,
  tenant: TenantEntry,
  clientId: string,
  params: Readonly<Record<string, unknown>>,
  userId: UserId | undefined,
): Promise<OAuthInteraction['scopes']> {
  const [asked, application] = await Promise.all([
    askedFor(deps, tenant, params),
    findApplicationOfClient(deps.db, tenant, clientId),
  ])
  const grant =
    application === undefined || userId === undefined
      ? undefined
      : await findGrant(deps.db, tenant.row.id, { userId, applicationId: application.row.id, organizationId: null })
  const granted = grant === undefined ? [] : fromJson(grant.scopes)
  const atResources = grant === undefined ? {} : fromJson(grant.resource_scopes)
  return [
    ...asked.scopes.map((name) => ({ name, description: null, resource: null, isGranted: granted.includes(name) })),
    ...asked.resources.flatMap(({ row, scopes }) =>
      scopes.map((name) => ({
        name,
        description: fromJson(row.scopes).find((each) => each.name === name)?.description ?? null,
        resource: row.name,
        isGranted: atResources[row.indicator]?.includes(name) === true,
      })),
    ),
  ]
}
