// Checks a key that the tenant's API received: one look-up in memory for a key that was checked lately, else a few reads.
import type { UserApiKeyCheck } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type Timestamp, addMilliseconds, toMs } from '../../platform/clock.ts'
import { hasValidChecksum, hashToken } from '../../platform/crypto/tokens.ts'
import { isPast } from '../../platform/http/ends.ts'
import { fromJson } from '../../platform/json-text.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type KnownKey, createKeyMemory } from './key-memory.ts'
import { type KeyOwner, findScopesOfOwner } from './owners.ts'
import { selectKeyByHash, touchKey } from './queries.ts'

/** Writing each use would make a read as slow as a write. */
const touchEveryMs = 60 * 60_000

const refused = (reason: 'unknown' | 'missing_scopes'): UserApiKeyCheck => ({
  valid: false,
  reason,
  keyId: null,
  name: null,
  userId: null,
  organizationId: null,
  scopes: [],
  expiresAt: null,
})

export interface KeyChecks {
  /** Returns a key that is valid now, with the scopes that it has now. Checking it counts as a use. */
  readonly find: (tenant: TenantEntry, key: string) => MaybePromise<KnownKey | undefined>
}

async function read({ db, clock }: Deps, tenant: TenantEntry, hash: string): Promise<KnownKey | undefined> {
  const tenantId = tenant.row.id
  const row = await selectKeyByHash(db, tenantId, hash)
  if (row === undefined) return undefined
  const owner = { userId: row.user_id, organizationId: row.organization_id } as KeyOwner
  const owned = await findScopesOfOwner({ db, clock }, tenantId, owner)
  if (owned === undefined) return undefined
  const scopes = fromJson(row.scopes).filter((scope) => owned.scopes.includes(scope))
  const touchDueMs = row.last_used_at === null ? 0 : toMs(row.last_used_at) + touchEveryMs
  return { row, tenant, scopes, endsAt: owned.endsAt, touchDueMs }
}

const checksByDeps = new WeakMap<object, KeyChecks>()

/** Returns the checks of this node, which share one memory. */
export function findKeyChecks(deps: Deps): KeyChecks {
  const known = checksByDeps.get(deps.sessions)
  if (known !== undefined) return known
  const checks = createKeyChecks(deps)
  checksByDeps.set(deps.sessions, checks)
  return checks
}

function createKeyChecks(deps: Deps): KeyChecks {
  const { db, clock, tenants, sessions, log } = deps
  const memory = createKeyMemory()
  sessions.alsoForgets(memory)

  async function touch(entry: KnownKey): Promise<KnownKey> {
    entry.touchDueMs = clock.nowMs() + touchEveryMs
    const at = clock.now()
    const { tenant_id: tenantId, id } = entry.row
    try {
      await db.write(() => [touchKey(tenantId, id, at, addMilliseconds(at, -touchEveryMs))])
    } catch (err) {
      log.warn({ err }, 'cannot write that an API key of a user was used')
    }
    return entry
  }

  function use(entry: KnownKey | undefined): MaybePromise<KnownKey | undefined> {
    if (entry === undefined || hasEnded(entry.row.expires_at)) return undefined
    return clock.nowMs() < entry.touchDueMs ? entry : touch(entry)
  }

  // Most keys never end, and the time as text takes longer than the rest of a check.
  const hasEnded = (at: Timestamp | null) => at !== null && isPast(at, clock.now())

  return {
    find(tenant, key) {
      if (!tenant.auth.userApiKeysEnabled || !hasValidChecksum(key)) return undefined
      const hash = hashToken(key)
      const known = tenants.isConfirmed() ? memory.get(hash) : undefined
      const isRight = known?.tenant === tenant && !hasEnded(known.endsAt)
      return isRight ? use(known) : memory.load(() => read(deps, tenant, hash)).then(use)
    },
  }
}

/** Says whether a key is valid and has the required scopes. Why it is not valid is not said: a stranger may have guessed it. */
export const checkKey = (
  checks: KeyChecks,
  tenant: TenantEntry,
  { key, requiredScopes = [] }: { readonly key: string; readonly requiredScopes?: readonly string[] },
): MaybePromise<UserApiKeyCheck> =>
  whenReady(checks.find(tenant, key), (found) => {
    if (found === undefined) return refused('unknown')
    const { row, scopes } = found
    if (!requiredScopes.every((scope) => scopes.includes(scope))) return refused('missing_scopes')
    return {
      valid: true,
      reason: null,
      keyId: row.id,
      name: row.name,
      userId: row.user_id,
      organizationId: row.organization_id,
      scopes: [...scopes],
      expiresAt: row.expires_at,
    }
  })
