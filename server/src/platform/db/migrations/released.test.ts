// The migrations with which databases have been made. If one changed, existing databases would silently lack its changes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { newEmptyPostgresqlDatabase, newSqliteFile, engines } from '../../../../test/harness/databases/databases.ts'
import type { Migration, RegisteredMigration } from '../migrate.ts'
import { type DatabaseOptions, type OpenDatabase, openDatabase } from '../open.ts'
import { sql } from '../sql.ts'
import { migrations } from './index.ts'

/** The hash of each migration's statements. Only add to this list, because databases have been made with these. */
const fingerprints: Readonly<Record<string, string>> = {
  '0001-first': '4932a12e9a76d9fc',
  '0002-events': '970d52167945e72c',
  '0003-users': '9788b04e9d75f00b',
  '0004-versions-and-domains': 'e8097e04c0bdb306',
  '0005-sessions': '4b9f3b47a22dfdc1',
  '0006-channels': '8925341a93ef8166',
  '0007-api-keys': '6f1598c183eab909',
  '0008-messages': '3fc52ddebfe2f2fc',
  '0009-sign-in': 'd3ca5424759597e0',
  '0010-media': '67fc34f66a374693',
  '0011-authenticators': '90498bb45f8f941d',
  '0015-social-connections': 'fd4f4012f756d4df',
  '0016-own-contacts': '734ee97fb2995acd',
  '0017-organization-domains': 'e20bc17c8886055c',
  '0018-kept-images': '9ab2bb7fb2cec49e',
  '0019-claimed-contacts': 'c6f47139ed223b38',
  '0020-first-factor-time': '5d85c955bda18385',
  '0021-completed-tables': '91aa39a57be2d88c',
  '0022-created-tenants': 'fa377bd76d4d929b',
  '0024-send-limits': '601d9fd34edd9782',
  '0025-password-draws': '990d2cb4158d8924',
  '0026-second-factor-guesses': '4a22b504598c8d26',
  '0027-message-filters': 'a00e290a8cb805f4',
  '0028-sign-in-filters': '030058317607c920',
  '0029-other-filters': '12d9c8f3a40451ac',
  '0030-versioned-brands': '4e2e21dc028e729c',
  '0031-pictures': '4f31cd3d14980e78',
  '0033-active-organization': '2d01b40e9180e40c',
  '0040-applications': '3bf286ad08aebbf1',
  '0045-custom-providers': 'f288a1bf34aea9ca',
  '0050-organization-names': 'f1939f21c6a1b741',
  '0060-session-followers': '784a75f30a723668',
  '0073-given-up-jobs': 'bd7393453be32894',
  '0080-token-exchange': 'f284b26d4943af4d',
  '0081-rsa-signing-keys': '52413531fcd8c3f0',
  '0090-lost-runs': '12e57de325c012b2',
  '0091-recovery-code-use': 'e6ebe4861653b81e',
  '0092-assignable-roles': '0ef0785e49c13a04',
  '0099-waiting-messages': '7ca9e0b633a3ec3b',
  '0100-profile-fields': '886dcd4924c83703',
  '0110-sending-accounts': '82d96147dc5b11f6',
  '0121-application-addresses': '2df642ff1d94d0b2',
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

/** The statements that three of them lacked when the first databases were made with them. */
const addedLater: Readonly<Record<string, RegExp>> = {
  '0007-api-keys': /idempotency_keys/,
  '0017-organization-domains': /organization_(?:domains_list|invitations_address)/,
}

const asTheyBegan = migrations
  .filter(({ id }) => id < '0021')
  .map(({ id, migration }): RegisteredMigration => {
    const began = (statements: readonly string[]) =>
      statements
        .filter((statement) => addedLater[id]?.test(statement) !== true)
        .map((statement) =>
          id === '0009-sign-in' ? statement.replace(/contact_kind [^,]*, contact_id [^,]*,/, '') : statement,
        )
    return { id, migration: { sqlite: began(migration.sqlite), postgresql: began(migration.postgresql) } }
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

const differing = (one: readonly string[] = [], other: readonly string[] = []) => [
  ...one.filter((text) => !other.includes(text)),
  ...other.filter((text) => !one.includes(text)),
]

for (const engine of engines) {
  describe(`a database that was made before a migration was added to (${engine})`, () => {
    const removals: (() => Promise<void>)[] = []
    after(async () => {
      for (const remove of removals) await remove()
    })

    const migrated = async (...stages: (readonly RegisteredMigration[])[]) => {
      const { options, remove }: { options: DatabaseOptions; remove: () => Promise<void> } =
        engine === 'sqlite' ? newSqliteFile() : await newEmptyPostgresqlDatabase()
      removals.push(remove)
      const schemas: string[][] = []
      for (const stage of stages) {
        const db = await openDatabase(options, stage)
        await db.migrate()
        schemas.push(await schemaOf(db))
        await db.close()
      }
      return schemas
    }

    it('has the schema of a new one once it is migrated', async () => {
      const [made] = await migrated(migrations)
      const [before, now] = await migrated(asTheyBegan, migrations)
      assert.ok(differing(before, made).length >= 5)
      assert.deepEqual(differing(now, made), [])
    })
  })
}
