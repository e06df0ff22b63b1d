// Sessions and events by the million.
import type { BulkEngine } from './bulk-engine.ts'
import { withoutIndexes } from './bulk-indexes.ts'
import { addCounters, bulkSecond } from './bulk-rows.ts'
import type { EngineName } from './store.ts'

/** 2033: none of them expires while it is measured. */
const expirySecond = 2_000_000_000

/** As many rows as said, each with the next of the tenant's users as `u`. */
const fromUsersInTurn = ({ rows }: BulkEngine, tenantId: string, users: number, count: number) =>
  `FROM ${rows(count)} JOIN
      (SELECT id, name, row_number() OVER (ORDER BY created_at) - 1 AS place FROM users WHERE tenant_id = '${tenantId}') AS u
      ON u.place = i % ${users}`

/** Inserts live sessions of the tenant's users, whose number is given: each has as many as any other. */
export async function insertSessions(
  engine: BulkEngine,
  engineName: EngineName,
  tenantId: string,
  { users, sessions }: { readonly users: number; readonly sessions: number },
) {
  const { padded, time, randomHex } = engine
  const at = time(`${bulkSecond} + i`)
  await withoutIndexes(engine, engineName, 'sessions', async () => {
    await engine.run(`INSERT INTO sessions (tenant_id, id, user_id, token_hash, browser, os, ua, ip, expires_at, last_active_at,
      created_at, updated_at)
    SELECT '${tenantId}', 'c06' || ${padded('i', 7)} || ${randomHex}, u.id,
      ${[1, 2, 3, 4].map(() => randomHex).join(' || ')} || ${padded('i % 10000', 4)}, 'Firefox', 'Linux',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '192.0.2.1', ${time(`${expirySecond} + i`)}, ${at}, ${at}, ${at}
    ${fromUsersInTurn(engine, tenantId, users, sessions)}`)
    await addCounters(engine, [[tenantId, 'sessions', sessions]])
  })
}

/** Inserts sealed events about the tenant's users, as those of sign-ins are: with an address, a browser and what they say of a person. */
export async function insertEvents(
  engine: BulkEngine,
  engineName: EngineName,
  tenantId: string,
  { users, events }: { readonly users: number; readonly events: number },
) {
  const { padded, time, randomHex } = engine
  const hex = (parts: number) => Array.from({ length: parts }, () => randomHex).join(' || ')
  // After those of the bulk users; no two of one tenant have the same time.
  const at = time(`${bulkSecond} + 100000000 + i`)
  await withoutIndexes(engine, engineName, 'events', () =>
    engine.run(`INSERT INTO events (tenant_id, id, type, actor_type, actor_id, subject_type, subject_id, data, personal, ip, ua, created_at)
    SELECT '${tenantId}', 'c07' || ${padded('i', 8)} || substr(${randomHex}, 1, 14), 'sign_in_attempt.completed', 'user', u.id, 'user', u.id,
      '{"strategy":"email_password","sessionId":"0123456789abcdef012345678"}', ${hex(8)}, '192.0.2.1',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', ${at}
    ${fromUsersInTurn(engine, tenantId, users, events)}`),
  )
  await withoutIndexes(engine, engineName, 'event_seals', () =>
    engine.run(`INSERT INTO event_seals (tenant_id, sequence, event_position, event_id, hash)
    SELECT tenant_id, 1000000000 + position, position, id, ${hex(4)} || '0123' FROM events
    WHERE tenant_id = '${tenantId}' AND id LIKE 'c07%'`),
  )
}

/** Inserts attempts to sign in with a password that led to a session. */
export async function insertAttempts(
  engine: BulkEngine,
  engineName: EngineName,
  tenantId: string,
  { users, attempts }: { readonly users: number; readonly attempts: number },
) {
  const { padded, time, randomHex } = engine
  const at = time(`${bulkSecond} + i`)
  await withoutIndexes(engine, engineName, 'sign_in_attempts', () =>
    engine.run(`INSERT INTO sign_in_attempts (tenant_id, id, user_id, identifier, status, strategy, supported_first_factors,
      supported_second_factors, flow_hash, first_factor, first_factor_at, expires_at, created_at, updated_at)
    SELECT '${tenantId}', 'c08' || ${padded('i', 8)} || substr(${randomHex}, 1, 14), u.id, u.name || '@people.example', 'complete', 'email_password',
      '["email_password","email_code"]', '[]', ${[1, 2, 3, 4].map(() => randomHex).join(' || ')} || '0123', 'email_password', ${at}, ${at}, ${at}, ${at}
    ${fromUsersInTurn(engine, tenantId, users, attempts)}`),
  )
}
