// Finds the principal by the hash of a key. That the key was used is recorded beside the request, once a minute.
import { addMilliseconds, toMs } from '../../platform/clock.ts'
import type { FindApiKey } from '../../platform/http/credentials/authenticate.ts'
import type { ApiKeyPrincipal } from '../../platform/http/credentials/principal.ts'
import { whenReady } from '../../platform/maybe-promise.ts'
import type { Deps } from '../deps.ts'
import type { ApiKeyEntry } from '../tenants/tenant-entry.ts'
import { touchApiKey } from './queries.ts'

const touchEveryMs = 60_000

export interface ApiKeyFinder {
  readonly find: FindApiKey
  /** Resolves when all uses that are being written are written. */
  readonly settle: () => Promise<void>
}

type FinderDeps = Pick<Deps, 'db' | 'clock' | 'tenants' | 'log'>

export function createApiKeyFinder({ db, clock, tenants, log }: FinderDeps): ApiKeyFinder {
  const touches = new Set<Promise<unknown>>()

  function touch(entry: ApiKeyEntry) {
    if (entry.lastUsedAt !== null && clock.nowMs() - toMs(entry.lastUsedAt) <= touchEveryMs) return
    const at = clock.now()
    entry.lastUsedAt = at
    const writing = db
      .write(() => [touchApiKey(entry.tenantId, entry.id, at, addMilliseconds(at, -touchEveryMs))])
      .catch((err: unknown) => log.warn({ err }, 'cannot write that an API key was used'))
    touches.add(writing)
    void writing.then(() => touches.delete(writing))
  }

  function used(entry: ApiKeyEntry | undefined): ApiKeyPrincipal | undefined {
    if (entry === undefined) return undefined
    touch(entry)
    return entry.principal
  }

  return {
    find: (...key) => whenReady(tenants.byApiKey(...key), used),
    async settle() {
      await Promise.all(touches)
    },
  }
}
