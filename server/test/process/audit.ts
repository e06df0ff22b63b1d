// Looks into the database itself for what must never be there: a change that was made in part, or an acknowledged one that is gone. It
// reads one snapshot, with the drivers and not with the product's own code.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { isOnCitus } from '../harness/databases/databases.ts'
import type { Deployment } from './service-process.ts'
import type { Promised } from './write-load.ts'

type Row = Readonly<Record<string, unknown>>
type Query = (text: string) => Promise<Row[]>

/** How many rows a new tenant has, by table, and which counter counts them. */
const bornWith = {
  auth_configurations: 1,
  secret_keys: 1,
  signing_keys: 1,
  roles: 2,
  transformations: 3,
  templates: 6,
  domains: 1,
} as const
const counted = ['users', 'email_addresses', 'phone_numbers', 'roles', 'transformations', 'templates'] as const

const eventOf = (table: string, type: string, tenantColumn: string) => `
  SELECT r.id FROM ${table} r LEFT JOIN events e ON e.tenant_id = r.${tenantColumn} AND e.subject_id = r.id AND e.type = '${type}'
  GROUP BY r.id HAVING COUNT(e.id) <> 1`

/** Each query returns a row for every violation. */
const breaches: Readonly<Record<string, string>> = {
  'a user without its one event': eventOf('users', 'user.created', 'tenant_id'),
  'a tenant without its one event': eventOf('tenants', 'tenant.created', 'id'),
  'an event without its user': `SELECT e.subject_id FROM events e LEFT JOIN users u ON u.tenant_id = e.tenant_id AND u.id = e.subject_id
    WHERE e.type = 'user.created' AND u.id IS NULL`,
  'an event without its tenant': `SELECT e.subject_id FROM events e LEFT JOIN tenants t ON t.id = e.subject_id
    WHERE e.type = 'tenant.created' AND t.id IS NULL`,
  'a user without its primary address or number': `SELECT u.id FROM users u
    LEFT JOIN email_addresses a ON a.tenant_id = u.tenant_id AND a.user_id = u.id AND a.id = u.primary_email_id
    LEFT JOIN phone_numbers p ON p.tenant_id = u.tenant_id AND p.user_id = u.id AND p.id = u.primary_phone_id
    WHERE a.id IS NULL OR p.id IS NULL`,
  ...Object.fromEntries(
    Object.entries(bornWith).map(([table, count]) => [
      `a tenant without its ${count} rows of ${table}`,
      `SELECT t.id FROM tenants t LEFT JOIN ${table} r ON r.tenant_id = t.id
        WHERE t.kind = 'tenant' GROUP BY t.id HAVING COUNT(r.tenant_id) <> ${count}`,
    ]),
  ),
  ...Object.fromEntries(
    counted.map((table) => [
      `a counter of ${table} that differs from the rows`,
      `SELECT t.id FROM tenants t WHERE (SELECT COUNT(*) FROM ${table} r WHERE r.tenant_id = t.id)
        <> COALESCE((SELECT SUM(c.value) FROM counters c WHERE c.tenant_id = t.id AND c.name = '${table}'), 0)`,
    ]),
  ),
}

/** Fails on anything incomplete, and on anything acknowledged that is missing or incomplete. */
export async function assertWholeAndKept(deployment: Deployment, promised: Promised) {
  await inOneSnapshot(deployment, async (query) => {
    for (const [what, text] of Object.entries(breaches)) {
      assert.deepEqual((await query(text)).slice(0, 5), [], `${what} (the first five)`)
    }
    const tenants = await query('SELECT id, slug FROM tenants')
    const slugs = new Map(tenants.map(({ id, slug }) => [id, slug]))
    for (const [id, { slug }] of promised.tenants) assert.equal(slugs.get(id), slug, `the tenant ${slug} is gone`)
    const users = await query(
      'SELECT u.id, u.tenant_id, a.email FROM users u JOIN email_addresses a ON a.tenant_id = u.tenant_id AND a.id = u.primary_email_id',
    )
    const found = new Map(users.map(({ id, ...rest }) => [id, rest]))
    for (const [id, { tenantId, email }] of promised.users) {
      assert.deepEqual({ ...found.get(id) }, { tenant_id: tenantId, email }, `the user ${email} is gone`)
    }
  })
}

/** Returns the query, reading the tables as a whole first: Citus does not join shards of one tenant with those of another. */
function fromCopies(text: string): string {
  const tables = [...counted, ...Object.keys(bornWith), 'tenants', 'events', 'counters']
  const named = [...new Set(tables)].filter((name) => new RegExp(`(?:FROM|JOIN) ${name}\\b`).test(text))
  return `WITH ${named.map((name) => `${name} AS MATERIALIZED (SELECT * FROM ${name})`).join(', ')} ${text}`
}

async function inOneSnapshot({ databaseUrl, dataDir }: Deployment, audit: (query: Query) => Promise<void>) {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'bailiwick.db'), { readOnly: true })
    try {
      database.exec('BEGIN')
      await audit(async (text) => database.prepare(text).all())
    } finally {
      database.close()
    }
    return
  }
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await audit(async (text) => (await client.query<Row>(isOnCitus ? fromCopies(text) : text)).rows)
  } finally {
    await client.end()
  }
}
