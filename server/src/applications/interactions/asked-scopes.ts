// The scopes that an authorization request contains, those of OpenID Connect and those of resources.
import type { OAuthInteraction } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { findApplicationOfClient } from '../applications/application-records.ts'
import { claimsByScope, requestedClaims, scopeWithClaim } from '../engine/configuration/requested-claims.ts'
import { findAllowedGrant, findRequestedMembership, organizationOfSession } from '../grants/allowed-grant.ts'
import { findGrant } from '../grants/grant-records.ts'
import { type ResourceRow, findResource } from '../resources/resource-records.ts'

const ownScopes: ReadonlySet<string> = new Set([...Object.keys(claimsByScope), 'offline_access'])
const resourcesMax = 10

export interface AskedFor {
  readonly scopes: readonly string[]
  /** The claims that are named one by one, outside of the scopes. */
  readonly claims: readonly string[]
  readonly resources: readonly {
    readonly row: ResourceRow
    readonly scopes: readonly string[]
    /** Whether it has no scopes, so that it is allowed as a whole. */
    readonly isWhole: boolean
  }[]
}

/** Returns the scopes that the user is asked for because of single claims. */
export const scopesOfClaims = ({ scopes, claims }: AskedFor): readonly string[] =>
  [...new Set(claims.map(scopeWithClaim))].filter((scope) => !scopes.includes(scope))

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
    scopes: asked.filter((scope) => ownScopes.has(scope) || tenant.claims?.scopes.has(scope) === true),
    claims: requestedClaims(params),
    resources: rows
      .filter((row) => row !== undefined)
      .map((row) => {
        const offered = new Set(fromJson(row.scopes).map(({ name }) => name))
        return { row, scopes: asked.filter((scope) => offered.has(scope)), isWhole: offered.size === 0 }
      }),
  }
}

/** What the user has allowed the application by now, and for which organization it acts or would act. */
async function allowedBefore(
  { db, clock }: Deps,
  tenant: TenantEntry,
  clientId: string,
  requested: unknown,
  session: LiveSession | undefined,
) {
  if (session === undefined) return { grant: undefined, organizationId: null }
  const [application, ofSession] = await Promise.all([
    findApplicationOfClient(db, tenant, clientId),
    organizationOfSession({ db, clock }, tenant, session.row),
  ])
  if (application === undefined) return { grant: undefined, organizationId: ofSession }
  if (typeof requested === 'string') {
    const membership = await findRequestedMembership({ db, clock }, tenant, requested, session.row.user_id)
    const organizationId = membership?.organizationId ?? null
    const parties = { userId: session.row.user_id, applicationId: application.row.id, organizationId }
    return { grant: await findGrant(db, tenant.row.id, parties), organizationId }
  }
  const parties = { userId: session.row.user_id, applicationId: application.row.id, organizationId: ofSession }
  const grant = await findAllowedGrant({ db, clock }, tenant, parties)
  return { grant, organizationId: grant === undefined ? ofSession : grant.organization_id }
}

export async function askedScopes(
  deps: Deps,
  tenant: TenantEntry,
  clientId: string,
  params: Readonly<Record<string, unknown>>,
  session: LiveSession | undefined,
): Promise<Pick<OAuthInteraction, 'scopes' | 'resources' | 'organizationId' | 'isOrganizationRequested'>> {
  const [asked, { grant, organizationId }] = await Promise.all([
    askedFor(deps, tenant, params),
    allowedBefore(deps, tenant, clientId, params['organization'], session),
  ])
  const granted = grant === undefined ? [] : fromJson(grant.scopes)
  const grantedClaims = grant === undefined ? [] : fromJson(grant.claims)
  const atResources = grant === undefined ? {} : fromJson(grant.resource_scopes)
  const shown = [
    ...asked.scopes.map((name) => ({
      name,
      description: tenant.claims?.scopes.get(name) ?? null,
      resource: null,
      isGranted: granted.includes(name),
    })),
    ...scopesOfClaims(asked).map((name) => ({
      name,
      description: null,
      resource: null,
      isGranted:
        granted.includes(name) ||
        asked.claims.every((claim) => scopeWithClaim(claim) !== name || grantedClaims.includes(claim)),
    })),
    ...asked.resources.flatMap(({ row, scopes }) =>
      scopes.map((name) => ({
        name,
        description: fromJson(row.scopes).find((each) => each.name === name)?.description ?? null,
        resource: row.name,
        isGranted: atResources[row.indicator]?.includes(name) === true,
      })),
    ),
  ]
  const whole = asked.resources.filter(({ isWhole }) => isWhole)
  return {
    scopes: shown,
    resources: whole.map(({ row: { name, indicator } }) => ({
      name,
      indicator,
      isGranted: Object.hasOwn(atResources, indicator),
    })),
    organizationId,
    isOrganizationRequested: typeof params['organization'] === 'string',
  }
}
