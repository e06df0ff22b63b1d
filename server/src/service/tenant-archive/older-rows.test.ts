// Archives of earlier versions lack columns of today: what migrations have derived for the rows here must be derived for theirs too.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engines } from '../../../test/harness/databases/databases.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { exported, newService, passphrase } from '../../../test/harness/files/archives.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { migrations } from '../../platform/db/migrations/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { importTenant } from './import-tenant.ts'
import { retold } from './older-rows.ts'
import { type Archive, openArchive } from './read-archive.ts'

/** What archives of version 0.1.0 name, the last of the steps that made its schema. */
const schemaOfVersion010 = '0073-given-up-jobs'
/** Migrations that change only rows that no archive contains. */
const ofNothingExported: readonly string[] = []
const settings = { emailVerificationRequired: false, phoneVerificationRequired: false }

type Rewriting = (lines: ReturnType<Archive['lines']>) => ReturnType<Archive['lines']>

async function importedFromVersion010(target: TestService, path: string, rewritten: Rewriting) {
  const archive = await openArchive(path, async () => passphrase)
  try {
    const header = { ...archive.header, schema: schemaOfVersion010 }
    return await importTenant(target.deps, { ...archive, header, lines: () => rewritten(archive.lines()) })
  } finally {
    await archive.close()
  }
}

/** The same archive without the numbers by which passwords are drawn. */
async function* withoutDraws(lines: ReturnType<Archive['lines']>): ReturnType<Archive['lines']> {
  for await (const line of lines) {
    if (line.kind === 'row' && line.table === 'passwords') {
      const { draw: _later, ...row } = line.row
      yield { ...line, row }
    } else yield line
  }
}

for (const engine of engines) {
  describe(`an archive of version 0.1.0, imported on ${engine}`, () => {
    it('gives each password a number of its own, so that none is more likely to be drawn than another', async () => {
      const source = await newService('sqlite')
      const tenant = await tenantWith(source, settings)
      for (let n = 0; n < 3; n++) await createUser(source, tenant.id, { password: 'correct horse battery staple' })
      const target = await newService(engine)
      await importedFromVersion010(target, await exported(source, tenant.id), withoutDraws)
      const rows = await target.deps.db.all<{ draw: number }>(
        sql`SELECT draw FROM passwords WHERE tenant_id = ${tenant.id}`,
      )
      assert.equal(new Set(rows.map(({ draw }) => draw)).size, 3)
    })
  })
}

describe('migrations that change rows', () => {
  it('are repeated on the rows of older archives, or change only rows that no archive contains', () => {
    const changing = migrations
      .filter(({ migration }) =>
        migration.sqlite.some((statement) => /^\s*(?:UPDATE|INSERT|DELETE)\b/i.test(statement)),
      )
      .map(({ id }) => id)
    assert.deepEqual(changing, [...retold.keys(), ...ofNothingExported].toSorted())
  })
})
