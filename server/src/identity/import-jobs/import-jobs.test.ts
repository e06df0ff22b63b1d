import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ImportJob, ImportedLine } from '@bailiwick/contract'
import { describeInterrupted } from '../../../test/harness/databases/interrupted-database.ts'
import { storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createApiKey, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService, describeServiceWith } from '../../../test/harness/service.ts'
import { createClock } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { createJobRunner } from '../../platform/jobs/runner.ts'
import { cleanUpImportJobs, resultsKeptMs } from './clean-up.ts'
import { importJobHandler, importJobKind } from './work.ts'

type Result = Partial<ImportedLine> & { readonly summary?: object }

const create = (service: TestService, tenantId: string, lines: readonly (object | string)[]) =>
  service.ok<ImportJob>('createImportJob', {
    query: { tenantId },
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  })
const read = (service: TestService, id: string) => service.ok<ImportJob>('getImportJob', { params: { id } })
const results = (service: TestService, id: string, query: Record<string, string> = {}) =>
  service.ok<Result[]>('readImportJobResults', { params: { id }, query })
const people = (count: number) => Array.from({ length: count }, () => ({ email: `${unique()}@example.com` }))

const runnerOf = ({ deps }: TestService) => createJobRunner(deps, { [importJobKind]: importJobHandler(deps) })

async function runJobs(service: TestService) {
  const runner = runnerOf(service)
  while ((await runner.claim()) > 0) await runner.idle()
}

const workOn = ({ id, tenantId }: ImportJob) => ({
  tenantId: tenantId as TenantId,
  kind: importJobKind,
  key: id,
  payload: null,
})

const partsOf = ({ deps }: TestService, id: string) =>
  deps.db.all<{ sealed_lines: string | null; sealed_answers: string | null }>(
    sql`SELECT sealed_lines, sealed_answers FROM import_job_parts WHERE id LIKE ${`${id}:%`} ORDER BY id LIMIT 100`,
  )

