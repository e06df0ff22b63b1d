// Tenants, console users and members by the million, inserted by SQL according to the schema's rules: no two rows of a list have the same
// time, ids grow with time, and the counters are right.
import type { BulkEngine } from './bulk-engine.ts'

/** 2020-01-01. One row a second follows; rows that the service writes itself are newer. */
export const bulkSecond = 1_577_836_800

/** Returns the stored time of bulk row `i`. */
export const bulkTime = (i: number): string => new Date((bulkSecond + i) * 1000).toISOString().replace('Z', '000Z')

/** The prefixes of the ids of each kind: they sort before every id that the service creates from now on. */
const prefixes = { user: 'c00', email: 'c01', member: 'c02', tenant: 'c03', event: 'c04' } as const

/** A source of rows with a number and fifteen random characters; without MATERIALIZED, SQLite computes them again at each mention. */
const numbered = ({ randomHex, rows }: BulkEngine, count: number) =>
  `WITH numbered AS MATERIALIZED (SELECT i, ${randomHex} AS random_part FROM ${rows(count)})`

/** A third of the users have the role, and one in fifty is suspended. The first `eventCount` have an event. */
async function insertUsers(
  engine: BulkEngine,
  consoleTenantId: string,
  roleId: string,
  count: number,
  eventCount = count,
) {
  const { padded, time } = engine
  const at = time(`${bulkSecond} + i`)
  // A hundred users, spread evenly, are of one company.
  const domainIf = (isOfCompany: string) => `CASE WHEN ${isOfCompany} THEN 'contoso' ELSE 'people' END || '.example'`
  const every = Math.ceil(count / 100)
  const domain = domainIf(`CAST(substr(id, 4, 7) AS INTEGER) % ${every} = 0`)
  const newDomain = domainIf(`i % ${every} = 0`)
  await engine.run(`INSERT INTO users (tenant_id, id, name, name_key, last_word_key, role_id, status, primary_email_id,
      public_meta, private_meta, personal_salt, created_at, updated_at, search_terms)
    ${numbered(engine, count)}
    SELECT '${consoleTenantId}', '${prefixes.user}' || ${padded('i', 7)} || random_part, 'Person ' || i,
      'person ' || i, CAST(i AS TEXT), CASE WHEN i % 3 = 0 THEN '${roleId}' END,
      CASE WHEN i % 50 = 0 THEN 'suspended' ELSE 'active' END,
      '${prefixes.email}' || ${padded('i', 7)} || random_part, '{}', '{}', random_part || '0123456', ${at}, ${at},
      '\n@' || ${newDomain} || '\n\nperson\n' || i || '\n' || random_part || '@' || ${newDomain} || '\n' || ${newDomain}
    FROM numbered`)
  // Addresses are in random order, so that insertions reach all parts of their index, as in real use.
  await engine.run(`INSERT INTO email_addresses (tenant_id, id, user_id, email, email_key, verified_at, created_at, updated_at)
    SELECT tenant_id, primary_email_id, id, substr(id, 11) || '@' || ${domain}, substr(id, 11) || '@' || ${domain},
      created_at, created_at, created_at
    FROM users WHERE tenant_id = '${consoleTenantId}'`)
  await engine.run(`INSERT INTO user_terms (tenant_id, term, created_at)
    SELECT tenant_id, '@' || ${domain}, created_at FROM users WHERE tenant_id = '${consoleTenantId}'`)
  await engine.run(`INSERT INTO events (tenant_id, id, type, actor_type, subject_type, subject_id, data, personal, created_at)
    SELECT tenant_id, '${prefixes.event}' || substr(id, 4), 'user.created', 'system', 'user', id, '{"roleId":null,"hasPassword":false}',
      ${Array.from({ length: 8 }, () => `substr(id, 5)`).join(' || ')}, created_at
    FROM users WHERE tenant_id = '${consoleTenantId}' ORDER BY created_at LIMIT ${eventCount}`)
}

const countersOfUsers = (tenantId: string, roleId: string, count: number) =>
  [
    [tenantId, 'users', count],
    [tenantId, 'email_addresses', count],
    [tenantId, 'users:suspended', Math.ceil(count / 50)],
    [tenantId, `role_users:${roleId}`, Math.ceil(count / 3)],
    [tenantId, `role_users:${roleId}:suspended`, Math.ceil(count / 150)],
  ] as const

