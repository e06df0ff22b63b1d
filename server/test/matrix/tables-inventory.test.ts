// The schema of both engines: every table belongs to a tenant or is on a short list, the engines do not diverge, and what belongs to a user
// is in the exports of all data about the user.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { OwnDataExport, UserDataExport } from '@bailiwick/contract'
import type { EngineName } from '../../src/platform/db/database.ts'
import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { tableNames } from '../../src/platform/db/schema.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { tenantTables } from '../../src/service/tenant-tables/tenant-tables.ts'
import { describeOnEachEngine, engines } from '../harness/databases/databases.ts'
import { uniqueKeys } from '../harness/databases/unique-keys.ts'

/** Tables of the deployment as a whole. */
const ofNoTenant = [
  'cache_invalidations',
  'deployment',
  'recipient_quotas',
  'schema_migrations',
  'schema_requirements',
  'tenants',
]
/** What only one engine needs. */
const onlyOn: Readonly<Record<EngineName, readonly string[]>> = {
  sqlite: [],
  postgresql: ['cache_invalidations', 'events.transaction_id'],
}

const listColumns = async (db: OpenDatabase, table: string): Promise<string[]> => {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ name: string; required: number }>(
        sql`SELECT name, CASE WHEN "notnull" = 1 OR pk > 0 THEN 1 ELSE 0 END AS required FROM pragma_table_info(${table})`,
      )
    : db.all<{ name: string; required: number }>(sql`SELECT CAST(column_name AS text) AS name,
        CASE WHEN is_nullable = 'NO' THEN 1 ELSE 0 END AS required FROM information_schema.columns
        WHERE table_schema = current_schema() AND CAST(table_name AS text) = ${table}`))
  return rows.map(({ name, required }) => `${table}.${name}${required === 1 ? '' : '?'}`)
}

const shapes = new Map<EngineName, readonly string[]>()

describeOnEachEngine('the tables', (open) => {
  let db: OpenDatabase
  let engine: EngineName
  before(async () => {
    ;({ database: db, engine } = await open())
    const columns = await Promise.all((await tableNames(db)).map((table) => listColumns(db, table)))
    shapes.set(engine, columns.flat())
  })

  it('have a unique key that begins with tenant_id, except those of the deployment as a whole', async () => {
    const tables = await tableNames(db)
    assert.ok(tables.length > 20)
    for (const table of tables.filter((name) => !ofNoTenant.includes(name))) {
      const keys = await uniqueKeys(db, table)
      assert.ok(
        keys.some(([first]) => first === 'tenant_id'),
        `${table} has the unique keys ${JSON.stringify(keys)}`,
      )
      assert.ok((await listColumns(db, table)).includes(`${table}.tenant_id`), `${table}.tenant_id can be null`)
    }
  })
})

describe('the two engines', () => {
  const isAlone = engines.length < 2 && 'only one engine is tested'
  it('have the same tables and columns, with the same ones required', { skip: isAlone }, () => {
    const [sqlite, postgresql] = (['sqlite', 'postgresql'] as const).map((engine) => {
      const columns = shapes.get(engine)
      assert.ok(columns !== undefined)
      return columns
        .filter((name) => !onlyOn[engine].some((own) => name === own || name.startsWith(`${own}.`)))
        .toSorted()
    })
    assert.deepEqual(sqlite, postgresql)
  })
})

/** The property of the exports of all data about a person that shows the rows of a table. */
const exportedAs: Readonly<Record<string, keyof UserDataExport>> = {
  authenticator_codes: 'authenticators',
  connection_identities: 'connections',
  connection_sign_ins: 'connectionSignIns',
  email_addresses: 'user',
  events: 'events',
  grants: 'authorizations',
  scim_users: 'directories',
  organization_members: 'organizationMemberships',
  provider_tokens: 'socialConnections',
  passkeys: 'authenticators',
  phone_numbers: 'user',
  recovery_codes: 'authenticators',
  sessions: 'sessions',
  sign_in_attempts: 'signInAttempts',
  sign_up_attempts: 'signUpAttempts',
  social_connections: 'socialConnections',
  tenant_members: 'tenantMemberships',
  trusted_devices: 'authenticators',
  user_api_keys: 'apiKeys',
}

const expireSoon = 'They expire within a day.'
const partOfShown = 'They belong to a session or an authorization, which is exported.'

/** The reasons for which these exports leave a table out. */
const notExported: Readonly<Record<string, string>> = {
  contact_candidates: expireSoon,
  former_passwords: 'They are secrets.',
  known_devices: 'They are hashes of random tokens.',
  notice_links: 'They are hashes of random tokens, which expire within a week.',
  messages: 'They are deleted after 30 days, and may have been sent to somebody who had the account before its owner.',
  oauth_interactions: expireSoon,
  oauth_sessions: partOfShown,
  oauth_states: expireSoon,
  oauth_tokens: partOfShown,
  organizations: 'Their creators are only remembered; the members are exported.',
  password_resets: expireSoon,
  passkey_challenges: expireSoon,
  passwords: 'They are secrets.',
  sending_accounts: 'They only say whose daily quota of messages the tenants of the person use up.',
  verifications: expireSoon,
}

describe('the exports of all data about a person', () => {
  it('show the rows of every table that names a user, except those that are left out for a reason', () => {
    const naming = tenantTables.filter(({ declared }) =>
      ['user_id', 'personal_user_id', 'creator_id'].some((column) => column in declared),
    )
    assert.deepEqual(
      naming.map(({ name }) => name).toSorted(),
      [...Object.keys(exportedAs), ...Object.keys(notExported)].toSorted(),
    )
    for (const property of Object.values(exportedAs)) {
      assert.ok(property in UserDataExport.properties && property in OwnDataExport.properties, property)
    }
  })
})