describeService('an import job', (service) => {
  it('imports every line in its order, and tells progress and results like the import that answers each line', async () => {
    const { tenant } = await createTenant(service())
    const taken = unique()
    const old = await createUser(service(), tenant.id, { username: taken })
    const [first, ...others] = people(300)
    const lines = [first ?? '', '', { id: old.id, name: 'Other' }, 'nonsense', ...others, first ?? '']
    const job = await create(service(), tenant.id, lines)
    assert.deepEqual(
      [job.state, job.linesTotal, job.linesDone, job.finishedAt, job.tenantId],
      ['running', 303, 0, null, tenant.id],
    )
    assert.deepEqual(await results(service(), job.id), [])
    const stored = JSON.stringify(await partsOf(service(), job.id))
    assert.ok(!stored.includes('@example.com'), 'the lines are sealed')

    await runJobs(service())
    const done = await read(service(), job.id)
    assert.deepEqual([done.state, done.linesDone, done.created, done.exists, done.error], ['completed', 303, 300, 2, 1])
    assert.ok(done.finishedAt !== null && done.finishedAt >= done.createdAt)
    const answers = await results(service(), job.id)
    assert.deepEqual(answers.at(-1), { summary: { created: 300, exists: 2, error: 1 } })
    assert.deepEqual(
      answers.slice(0, -1).map(({ line }) => line),
      [1, 3, 4, ...Array.from({ length: 300 }, (_, index) => index + 5)],
    )
    assert.deepEqual(answers[1], { line: 3, status: 'exists', id: old.id })
    assert.deepEqual([answers[302]?.status, answers[302]?.id], ['exists', answers[0]?.id])
    const [refused, summary, ...more] = await results(service(), job.id, { status: 'error' })
    assert.deepEqual([refused?.line, refused?.issues?.[0]?.code, more], [4, 'malformed_json', []])
    assert.deepEqual(summary, answers.at(-1))

    for (const part of await partsOf(service(), job.id)) assert.equal(part.sealed_lines, null)
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 301)
    assert.equal((await storedEvents(service(), tenant.id, 'user.created')).length, 301)
    const [begun] = await storedEvents(service(), tenant.id, 'import_job.created')
    const [completed] = await storedEvents(service(), tenant.id, 'import_job.completed')
    assert.deepEqual([begun?.subject_id, begun?.data], [job.id, { lines: 303 }])
    assert.deepEqual(
      [completed?.subject_id, completed?.data],
      [job.id, { lines: 303, created: 300, exists: 2, error: 1 }],
    )
    const list = await service().ok<{ data: ImportJob[]; meta: { total: number } }>('listImportJobs', {
      query: { tenantId: tenant.id },
    })
    assert.deepEqual([list.data, list.meta.total], [[done], 1])
  })

  it('takes lines of any bytes, refuses the same ones, and is done at once without any', async () => {
    const { tenant } = await createTenant(service())
    const body = Buffer.concat([
      Buffer.from('\ufeff{"email":"bom@example.com"}\r\n{"name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`"}\n{"name":"${'x'.repeat(70_000)}"}\n\n{"username":"last"}`),
    ])
    const job = await service().ok<ImportJob>('createImportJob', {
      query: { tenantId: tenant.id },
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
    await runJobs(service())
    const answers = await results(service(), job.id)
    assert.deepEqual(
      answers.map(({ line, status, issues }) => [line, status, issues?.[0]?.code, issues?.[0]?.message]),
      [
        [1, 'created', undefined, undefined],
        [2, 'error', 'malformed_json', 'must be JSON in UTF-8'],
        [3, 'error', 'too_long', 'must be at most 65536 bytes'],
        [5, 'created', undefined, undefined],
        [undefined, undefined, undefined, undefined],
      ],
    )
    const empty = await create(service(), tenant.id, ['', ' '])
    assert.deepEqual([empty.state, empty.linesTotal], ['completed', 0])
    assert.deepEqual(await results(service(), empty.id), [{ summary: { created: 0, exists: 0, error: 0 } }])
  })

  it('imports nothing more once it is deleted, and leaves nothing behind but the users', async () => {
    const { tenant } = await createTenant(service())
    const job = await create(service(), tenant.id, people(400))
    const stopping = new AbortController()
    const working = importJobHandler(service().deps).run(workOn(job), stopping.signal)
    while ((await read(service(), job.id)).linesDone === 0);
    stopping.abort()
    await working
    const { linesDone } = await read(service(), job.id)
    const { deleted, ...last } = await service().ok<ImportJob & { deleted: boolean }>('deleteImportJob', {
      params: { id: job.id },
    })
    assert.deepEqual([deleted, last.linesDone, last.state], [true, linesDone, 'running'])
    await service().refused('getImportJob', 'not_found', { params: { id: job.id } })
    await runJobs(service())
    assert.equal(await storedCounter(service(), tenant.id, 'users'), linesDone)
    assert.ok(linesDone < 400)
    assert.deepEqual(await partsOf(service(), job.id), [])
    assert.equal(await storedCounter(service(), tenant.id, 'import_jobs'), 0)
    const [event] = await storedEvents(service(), tenant.id, 'import_job.deleted')
    assert.deepEqual(event?.data, { lines: 400, created: linesDone, exists: 0, error: 0, state: 'running' })
  })

  it('is refused for a fourth unfinished one and for too many lines, which leave nothing behind', async () => {
    const { tenant } = await createTenant(service())
    const jobs = [1, 2, 3].map(() => create(service(), tenant.id, people(1)))
    await Promise.all(jobs)
    const query = { tenantId: tenant.id }
    await service().refused('createImportJob', 'import_job_limit_reached', { query, body: people(1) })
    await runJobs(service())
    const answer = await service().call('createImportJob', {
      query,
      headers: { 'content-type': 'application/x-ndjson' },
      body: '1\n'.repeat(250_001),
    })
    assert.equal(answer.status, 413)
    await runJobs(service())
    const { data } = await service().ok<{ data: ImportJob[] }>('listImportJobs', { query })
    assert.deepEqual(
      data.map(({ state }) => state),
      ['completed', 'completed', 'completed'],
    )
    const parts = await service().deps.db.all<{ id: string }>(
      sql`SELECT id FROM import_job_parts WHERE tenant_id = ${tenant.id} LIMIT 10`,
    )
    assert.equal(parts.length, 3)
  })

  it('is read by keys that may read users, and created by those that may write them', async () => {
    const { tenant } = await createTenant(service())
    const job = await create(service(), tenant.id, people(1))
    const reader = (await createApiKey(service(), tenant.id, ['users:read'])).key
    const params = { id: job.id }
    assert.equal((await service().call('getImportJob', { params, token: reader })).status, 200)
    assert.equal((await service().call('readImportJobResults', { params, token: reader })).status, 200)
    await service().refused('deleteImportJob', 'forbidden', { params, token: reader })
    const query = { tenantId: tenant.id }
    await service().refused('createImportJob', 'forbidden', { query, body: people(1), token: reader })
  })

  it('fails when its work is given up: its lines are removed, and what was imported stays', async () => {
    const { tenant } = await createTenant(service())
    const { db, clock } = service().deps
    const job = await create(service(), tenant.id, people(200))
    await db.transaction((tx) =>
      tx.run(sql`UPDATE jobs SET dead_at = ${clock.now()} WHERE kind = ${importJobKind} AND key = ${job.id}`),
    )
    await cleanUpImportJobs(service().deps)
    await runJobs(service())
    const failed = await read(service(), job.id)
    assert.deepEqual([failed.state, failed.linesDone], ['failed', 0])
    assert.ok(failed.finishedAt)
    assert.deepEqual(await partsOf(service(), job.id), [])
    assert.deepEqual(await results(service(), job.id), [])
    assert.equal((await storedEvents(service(), tenant.id, 'import_job.failed')).length, 1)
    await create(service(), tenant.id, people(1))
  })
})

let aheadMs = 0
const inTheFuture = () => ({ clock: createClock(() => Date.now() + aheadMs) })
describeServiceWith('an old import job', inTheFuture, (service) => {
  it('is removed with its results after seven days, and one whose lines never all arrived after minutes', async () => {
    const { tenant } = await createTenant(service())
    const { db } = service().deps
    const [old, unreceived] = [
      await create(service(), tenant.id, people(1)),
      await create(service(), tenant.id, people(1)),
    ]
    await runJobs(service())
    await db.transaction((tx) =>
      tx.run(sql`UPDATE import_jobs SET state = 'receiving', finished_at = NULL WHERE id = ${unreceived.id}`),
    )
    await cleanUpImportJobs(service().deps)
    assert.equal((await read(service(), unreceived.id)).state, 'receiving')
    aheadMs += 11 * 60_000
    await cleanUpImportJobs(service().deps)
    await service().refused('getImportJob', 'not_found', { params: { id: unreceived.id } })
    assert.equal((await read(service(), old.id)).state, 'completed')
    aheadMs += resultsKeptMs
    await cleanUpImportJobs(service().deps)
    await service().refused('getImportJob', 'not_found', { params: { id: old.id } })
    await runJobs(service())
    assert.deepEqual([await partsOf(service(), old.id), await partsOf(service(), unreceived.id)], [[], []])
    assert.equal(await storedCounter(service(), tenant.id, 'import_jobs'), 0)
  })
})

describeInterrupted('an import job beside other writes', (service, beforeNextWrite) => {
  it('imports each line once if another user takes an address meanwhile and the work stops in the middle of a part', async () => {
    const { tenant } = await createTenant(service())
    const lines = people(20)
    const job = await create(service(), tenant.id, lines)
    const handler = importJobHandler(service().deps)
    const work = () => handler.run(workOn(job), new AbortController().signal)
    let twin = ''
    // The write of all lines is refused, since one address is taken by now; of the writes of single lines the third does not happen.
    beforeNextWrite(async () => {
      twin = (await createUser(service(), tenant.id, lines[7])).id
      beforeNextWrite(async () => {
        beforeNextWrite(async () => {
          beforeNextWrite(() => Promise.reject(new Error('the process ends here')))
        })
      })
    })
    await assert.rejects(work, /the process ends here/)
    const half = await read(service(), job.id)
    assert.deepEqual([half.state, half.linesDone, half.created], ['running', 2, 2])
    assert.equal((await results(service(), job.id)).length, 2)

    assert.equal(await work(), 'done')
    const done = await read(service(), job.id)
    assert.deepEqual([done.state, done.linesDone, done.created, done.exists], ['completed', 20, 19, 1])
    const answers = await results(service(), job.id)
    assert.deepEqual(answers[7], { line: 8, status: 'exists', id: twin })
    assert.deepEqual(
      answers.map(({ line }) => line),
      [...lines.map((_, index) => index + 1), undefined],
    )
    assert.equal(await storedCounter(service(), tenant.id, 'users'), 20)
  })
})
