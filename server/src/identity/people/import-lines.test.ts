import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { classify } from './import-lines.ts'

describeService('a line of an import', (service) => {
  // Regression: if several imports of one file ran at once, one sometimes said that a username was taken, namely by the person of the line
  // itself.
  it('names a user who is created during the look-up, or a new one, and never gets an error', async () => {
    const { tenant } = await createTenant(service())
    const { db } = service().deps
    const input = { email: `${unique()}@example.com`, username: unique() }
    let made: Promise<{ id: string }> | undefined
    /** The person is created right after the address was looked for; later look-ups see it. */
    const meanwhile: Reader = {
      first: (statement) => db.first(statement),
      all: async (statement) => {
        if (!statement.sqliteText.includes('email_addresses')) {
          await made
          return db.all(statement)
        }
        const found = db.all(statement)
        made = found.then(() => createUser(service(), tenant.id, input))
        await made
        return found as never
      },
    }
    const wanted = { line: 1, input, role: undefined, roleEnd: null, encodedHash: undefined }
    const classifyIn = async (reader: Reader) => (await classify(reader, tenant.id as TenantId, [wanted]))[0]
    assert.equal((await classifyIn(meanwhile))?.kind, 'new')
    assert.deepEqual(await classifyIn(db), { kind: 'exists', line: 1, id: (await made)?.id })
  })
})
