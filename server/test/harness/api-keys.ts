// API keys in use.
import { setTimeout as sleep } from 'node:timers/promises'
import { hashToken } from '../../src/platform/crypto/tokens.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { TestService } from './service.ts'

export async function lastUsedAt({ deps: { db } }: TestService, key: string): Promise<string | null | undefined> {
  const row = await db.first<{ last_used_at: string | null }>(
    sql`SELECT last_used_at FROM api_keys WHERE hash = ${hashToken(key)}`,
  )
  return row?.last_used_at
}

/** When the uses of keys were last made to be recorded. */
const recorded = new Map<string, number>()

/** Does for a key what `useSession` does for a session: its use is not recorded again within half a minute. */
export async function useApiKey(service: TestService, token: string): Promise<void> {
  const { db, tenants } = service.deps
  const now = Date.now()
  if (now - (recorded.get(token) ?? 0) > 30_000) {
    await db.write(() => [sql`UPDATE api_keys SET last_used_at = NULL WHERE hash = ${hashToken(token)}`])
    tenants.clear()
    recorded.set(token, now)
  }
  await service.ok('listTenants', { token })
  await usedSince(service, token, null)
}

/** Returns when the key was last used, once that is another time than `before`. */
export async function usedSince(service: TestService, key: string, before: string | null | undefined) {
  for (let looks = 0; looks < 1000; looks++) {
    const at = await lastUsedAt(service, key)
    if (at !== before) return at
    await sleep(10)
  }
  throw new Error('nothing was written of the use of a key')
}
