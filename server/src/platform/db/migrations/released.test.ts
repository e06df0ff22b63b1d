// The migrations with which databases have been made. If one changed, existing databases would silently lack its changes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { newEmptyPostgresqlDatabase, newSqliteFile, engines } from '../../../../test/harness/databases/databases.ts'
import { type Migration, SchemaNewerThanCode } from '../migrate.ts'
import { type DatabaseOptions, type OpenDatabase, openDatabase } from '../open.ts'
import { sql } from '../sql.ts'
import { migrations } from './index.ts'

/** The hash of each migration's statements. Only add to this list, because databases have been made with these. */
const fingerprints: Readonly<Record<string, string>> = {
  '0001-version-0-1-0': 'd1fbc630cb5090a2',
  '0080-token-exchange': 'f284b26d4943af4d',
  '0081-rsa-signing-keys': '52413531fcd8c3f0',
  '0090-lost-runs': '12e57de325c012b2',
  '0091-recovery-code-use': 'e6ebe4861653b81e',
  '0092-assignable-roles': '0ef0785e49c13a04',
  '0099-waiting-messages': '7ca9e0b633a3ec3b',
  '0100-profile-fields': '886dcd4924c83703',
  '0110-sending-accounts': '82d96147dc5b11f6',
  '0120-import-jobs': '67db1dae4e65b737',
  '0121-application-addresses': '2df642ff1d94d0b2',
  '0130-connections': '92be4d3c99da2c16',
  '0131-live-connections': '665b44537e6d0d28',
  '0132-connection-tests': '4e7a4366f00c9131',
  '0140-scim': 'ce556fda199cfc7e',
  '0150-saml': '83d1eae691ba83c8',
  '0160-factor-rules': '9805fcc6478eaaab',
  '0161-session-proofs': '6eca103aa48f2dca',
  '0162-organization-security': 'c8a8dca16fc80c20',
  '0163-trusted-devices': '5d182cbdd4afc194',
  '0164-reset-passwords': '11963e3023b20ab6',
  '0170-setup-links': '6b2955790a629b09',
  '0190-organization-groups': 'e8467b10404ea51f',
  '0210-notice-links': 'a52314bcaa146b45',
  '0220-spent-challenges': '90edb2b23a4d0afe',
  '0221-former-passwords': '2da25ea305f1af97',
  '0230-claims': 'a50d9312d25800a3',
  '0240-hooks': '81200e3823e55f98',
  '0250-user-api-keys': 'f8738ce1ecfcc3b6',
  '0260-sign-in-failures': '3bd571b75acd86e8',
  '0261-acts-of-administrators': 'b3d56ef72cc1f7cc',
  '0280-single-logout': 'cc4717dbfaf18a6f',
  '0290-id-jag': 'dc5edfb9377194c2',
  '0300-passkey-providers': '057bf82ec0758c9c',
  '0320-attributes': '1ef2e8de0e84755b',
  '0330-hook-answers': '3471eb0fab9d3e43',
  '0340-timed-memberships': 'c6ac4c9051eb3147',
  '0350-test-mode': 'eaf18e1adec5bca0',
  '0355-provider-tokens': '3c5943a7054f2134',
  '0356-hook-relays': 'a155c79e015e252c',
  '0360-organization-roles': '3b73fdf0a2117296',
  '0365-anonymous-users': '20994c80ab630dca',
  '0366-waitlist': '90202b341d6a4f1f',
  '0367-challenge-providers': '445d94a77ecbe13c',
  '0375-search-terms': '26b164f947a1fc82',
  '0405-timed-roles': 'c46e98e851dce9bf',
  '0406-clocks-ahead': '74bf82943ebd2122',
  '0435-connection-sign-ins': '51f8574a0a926277',
  '0436-attribute-mappings': '925bcbbda92100f5',
  '0437-rights-of-invitations': '3dcaa6a86a02f8c1',
  '0450-event-anchors': 'a3c4370fe7628637',
  '0451-invitation-ends': 'a5374296036312cc',
}

const fingerprint = ({ sqlite, postgresql }: Migration) =>
  createHash('sha256')
    .update(JSON.stringify([sqlite, postgresql]))
    .digest('hex')
    .slice(0, 16)

describe('a migration that has made databases', () => {
  it('never changes again', () => {
    assert.deepEqual(
      Object.fromEntries(migrations.map(({ id, migration }) => [id, fingerprint(migration)])),
      fingerprints,
    )
  })
})