/** Users of one tenant, events and organizations, as the console lists them. */
export async function insertContents(
  engine: BulkEngine,
  tenantId: string,
  { users, events, organizations }: Readonly<Record<'users' | 'events' | 'organizations', number>>,
) {
  const at = engine.time(`${bulkSecond} + i`)
  await engine.run('BEGIN')
  const roleId = await findRole(engine, tenantId)
  await insertUsers(engine, tenantId, roleId, users, events)
  await engine.run(`INSERT INTO organizations (tenant_id, id, name, slug, slug_key, public_meta, private_meta, created_at, updated_at)
    ${numbered(engine, organizations)}
    SELECT '${tenantId}', 'c05' || ${engine.padded('i', 7)} || random_part, 'Company ' || i, 'company-' || i,
      'company-' || i, '{}', '{}', ${at}, ${at} FROM numbered`)
  await addCounters(engine, [...countersOfUsers(tenantId, roleId, users), [tenantId, 'organizations', organizations]])
  await engine.run('COMMIT')
}

async function insertMembers(engine: BulkEngine, tenantId: string, consoleTenantId: string) {
  await engine.run(`INSERT INTO tenant_members (tenant_id, id, user_tenant_id, user_id, role_view_users, created_at, updated_at)
    SELECT '${tenantId}', '${prefixes.member}' || substr(id, 4), tenant_id, id, 1, created_at, created_at
    FROM users WHERE tenant_id = '${consoleTenantId}'`)
}

export async function addCounters(
  engine: BulkEngine,
  rows: readonly (readonly [tenantId: string, name: string, value: number])[],
) {
  const values = rows.map(([tenantId, name, value]) => `('${tenantId}', '${name}', 0, ${value})`).join(', ')
  await engine.run(`INSERT INTO counters (tenant_id, name, shard, value) VALUES ${values}
    ON CONFLICT (tenant_id, name, shard) DO UPDATE SET value = counters.value + excluded.value`)
}

/** The role that bulk users have. */
export const findRole = (engine: BulkEngine, tenantId: string): Promise<string> =>
  engine.value(`SELECT MIN(id) FROM roles WHERE tenant_id = '${tenantId}'`)

/** Inserts further console users, all of them members of the tenant. */
export async function insertMembersAndUsers(
  engine: BulkEngine,
  tenantId: string,
  consoleTenantId: string,
  count: number,
) {
  await engine.run('BEGIN')
  const roleId = await findRole(engine, consoleTenantId)
  await insertUsers(engine, consoleTenantId, roleId, count)
  await insertMembers(engine, tenantId, consoleTenantId)
  await addCounters(engine, [...countersOfUsers(consoleTenantId, roleId, count), [tenantId, 'members', count]])
  await engine.run('COMMIT')
}

/** The rows of each further tenant, copied from the first one except for what must differ. */
const ownRows = [
  'auth_configurations',
  'roles',
  'transformations',
  'templates',
  'signing_keys',
  'secret_keys',
  'counters',
  'events',
] as const

/** Inserts further tenants, each as complete as one that the service creates. */
export async function insertTenants(engine: BulkEngine, likeTenantId: string, count: number) {
  if (count === 0) return
  const { padded, time } = engine
  const at = time(`${bulkSecond} + i`)
  const replaced: Readonly<Record<string, string>> = {
    id: `'${prefixes.tenant}' || ${padded('made.i', 7)} || made.random_part`,
    name: "'Tenant ' || made.i",
    name_key: "'tenant ' || made.i",
    slug: "'tenant-' || made.i",
    slug_key: "'tenant-' || made.i",
    public_key: "'pk_live_' || made.random_part || made.i",
    created_at: at,
    updated_at: at,
  }
  await engine.run('BEGIN')
  const columns = await engine.columnsOf('tenants')
  await engine.run(`INSERT INTO tenants (${columns.join(', ')})
    ${numbered(engine, count)}
    SELECT ${columns.map((name) => replaced[name] ?? `first.${name}`).join(', ')} FROM tenants AS first, numbered AS made
    WHERE first.id = '${likeTenantId}'`)
  for (const table of ownRows) await copyOwnRows(engine, table, likeTenantId)
  await engine.run('COMMIT')
}

async function copyOwnRows(engine: BulkEngine, table: string, likeTenantId: string) {
  const replaced: Readonly<Record<string, string>> = {
    tenant_id: 'made.id',
    id: "'c' || substr(first.id, 17, 9) || substr(made.id, 11, 15)",
    // Nobody knows the key that belongs to such a hash.
    hash: [1, 2, 3, 4].map(() => engine.randomHex).join(' || '),
    subject_id: 'made.id',
  }
  const generated = new Set(['position', 'transaction_id'])
  const columns = (await engine.columnsOf(table)).filter((name) => !generated.has(name))
  await engine.run(`INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${columns.map((name) => replaced[name] ?? `first.${name}`).join(', ')} FROM ${table} AS first, tenants AS made
    WHERE first.tenant_id = '${likeTenantId}' AND made.id LIKE '${prefixes.tenant}%'`)
}
