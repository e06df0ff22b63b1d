// Shows that the check on which many tests rely can fail.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../src/platform/db/sql.ts'
import { describeOnEachEngine } from './databases.ts'
import { assertLeavesNothing, assertWritesNothing } from './table-dump.ts'

describeOnEachEngine('a check that nothing is written', (open) => {
  it('fails if a row is added, changed or removed, and passes if one is read or a change is rolled back', async () => {
    const { database } = await open()
    const insert = sql`INSERT INTO deployment (name, value) VALUES (${'of a test'}, ${'one'})`
    const changes = [
      insert,
      sql`UPDATE deployment SET value = ${'two'} WHERE name = ${'of a test'}`,
      sql`DELETE FROM deployment WHERE name = ${'of a test'}`,
    ]
    for (const statement of changes) {
      await assert.rejects(
        assertWritesNothing(database, () => database.write(() => [statement])),
        /something was written/,
      )
    }
    await assertWritesNothing(database, () => database.all(sql`SELECT name FROM deployment LIMIT 10`))
    await assertWritesNothing(database, async () => {
      const takenBack = database.transaction(async (tx) => {
        await tx.run(insert)
        throw new Error('taken back')
      })
      await assert.rejects(takenBack, /taken back/)
    })
  })

  it('compares rows only: an added and removed row passes, a remaining one fails', async () => {
    const { database } = await open()
    const insert = sql`INSERT INTO deployment (name, value) VALUES (${'of a test'}, ${'one'})`
    const remove = sql`DELETE FROM deployment WHERE name = ${'of a test'}`
    await assertLeavesNothing(database, async () => {
      await database.write(() => [insert])
      await database.write(() => [remove])
    })
    await assert.rejects(assertLeavesNothing(database, () => database.write(() => [insert])))
  })
})