/** Reads tables, columns and indexes, as far as a statement can tell them apart. */
async function schemaOf(db: OpenDatabase): Promise<string[]> {
  const rows = await (db.engine === 'sqlite'
    ? db.all<{ text: string }>(sql`SELECT m.name || ' ' || COALESCE(m.sql, '') || (SELECT COALESCE(group_concat(
          c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || COALESCE(c.dflt_value, '')), '')
          FROM pragma_table_info(m.name) AS c) AS text
        FROM sqlite_schema AS m WHERE m.name NOT LIKE 'sqlite%' LIMIT 10000`)
    : db.all<{
        text: string
      }>(sql`SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default,
          collation_name) AS text FROM information_schema.columns WHERE table_schema = current_schema()
        UNION ALL SELECT CAST(indexdef AS text) FROM pg_indexes WHERE schemaname = current_schema()
        UNION ALL SELECT concat_ws(' ', CAST(conrelid AS regclass), conname, pg_get_constraintdef(oid))
          FROM pg_constraint WHERE connamespace = CAST(current_schema() AS regnamespace) LIMIT 10000`))
  return rows.map(({ text }) => text.replaceAll(/\s+/g, ' ')).toSorted()
}

const [version010 = assert.fail()] = migrations
const steps = version010.replaces ?? []

for (const engine of engines) {
  describe(`a database of version 0.1.0 (${engine})`, () => {
    const removals: (() => Promise<void>)[] = []
    after(async () => {
      for (const remove of removals) await remove()
    })

    const emptyDatabase = async (): Promise<DatabaseOptions> => {
      const { options, remove } = engine === 'sqlite' ? newSqliteFile() : await newEmptyPostgresqlDatabase()
      removals.push(remove)
      return options
    }

    /** A database with the schema of 0.1.0, which records those steps as applied. */
    async function databaseWith(recorded: readonly string[]): Promise<DatabaseOptions> {
      const options = await emptyDatabase()
      const db = await openDatabase(options, [version010])
      await db.migrate()
      await db.write(() => [
        sql`DELETE FROM schema_migrations`,
        sql`DELETE FROM schema_requirements`,
        ...recorded.flatMap((id) => [
          sql`INSERT INTO schema_migrations (id, applied_at) VALUES (${id}, '')`,
          sql`INSERT INTO schema_requirements (migration_id, required_id) VALUES (${id}, '')`,
        ]),
        sql`INSERT INTO deployment (name, value) VALUES ('kept', 'yes')`,
      ])
      await db.close()
      return options
    }

    it('is migrated to the schema of a new one, and keeps its rows', async () => {
      const [old, made] = [await openDatabase(await databaseWith(steps)), await openDatabase(await emptyDatabase())]
      try {
        const all = migrations.map(({ id }) => id)
        assert.deepEqual([await old.migrate(), await made.migrate()], [all, all])
        assert.deepEqual(await schemaOf(old), await schemaOf(made))
        assert.equal((await old.all(sql`SELECT value FROM deployment WHERE name = 'kept'`)).length, 1)
        assert.deepEqual(await old.migrate(), [])
      } finally {
        await old.close()
        await made.close()
      }
    })

    it('serves nodes of version 0.1.0 after it was migrated, and one that a later version made does not', async () => {
      const nodeOf010 = (options: DatabaseOptions) =>
        openDatabase(
          options,
          steps.map((id) => ({ id, migration: { sqlite: ['not SQL'], postgresql: ['not SQL'] } })),
        )
      const [options, made] = [await databaseWith(steps), await emptyDatabase()]
      for (const each of [options, made]) {
        const db = await openDatabase(each)
        await db.migrate()
        await db.close()
      }
      const [node, other] = [await nodeOf010(options), await nodeOf010(made)]
      try {
        await node.check()
        assert.deepEqual(await node.migrate(), [])
        await assert.rejects(other.migrate(), SchemaNewerThanCode)
      } finally {
        await node.close()
        await other.close()
      }
    })

    it('is refused if it lacks a step of 0.1.0, and says which', async () => {
      const db = await openDatabase(await databaseWith(steps.slice(0, -1)))
      await assert.rejects(
        db.migrate(),
        /of a version before 0\.1\.0, which lacks 0073-given-up-jobs: start version 0\.1\.0/,
      )
      await db.close()
    })
  })
}
