// Changes the claims that a tenant adds to tokens.
import {
  type ClaimsDocument,
  type Issue,
  type TenantClaims,
  type UpdateTenantClaims,
  claimTokens,
} from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { claimValues } from '../../identity/session-tokens/custom-claims.ts'
import { recentUsers } from '../../identity/users/users.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { DocumentBasis } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TimedReader } from '../../platform/http/ends.ts'
import type { TenantId } from '../../platform/ids.ts'
import { addClaims } from '../../tenancy/tenants/claims/add-claims.ts'
import { compileClaims } from '../../tenancy/tenants/claims/compile.ts'
import { claimIssues, claimsVersions, presentClaims, tooLarge } from '../../tenancy/tenants/claims/document.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { type Versioned, restoreVersion, writeVersion } from '../../tenancy/tenants/versions/versions.ts'
import { applications } from '../applications/tables.ts'

/** The users for whom a document is tried before it is stored. */
const triedUsers = 20

/** Returns an issue for each application that a document names and the tenant does not have. */
async function unknownApplications(db: Reader, tenantId: TenantId, { claims }: ClaimsDocument): Promise<Issue[]> {
  const ids = [...new Set(claims.map(({ applicationId }) => applicationId ?? null).filter((id) => id !== null))]
  const known = new Set(
    ids.length === 0 ? [] : (await applications.byIds(db, tenantId, ids)).map(({ id }) => id as string),
  )
  return claims.flatMap(({ applicationId }, index) =>
    (applicationId ?? null) === null || known.has(applicationId ?? '')
      ? []
      : [
          {
            path: `/claims/${index}/applicationId`,
            code: 'unknown_reference',
            message: 'is not an application of this tenant',
          },
        ],
  )
}

/** Returns an issue if the claims of one of the newest users would be too large for a token. */
async function sizeIssues(timed: TimedReader, tenantId: TenantId, document: ClaimsDocument): Promise<Issue[]> {
  const { byToken } = compileClaims(document)
  const scopes = new Set(document.claims.map(({ scope }) => scope ?? ''))
  for (const user of await recentUsers(timed, tenantId, triedUsers)) {
    for (const token of claimTokens) {
      // Those of single applications and resources come on top; at issue, each token is measured by itself.
      const added = addClaims({}, claimValues(byToken[token], { user, membership: undefined }, { scopes }))
      if (added.claims === undefined) {
        return [{ path: '/claims', code: 'too_large', message: `of user ${user.row.id} ${tooLarge(added.bytes)}` }]
      }
    }
  }
  return []
}

const changeable: Versioned<ClaimsDocument> = {
  ...claimsVersions,
  async issuesOf({ clock }, tx, tenantId, _before, after) {
    const broken = claimIssues(after)
    if (broken.length > 0) return broken
    return [
      ...(await unknownApplications(tx, tenantId, after)),
      ...(await sizeIssues({ db: tx, clock }, tenantId, after)),
    ]
  },
}

/** @throws ApiError not_found */
export const getClaims = async (deps: Deps, tenantId: TenantId): Promise<TenantClaims> =>
  presentClaims(deps.db, (await getTenant(deps, tenantId)).row)

/**
 * Replaces the claims. An empty change makes no version.
 * @throws ApiError not_found; changed_meanwhile; validation_failed with every reason.
 */
export async function putClaims(
  deps: Deps,
  tenantId: TenantId,
  { claims, scopes = [] }: UpdateTenantClaims,
  actor: Actor,
  basis?: DocumentBasis,
): Promise<TenantClaims> {
  const { row } = await writeVersion(deps, changeable, tenantId, actor, () => ({ claims, scopes }), basis)
  return presentClaims(deps.db, row)
}

/**
 * Goes back to a version of the claims, as a new one.
 * @throws ApiError not_found; validation_failed if it would not be allowed today.
 */
export async function restoreClaims(deps: Deps, tenantId: TenantId, version: number, actor: Actor) {
  const { row } = await restoreVersion(deps, changeable, tenantId, version, actor)
  return presentClaims(deps.db, row)
}
