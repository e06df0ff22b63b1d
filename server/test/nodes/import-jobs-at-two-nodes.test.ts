// An import in the background that two nodes work on at the same moment, as when one was cut off for longer than its lease lasts.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ImportJob, ImportedLine } from '@bailiwick/contract'
import { importJobHandler, importJobKind } from '../../src/identity/import-jobs/work.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { storedCounter, storedEvents } from '../harness/databases/stored.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

const people = 2000

describeOnTwoNodes('an import job that two nodes work on', (nodes) => {
  it('imports each line once', async () => {
    const { one, other } = nodes()
    const { tenant } = await createTenant(one)
    const lines = Array.from({ length: people }, () => ({ email: `${unique()}@example.com` }))
    const job = await one.ok<ImportJob>('createImportJob', { query: { tenantId: tenant.id }, body: lines })
    const work = { tenantId: tenant.id as TenantId, kind: importJobKind, key: job.id, payload: null }
    const never = new AbortController().signal
    const runs = [one, other, one, other].map(async ({ deps }) => {
      let ends = 0
      // One that was overtaken begins again.
      while ((await importJobHandler(deps).run(work, never)) !== 'done') ends++
      return ends
    })
    const overtaken = (await Promise.all(runs)).reduce((sum, ends) => sum + ends, 0)
    assert.ok(overtaken > 0, 'the nodes met')
    const { state, linesDone, created } = await other.ok<ImportJob>('getImportJob', { params: { id: job.id } })
    assert.deepEqual([state, linesDone, created], ['completed', people, people])
    const results = await other.ok<ImportedLine[]>('readImportJobResults', { params: { id: job.id } })
    assert.deepEqual(
      results.map(({ line }) => line),
      [...lines.map((_, index) => index + 1), undefined],
    )
    assert.equal(new Set(results.map(({ id }) => id)).size, people + 1)
    assert.equal(await storedCounter(one, tenant.id, 'users'), people)
    assert.equal((await storedEvents(one, tenant.id, 'import_job.completed')).length, 1)
  })
})
