// Suites rely on a database that looks as if nobody had used it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { newPostgresqlDatabase } from './databases.ts'

const longText = 10 * 1024 * 1024

/** Uses a database by these statements as a suite does, and says what the next suite gets. */
async function nextAfter(statements: readonly string[], { isLeftOpen = false } = {}) {
  const used = await connected()
  for (const statement of statements) await used.client.query(statement)
  if (!isLeftOpen) await used.client.end()
  used.client.on('error', () => undefined)
  await used.remove()
  const next = await connected()
  try {
    return { isReused: next.oid === used.oid, isRenamed: next.url !== used.url, ...(await stateOf(next.client)) }
  } finally {
    await next.client.end()
    await next.remove()
  }
}

async function connected() {
  const { options, remove } = await newPostgresqlDatabase()
  const client = new Client(options.directUrl ?? options.url)
  await client.connect()
  const { rows } = await client.query<{ oid: number }>('SELECT oid FROM pg_database WHERE datname = current_database()')
  return { url: options.directUrl ?? options.url, client, oid: rows[0]?.oid, remove }
}

const stateQuery = `SELECT (SELECT count(*)::int FROM deployment) AS settings, (SELECT count(*)::int FROM tenants) AS tenants,
  (SELECT count(*) > 0 FROM schema_migrations) AS "isMigrated", nextval('events_position_seq')::int AS position`

async function stateOf(client: Client) {
  const { rows } = await client.query<Record<string, unknown>>(stateQuery)
  return rows[0]
}

const writeSetting = `INSERT INTO deployment (name, value) VALUES ('of a test', 'one')`
const likeNew = { isRenamed: true, settings: 0, tenants: 0, isMigrated: true, position: 1 }

describe('the database that a suite gets after another', () => {
  it('is the same one without its rows, its sequences restarted, under another name', async () => {
    const next = await nextAfter([writeSetting, `SELECT nextval('events_position_seq')`])
    assert.deepEqual(next, { isReused: true, ...likeNew })
  })

  const unusable: Readonly<Record<string, readonly string[]>> = {
    'whose schema was changed': ['ALTER TABLE deployment ADD COLUMN note TEXT'],
    'that has got a trigger': [
      'CREATE TRIGGER quiet BEFORE UPDATE ON cache_invalidations FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    'whose list of migrations was changed': [`INSERT INTO schema_migrations VALUES ('9999-later', '')`],
    'whose tables were analysed': [writeSetting, 'ANALYZE deployment'],
    'in which much was written': [
      `INSERT INTO deployment SELECT 'text', string_agg(md5(n::text), '') FROM generate_series(1, ${longText / 32}) n`,
    ],
  }
  for (const [title, statements] of Object.entries(unusable)) {
    it(`is a new one after one ${title}`, async () => {
      assert.deepEqual(await nextAfter(statements), { isReused: false, ...likeNew })
    })
  }

  it('is a new one after one to which somebody is still connected', async () => {
    assert.deepEqual(await nextAfter([writeSetting], { isLeftOpen: true }), { isReused: false, ...likeNew })
  })
})
