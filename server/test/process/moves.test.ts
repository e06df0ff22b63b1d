// bailiwick export and import as they are run: from one engine to the other and back.
import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type Deployment, newDeployment, request, runCommand, startService } from './service-process.ts'

const passphrase = { BAILIWICK_EXPORT_PASSPHRASE: 'as long as nobody guesses it' }

describe('bailiwick export and import', () => {
  let source: Deployment
  let target: Deployment
  let file: string
  const run = (args: string[], { env }: Deployment, more: Record<string, string> = passphrase) =>
    runCommand(args, { ...env, ...more })

  before(async () => {
    source = await newDeployment('sqlite')
    target = await newDeployment('postgresql')
    file = join(source.dataDir, 'demo.bailiwick')
    for (const deployment of [source, target]) assert.equal((await run(['migrate'], deployment)).code, 0)
    assert.equal((await run(['seed', '--tenants', '1', '--users', '3'], source)).code, 0)
  })

  it('move a tenant from SQLite, beside its running service, to PostgreSQL, where its password still signs in', async () => {
    const service = await startService(source.env)
    const written = await run(['export', 'demo-1', '--output', file, '--json'], source)
    assert.equal(written.code, 0, written.stderr)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const { rows } = JSON.parse(written.stdout) as { rows: Record<string, number> }
    assert.equal(rows['users'], 3)
    service.kill('SIGTERM')
    await service.exit()

    const dry = await run(['import', file, '--dry-run'], target)
    assert.deepEqual([dry.code, /would be imported/.test(dry.stdout)], [0, true], dry.stderr)
    const read = await run(['import', file, '--json'], target)
    assert.equal(read.code, 0, read.stderr)
    assert.deepEqual((JSON.parse(read.stdout) as { rows: object }).rows, rows)
    const elsewhere = await startService(target.env)
    assert.equal((await request(`${elsewhere.api}/tenants/slug/demo-1`)).status, 200)
    const again = await run(['import', file, '--dry-run', '--json'], target)
    assert.equal(again.code, 3)
    assert.equal((JSON.parse(again.stdout) as { conflicts: unknown[] }).conflicts.length, 3)
    const refused = await run(['import', file], target)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^nothing was imported: a tenant of the same id is here/m)
  })

  it('say in one line what is wrong with the passphrase or the file', async () => {
    const none = await run(['import', file, '--dry-run'], target, {})
    assert.equal(none.code, 2)
    assert.match(none.stderr, /--passphrase-file or BAILIWICK_EXPORT_PASSPHRASE/)
    const other = { BAILIWICK_EXPORT_PASSPHRASE: 'another one than that' }
    const wrong = await run(['import', file, '--dry-run'], target, other)
    assert.deepEqual([wrong.code, wrong.stderr.trim().split('\n').length], [1, 1])
    assert.match(wrong.stderr, /the passphrase is wrong/)
    const secret = join(source.dataDir, 'passphrase')
    writeFileSync(secret, `${passphrase.BAILIWICK_EXPORT_PASSPHRASE}\n`)
    assert.equal((await run(['import', file, '--dry-run', '--passphrase-file', secret], target, {})).code, 3)
    assert.equal((await run(['import', join(source.dataDir, 'master.key')], target)).code, 1)
    assert.equal((await run(['export', 'nobody', '--output', file], source)).code, 1)
    assert.equal((await run(['export', 'demo-1'], source)).code, 2)
  })
})
