import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { isOnCitus } from '../../../test/harness/databases/databases.ts'
import { sealEverything } from '../../../test/harness/databases/event-log.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { type Statement, sql } from '../db/sql.ts'
import { type TenantId, newId } from '../ids.ts'
import { chainStart, sealHash } from './chain.ts'
import { eventColumns } from './feed.ts'
import * as queries from './seal-queries.ts'
import { type EventLogProblem, verifyEventLog } from './verify.ts'

describeService('the sealed event log', (service) => {
  let tenant: Tenant
  let tenantId: TenantId

  const run = (statement: Statement) => service().deps.db.transaction((tx) => tx.run(statement))
  const verify = () => verifyEventLog(service().deps, tenantId)
  const kinds = (problems: readonly EventLogProblem[]) => problems.map(({ kind, sequence }) => [kind, sequence])
  const positionOf = async (sequence: number) => {
    const [seal] = await queries.selectSeals(service().deps.db, tenantId, sequence - 1, 1)
    return seal?.event_position ?? 0
  }

  before(async () => {
    // A separate tenant, with events of another tenant in between, which belong to another chain.
    ;({ tenant } = await createTenant(service()))
    tenantId = tenant.id as TenantId
    const { tenant: other } = await createTenant(service())
    for (let index = 0; index < 6; index++) {
      await createUser(service(), tenantId)
      await createUser(service(), other.id)
    }
    await sealEverything(service().deps)
  })

  it('is found intact as long as it is not changed, even when more is sealed in several steps', async () => {
    assert.deepEqual(await verify(), { sealed: 7, removed: 0, problems: [] })
    await createUser(service(), tenantId)
    assert.deepEqual(await verify(), { sealed: 7, removed: 0, problems: [] }, 'what is not sealed yet is no problem')
    await sealEverything(service().deps)
    await sealEverything(service().deps)
    assert.deepEqual(await verify(), { sealed: 8, removed: 0, problems: [] })
  })

  it('is sealed once by nodes that seal at the same time', async () => {
    for (let index = 0; index < 5; index++) await createUser(service(), tenantId)
    await Promise.all([1, 2, 3, 4].map(() => sealEverything(service().deps)))
    await sealEverything(service().deps)
    assert.deepEqual(await verify(), { sealed: 13, removed: 0, problems: [] })
  })

  it('detects each changed field of an event', async () => {
    const position = await positionOf(3)
    const columns = [
      'id',
      'type',
      'actor_type',
      'actor_id',
      'subject_type',
      'subject_id',
      'data',
      'personal',
      'ip',
      'ua',
    ]
    for (const name of [...columns, 'personal_user_id', 'created_at']) {
      const column = sql.identifier(name)
      const value = await service().deps.db.first<{ value: string | null }>(
        sql`SELECT ${column} AS value FROM events WHERE position = ${position}`,
      )
      await run(sql`UPDATE events SET ${column} = ${name === 'created_at' ? '2020-01-01T00:00:00.000000Z' : 'forged'}
        WHERE position = ${position}`)
      assert.deepEqual(kinds((await verify()).problems), [['changed', 3]], name)
      await run(sql`UPDATE events SET ${column} = ${value?.value ?? null} WHERE position = ${position}`)
    }
    assert.deepEqual((await verify()).problems, [])
  })

  const cannotMove = isOnCitus && 'Citus refuses to change the tenant of a row'
  it('detects an event that was moved to another tenant', { skip: cannotMove }, async () => {
    const position = await positionOf(2)
    await run(sql`UPDATE events SET tenant_id = 'celsewhere00' WHERE position = ${position}`)
    assert.deepEqual(kinds((await verify()).problems), [['removed', 2]])
    await run(sql`UPDATE events SET tenant_id = ${tenantId} WHERE position = ${position}`)
    assert.deepEqual((await verify()).problems, [])
  })

  it('detects an event that was removed', async () => {
    const { tenant: robbed } = await createTenant(service())
    await createUser(service(), robbed.id)
    await sealEverything(service().deps)
    const verifyRobbed = () => verifyEventLog(service().deps, robbed.id as TenantId)
    assert.deepEqual((await verifyRobbed()).problems, [])
    const [, second] = await queries.selectSeals(service().deps.db, robbed.id as TenantId, 0, 2)
    await run(sql`DELETE FROM events WHERE position = ${second?.event_position ?? 0}`)
    assert.deepEqual(kinds((await verifyRobbed()).problems), [['removed', 2]])
  })

  it('detects two swapped events', async () => {
    const [one, other] = [await positionOf(4), await positionOf(5)]
    const swap = (from: number, to: number) =>
      sql`UPDATE event_seals SET event_position = ${to} WHERE tenant_id = ${tenantId} AND event_position = ${from}`
    for (const [from, to] of [
      [one, -1],
      [other, one],
      [-1, other],
    ] as const) {
      await run(swap(from, to))
    }
    assert.deepEqual(kinds((await verify()).problems), [
      ['changed', 4],
      ['changed', 5],
    ])
    for (const [from, to] of [
      [one, -1],
      [other, one],
      [-1, other],
    ] as const) {
      await run(swap(from, to))
    }
    assert.deepEqual((await verify()).problems, [])
  })

  it('detects an event that was inserted behind the sealer', async () => {
    const { db } = service().deps
    const first = await positionOf(1)
    const id = newId()
    const place =
      db.engine === 'sqlite'
        ? undefined
        : await db.first<{ transaction: string }>(
            sql`SELECT CAST(transaction_id AS text) AS transaction FROM events WHERE position = ${first}`,
          )
    const values = sql`${tenantId}, ${id}, 'user.created', 'operator', 'user', ${newId()}, '{}',
      '2020-01-01T00:00:00.000001Z'`
    await run(
      place === undefined
        ? sql`INSERT INTO events (position, tenant_id, id, type, actor_type, subject_type, subject_id, data, created_at)
            VALUES (-5, ${values})`
        : sql`INSERT INTO events
            (position, transaction_id, tenant_id, id, type, actor_type, subject_type, subject_id, data, created_at)
            OVERRIDING SYSTEM VALUE
            VALUES (-5, CAST(CAST(${place.transaction} AS text) AS xid8), ${values})`,
    )
    assert.deepEqual((await verify()).problems, [{ kind: 'inserted', sequence: null, eventId: id }])
    await run(sql`DELETE FROM events WHERE position = -5`)
  })

  it('detects a missing seal', async () => {
    await run(sql`UPDATE event_seals SET sequence = 1000 WHERE tenant_id = ${tenantId} AND sequence = 6`)
    const { problems } = await verify()
    assert.ok(problems.some(({ kind, sequence }) => kind === 'seal_missing' && sequence === 6))
    await run(sql`UPDATE event_seals SET sequence = 6 WHERE tenant_id = ${tenantId} AND sequence = 1000`)
    assert.deepEqual((await verify()).problems, [])
  })

  it('detects a completely forged chain by its checkpoint', async () => {
    const { db } = service().deps
    const position = await positionOf(5)
    await run(sql`UPDATE events SET data = '{"roleId":"forged"}' WHERE position = ${position}`)
    const seals = await queries.selectSeals(db, tenantId, 0, 100)
    let hash = chainStart
    for (const seal of seals) {
      const [event] = await queries.selectEventsAt(db, [seal.event_position])
      assert.ok(event !== undefined)
      hash = sealHash(hash, seal.sequence, event)
      await run(
        sql`UPDATE event_seals SET hash = ${hash} WHERE tenant_id = ${tenantId} AND sequence = ${seal.sequence}`,
      )
    }
    assert.deepEqual(kinds((await verify()).problems), [['checkpoint', seals.length]])
    await run(sql`UPDATE event_checkpoints SET hash = ${hash} WHERE tenant_id = ${tenantId}`)
    assert.deepEqual(kinds((await verify()).problems), [['checkpoint', seals.length]], 'the signature is of another')
    await run(sql`UPDATE event_checkpoints SET signature = '' WHERE tenant_id = ${tenantId}`)
    assert.deepEqual(kinds((await verify()).problems), [['checkpoint', seals.length]], 'no signature is none')
    await run(sql`DELETE FROM event_checkpoints WHERE tenant_id = ${tenantId}`)
    assert.deepEqual(kinds((await verify()).problems), [['checkpoint', seals.length]])
  })
})

