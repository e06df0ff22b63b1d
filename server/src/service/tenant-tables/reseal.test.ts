import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { fanOutEverything, sealEverything } from '../../../test/harness/databases/event-log.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { type TestService, startTestService, testEnv } from '../../../test/harness/service.ts'
import { type World, createWorld } from '../../../test/matrix/world.ts'
import { fromMs } from '../../platform/clock.ts'
import { type MasterKey, parseMasterKey } from '../../platform/crypto/master-key.ts'
import { createPersonalSealer } from '../../platform/crypto/personal.ts'
import { createSealer } from '../../platform/crypto/sealed.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OpenDatabase } from '../../platform/db/open.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { removeOldEvents } from '../../platform/events/remove-events.ts'
import { verifyEventLog } from '../../platform/events/verify.ts'
import type { TenantId } from '../../platform/ids.ts'
import { resealEverything } from './reseal.ts'

const newKeyText = () => randomBytes(32).toString('base64')
const plainSalt = randomBytes(16).toString('base64url')

const resealing = (db: Database, keys: readonly MasterKey[]) => ({
  db,
  sealer: createSealer(keys),
  personal: createPersonalSealer(keys),
  keyId: keys[0]?.id ?? '',
})

describeOnEachEngine('sealing everything again', (open) => {
  let db: OpenDatabase
  let world: World
  let old: MasterKey
  let eventsBefore: unknown[]
  let secretsBefore: unknown

  const serviceWith = async (masterKey: string): Promise<TestService> =>
    startTestService(db, { ...testEnv, BAILIWICK_MASTER_KEY: masterKey })
  const secretsOf = async (service: TestService) => [
    await service.ok('getTenantEnv', { params: { id: world.tenantId }, query: { scope: 'secret' } }),
    await service.ok('getSocialProviderSecret', { params: { id: world.providerId } }),
  ]
  const eventsOf = async (service: TestService) => {
    const { data } = await service.ok<{ data: { id: string; type: string }[] }>('listEvents', {
      params: { tenantId: world.tenantId },
      query: { perPage: '100' },
    })
    // Reading a secret is recorded as an event too.
    const kept = data.filter(({ type }) => !type.endsWith('_revealed'))
    return kept.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  before(async () => {
    db = (await open()).database
    const oldText = newKeyText()
    old = parseMasterKey(oldText)
    const service = await serviceWith(oldText)
    world = await createWorld(service)
    const { tenantId } = world
    // The beginning of the log is sealed, too.
    await sealEverything(service.deps)
    await fanOutEverything(service.deps)
    const removal = {
      tenantId: tenantId as TenantId,
      before: fromMs(Date.now() + 1000),
      days: 30,
      findNeeded: async () => undefined,
    }
    assert.ok((await removeOldEvents(service.deps, removal)) > 0)
    // The form of salts before they named their key.
    const { id } = await createUser(service, tenantId)
    await db.write(() => [sql`UPDATE users SET personal_salt = ${plainSalt} WHERE id = ${id}`])
    await service.ok('updateUser', { params: { id }, body: { name: 'Plain Salt' } })
    const hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
    const lines = [{ email: 'brought@along.example', passwordHash: { algorithm: 'bcrypt', hash } }]
    await service.ok('importUsers', { query: { tenantId }, body: lines })
    await sealEverything(service.deps)
    eventsBefore = await eventsOf(service)
    secretsBefore = await secretsOf(service)
    assert.match(JSON.stringify(eventsBefore), /"name":"Plain Salt"/)
    await service.app.close()
  })

  it('leaves nothing that the old key opens, and everything readable with the new one alone', async () => {
    const text = newKeyText()
    const key = parseMasterKey(text)
    const { resealed, unopened } = await resealEverything(resealing(db, [key, old]))
    assert.ok(resealed > 15)
    assert.deepEqual(unopened, [])
    for (const [table, rows] of Object.entries(await dumpTables(db))) {
      const left = rows.filter(
        (row) => row.includes(`v1.${old.id}.`) || row.includes(`"${old.id}.`) || row.includes(plainSalt),
      )
      assert.deepEqual(left, [], `${table} still needs the old key`)
    }
    const service = await serviceWith(text)
    assert.deepEqual(await secretsOf(service), secretsBefore)
    assert.deepEqual(await eventsOf(service), eventsBefore)
    assert.deepEqual((await verifyEventLog(service.deps, world.tenantId as TenantId)).problems, [])
    await service.app.close()
    assert.deepEqual((await resealEverything(resealing(db, [key, old]))).resealed, 0)
    old = key
  })

  it('continues where it was interrupted, and never undoes what a node has changed meanwhile', async () => {
    const key = parseMasterKey(newKeyText())
    let hasRead = false
    let hasChanged = false
    const [channel] = await db.all<{ id: string }>(
      sql`SELECT id FROM channels WHERE tenant_id = ${world.tenantId} LIMIT 1`,
    )
    const place = `channels:${world.tenantId}:${channel?.id ?? ''}:secrets`
    const changed = createSealer([old]).seal('{"changed":true}', place)
    const cutting: Database = {
      ...resealableBy(db),
      all: async <Row extends object>(statement: Statement) => {
        const rows = await db.all<Row>(statement)
        hasRead ||= rows.some((row) => 'sealed_secrets' in row)
        return rows
      },
      transaction: async (body) => {
        if (hasChanged) throw new Error('killed')
        hasChanged = hasRead
        if (hasRead) {
          await db.write(() => [sql`UPDATE channels SET sealed_secrets = ${changed} WHERE id = ${channel?.id ?? ''}`])
        }
        return db.transaction(body)
      },
    }
    await assert.rejects(resealEverything(resealing(cutting, [key, old])), /killed/)
    assert.ok((await resealEverything(resealing(db, [key, old]))).resealed > 0)
    const row = await db.first<{ sealed_secrets: string }>(
      sql`SELECT sealed_secrets FROM channels WHERE id = ${channel?.id ?? ''}`,
    )
    assert.equal(createSealer([key]).open(row?.sealed_secrets ?? '', place), '{"changed":true}')
    old = key
  })

  it('names what no key opens, and leaves it unchanged', async () => {
    const [key, other] = [parseMasterKey(newKeyText()), parseMasterKey(newKeyText())]
    const held = await dumpTables(db)
    const { resealed, unopened } = await resealEverything(resealing(db, [key, other]))
    assert.equal(resealed, 0)
    assert.ok(unopened.includes('secret_keys.sealed') && unopened.includes('users.personal_salt'))
    assert.deepEqual(await dumpTables(db), held)
  })
})

const resealableBy = (
  db: Database,
): Pick<Database, 'engine' | 'all' | 'first' | 'write' | 'snapshot' | 'check' | 'close'> => ({
  engine: db.engine,
  all: (statement) => db.all(statement),
  first: (statement) => db.first(statement),
  write: (build) => db.write(build),
  snapshot: (read) => db.snapshot(read),
  check: () => db.check(),
  close: () => db.close(),
})
