// A disk is full where its file system has no room, and where a limit on the size of files refuses what would make a file or let one grow.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { aboutSqlite } from '../harness/databases/engines.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from './service-process.ts'
import { mountSmallDisk } from './small-disk.ts'

const newTenant = (service: ServiceProcess, name: string) =>
  request(`${service.api}/tenants`, { json: { name, environment: 'staging' } })

/** Sets how large files may become that a running process writes. */
function limitFiles({ pid }: ServiceProcess, bytes: 0 | 'unlimited') {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

async function fillUntilRefused(service: ServiceProcess): Promise<number> {
  for (let count = 0; count < 5000; count++) {
    const { status, body } = await newTenant(service, `Tenant ${count}`)
    if (status === 200) continue
    assert.deepEqual([status, body['code']], [503, 'unavailable'])
    return count
  }
  return assert.fail('the disk was never full')
}

describe('a full disk', aboutSqlite, () => {
  it('refuses writes with 503, loses nothing, and lets SIGTERM end the service with 0', async () => {
    const { env } = await newDeployment('sqlite')
    const service = await startService(env, { fileBlocksMax: 9000 })
    const count = await fillUntilRefused(service)
    assert.ok(count > 0)
    assert.equal((await request(`${service.api}/tenants?perPage=1`)).status, 200, 'reads go on')
    service.kill('SIGTERM')
    assert.equal((await service.exit()).code, 0)

    const again = await startService(env)
    const { status, body } = await request(`${again.api}/tenants`)
    assert.equal(status, 200)
    assert.equal((body as unknown as unknown[]).length, count, 'what was acknowledged is there, and nothing else')
    assert.equal((await newTenant(again, 'There is room again')).status, 200)
  })

  // Regression: the service did not start, so that nothing could be read either.
  it('lets the service start to be read from, not ready, and says so', async () => {
    const { env } = await newDeployment('sqlite')
    const service = await startService(env)
    const { body: tenant } = await newTenant(service, 'From before')
    // Killed, it leaves the write-ahead log, which the next start must take up.
    service.kill('SIGKILL')
    await service.exit()

    const full = await startService(env, { fileBlocksMax: 0 })
    const found = await request(`${full.api}/tenants/${String(tenant['id'])}`)
    assert.deepEqual([found.status, found.body['name']], [200, 'From before'])
    const refused = await newTenant(full, 'Too much')
    assert.deepEqual([refused.status, refused.body['code']], [503, 'unavailable'])
    const ready = await request(`${full.url}/readyz`)
    assert.deepEqual([ready.status, ready.body['reason']], [503, 'read_only'])
    assert.equal((await request(`${full.url}/livez`)).status, 200)
    await until('the log says so', 60_000, () =>
      full.log().find(({ level, msg }) => level === 'error' && String(msg).startsWith('the service only reads: ')),
    )
    full.kill('SIGTERM')
    assert.equal((await full.exit()).code, 0)

    const again = await startService(env)
    assert.equal((await request(`${again.url}/readyz`)).status, 200)
    assert.equal((await newTenant(again, 'There is room again')).status, 200)
  })
})

const readiness = async ({ url }: ServiceProcess) => {
  const { status, body } = await request(`${url}/readyz`)
  return status === 200 ? 'ready' : String(body['reason'])
}

describe('a disk that is full while the service runs', aboutSqlite, () => {
  // Any user may do this, unlike mounting a file system.
  it('makes it not ready at the first refused write, and ready again by itself once there is room', async () => {
    const { env } = await newDeployment('sqlite')
    const service = await startService(env)
    assert.equal((await newTenant(service, 'From before')).status, 200)
    for (const name of ['There is room', 'There is room again']) {
      limitFiles(service, 0)
      const refused = await newTenant(service, 'Too much')
      assert.deepEqual([refused.status, refused.body['code']], [503, 'unavailable'])
      assert.equal(await readiness(service), 'read_only')
      assert.equal((await request(`${service.api}/tenants?perPage=1`)).status, 200, 'reads go on')
      limitFiles(service, 'unlimited')
      await until('it is ready', 60_000, async () => (await readiness(service)) === 'ready' || undefined)
      assert.equal((await newTenant(service, name)).status, 200)
    }
    const { body } = await request(`${service.api}/tenants`)
    assert.equal((body as unknown as unknown[]).length, 3, 'what was refused did not happen')
    service.kill('SIGTERM')
    assert.equal((await service.exit()).code, 0)
  })
})

describe('a full file system', aboutSqlite, () => {
  const disk = mountSmallDisk(24)
  after(() => disk?.remove())

  // Regression: /readyz answered 200 while every write was refused, also after a restart.
  it(
    'makes the service not ready, also after a restart, and ready again by itself once there is room',
    { skip: disk === undefined && 'this user may not mount a file system; the test before this one needs no right' },
    async () => {
      assert.ok(disk)
      const env = { BAILIWICK_DATA_DIR: disk.folder }
      const service = await startService(env)
      assert.equal((await newTenant(service, 'From before')).status, 200)
      assert.equal(await readiness(service), 'ready')
      disk.fill()
      await until('it is not ready', 60_000, async () => (await readiness(service)) === 'read_only' || undefined)
      assert.ok((await fillUntilRefused(service)) < 5000)
      assert.equal(await readiness(service), 'read_only')
      await until('the log says so', 60_000, () =>
        service.log().find(({ msg }) => String(msg).startsWith('the service only reads')),
      )
      // Killed, it leaves its files as they are.
      service.kill('SIGKILL')
      await service.exit()
      disk.fill()

      const again = await startService(env)
      assert.equal((await newTenant(again, 'Too much')).status, 503)
      assert.equal(await readiness(again), 'read_only')
      assert.equal((await request(`${again.api}/tenants?perPage=1`)).status, 200, 'reads go on')
      again.kill('SIGTERM')
      assert.equal((await again.exit()).code, 0)

      disk.clear()
      const roomy = await startService(env)
      assert.equal(await readiness(roomy), 'ready')
      assert.equal((await newTenant(roomy, 'There is room')).status, 200)
      disk.fill()
      await until('it is not ready', 60_000, async () => (await readiness(roomy)) === 'read_only' || undefined)
      disk.clear()
      await until('it is ready', 60_000, async () => (await readiness(roomy)) === 'ready' || undefined)
      assert.equal((await newTenant(roomy, 'There is room again')).status, 200)
      roomy.kill('SIGTERM')
      assert.equal((await roomy.exit()).code, 0)
    },
  )
})
