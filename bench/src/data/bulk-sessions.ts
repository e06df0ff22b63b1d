// Sessions by the million. The indexes of their table are dropped first and made again at the end, which takes a fraction of the time.
import type { BulkEngine } from './bulk-engine.ts'
import { addCounters, bulkSecond } from './bulk-rows.ts'
import type { EngineName } from './store.ts'

/** 2033: none of them expires while it is measured. */
const expirySecond = 2_000_000_000
const separator = ';;'

/** The definitions of the table's indexes, without those of constraints. */
const definitions: Readonly<Record<EngineName, string>> = {
  sqlite: `SELECT group_concat(sql, '${separator}') FROM sqlite_master
    WHERE type = 'index' AND tbl_name = 'sessions' AND sql IS NOT NULL`,
  postgresql: `SELECT string_agg(indexdef, '${separator}') FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename = 'sessions' AND indexname <> 'sessions_pkey'`,
}

const indexName = (definition: string) => /INDEX (\w+) ON/.exec(definition)?.[1] ?? ''

/** Inserts live sessions of the tenant's users, whose number is given: each has as many as any other. */
export async function insertSessions(
  engine: BulkEngine,
  engineName: EngineName,
  tenantId: string,
  { users, sessions }: { readonly users: number; readonly sessions: number },
) {
  const { padded, time, randomHex, rows } = engine
  const indexes = (await engine.value(definitions[engineName])).split(separator)
  const at = time(`${bulkSecond} + i`)
  await engine.run('BEGIN')
  for (const index of indexes) await engine.run(`DROP INDEX ${indexName(index)}`)
  await engine.run(`INSERT INTO sessions (tenant_id, id, user_id, token_hash, browser, os, ua, ip, expires_at, last_active_at,
      created_at, updated_at)
    SELECT '${tenantId}', 'c06' || ${padded('i', 7)} || ${randomHex}, u.id,
      ${[1, 2, 3, 4].map(() => randomHex).join(' || ')} || ${padded('i % 10000', 4)}, 'Firefox', 'Linux',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '192.0.2.1', ${time(`${expirySecond} + i`)}, ${at}, ${at}, ${at}
    FROM ${rows(sessions)} JOIN
      (SELECT id, row_number() OVER (ORDER BY created_at) - 1 AS place FROM users WHERE tenant_id = '${tenantId}') AS u
      ON u.place = i % ${users}`)
  for (const index of indexes) await engine.run(index)
  await addCounters(engine, [[tenantId, 'sessions', sessions]])
  await engine.run('COMMIT')
}