describeService('a cut of the event log', (service) => {
  it('at its end is detected by the checkpoint or, if that is cut too, by the remaining events', async () => {
    const { tenant } = await createTenant(service())
    const tenantId = tenant.id as TenantId
    for (let index = 0; index < 3; index++) await createUser(service(), tenantId)
    const { deps } = service()
    await sealEverything(deps)
    const run = (statement: Statement) => deps.db.transaction((tx) => tx.run(statement))
    const [, , , last] = await queries.selectSeals(deps.db, tenantId, 0, 10)
    await run(sql`DELETE FROM event_seals WHERE tenant_id = ${tenantId} AND sequence = 4`)
    await run(sql`DELETE FROM events WHERE position = ${last?.event_position ?? 0}`)
    const cut = await verifyEventLog(deps, tenantId)
    assert.deepEqual(
      cut.problems.map(({ kind }) => kind),
      ['checkpoint'],
    )
    await run(sql`DELETE FROM event_seals WHERE tenant_id = ${tenantId}`)
    await run(sql`DELETE FROM event_checkpoints WHERE tenant_id = ${tenantId}`)
    const bare = await verifyEventLog(deps, tenantId)
    assert.deepEqual(
      bare.problems.map(({ kind }) => kind),
      ['inserted', 'inserted', 'inserted'],
    )
  })

  it('leaves the chain intact after a person was erased, because the sealed data stays unchanged', async () => {
    const { tenant } = await createTenant(service())
    const tenantId = tenant.id as TenantId
    const user = await createUser(service(), tenantId, { name: 'Ada' })
    const { deps } = service()
    await sealEverything(deps)
    await deps.db.transaction((tx) => tx.run(sql`DELETE FROM users WHERE tenant_id = ${tenantId} AND id = ${user.id}`))
    assert.deepEqual(await verifyEventLog(deps, tenantId), { sealed: 2, removed: 0, problems: [] })
    const row = await deps.db.first(sql`SELECT ${eventColumns} FROM events WHERE subject_id = ${user.id}`)
    assert.ok(!JSON.stringify(row).includes('Ada'))
  })
})
