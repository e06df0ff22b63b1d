// bailiwick doctor on a deployment that was just restored, before it is started: nothing is wrong with it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Finding } from '../../src/service/checks/check.ts'
import { engines, isOnCitus } from '../harness/databases/databases.ts'
import { isInstalled } from '../harness/installed.ts'
import { newDurableDeployment, request, runCommand, startService } from './service-process.ts'

const run = promisify(execFile)

for (const engine of engines) {
  const isMissing = engine === 'postgresql' && !isInstalled('pg_dump') && 'pg_dump is not installed'
  const isSharded = isOnCitus && 'pg_dump does not say where Citus has the rows; each server is backed up by itself'
  describe(`a deployment that was just restored on ${engine}`, () => {
    it('passes every check of doctor, and starts', { skip: isSharded || isMissing }, async () => {
      const source = await newDurableDeployment(engine)
      const service = await startService(source.env)
      const tenant = await request(`${service.api}/tenants`, { json: { name: 'Gallery', environment: 'staging' } })
      const tenantId = String(tenant.body['id'])
      await request(`${service.api}/auth/users`, { json: { tenantId, email: 'ada@gallery.example' } })
      const folder = join(source.dataDir, 'backup')
      const target = await newDurableDeployment(engine)
      const dump = join(source.dataDir, 'dump.sql')
      if (source.databaseUrl !== undefined) await run('pg_dump', ['--file', dump, source.databaseUrl])
      assert.equal((await runCommand(['backup', folder], source.env)).code, 0)
      service.kill('SIGTERM')
      await service.exit()

      // As an administrator makes a folder, which others may open.
      chmodSync(target.dataDir, 0o755)
      copyFileSync(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'))
      if (target.databaseUrl !== undefined) {
        await run('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--file', dump, target.databaseUrl])
      }
      const restored = await runCommand(['restore', folder], target.env)
      assert.equal(restored.code, 0, restored.stderr)
      const { stdout, stderr, code } = await runCommand(['doctor', '--json'], target.env)
      const { findings } = JSON.parse(stdout) as { findings: Finding[] }
      assert.deepEqual(
        findings.filter(({ status }) => status === 'fail'),
        [],
        stderr,
      )
      assert.equal(code, 0)

      const elsewhere = await startService(target.env)
      assert.equal((await request(`${elsewhere.api}/tenants/${tenantId}`)).status, 200)
      const again = await request(`${elsewhere.api}/auth/users`, { json: { tenantId, email: 'grace@gallery.example' } })
      assert.equal(again.status, 200)
    })
  })
}
