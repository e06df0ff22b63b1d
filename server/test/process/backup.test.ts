// bailiwick backup and restore as they are run: beside a service that writes, into a folder, and out of it again.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../../src/platform/db/open.ts'
import { copyFiles } from '../../src/service/backup/stored-files.ts'
import { checkBackup } from '../../src/service/checks/backup.ts'
import { aboutSqlite } from '../harness/databases/engines.ts'
import { drawn, green, png } from '../harness/files/pictures.ts'
import {
  type Deployment,
  type ServiceProcess,
  newDeployment,
  request,
  runCommand,
  startService,
} from './service-process.ts'

interface Copied {
  readonly count: number
  readonly copied: number
  readonly removed: number
  readonly missing: readonly string[]
}

interface Result {
  readonly database: { readonly bytes: number; readonly events: number } | null
  readonly checked: { readonly tenants: number; readonly events: number } | null
  readonly files: Copied
}

const readResult = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Result

const drawnBytes = await png(drawn(8, 8, () => green))

async function upload(service: ServiceProcess, tenantId: string): Promise<string> {
  const bytes = drawnBytes
  const { body } = await request(`${service.api}/media/uploads`, {
    json: { tenantId, access: 'public', originalFilename: 'a.png', mime: 'image/png', size: bytes.length },
  })
  const { pathname, search } = new URL(String(body['uploadUrl']))
  const answer = await fetch(service.url + pathname + search, { method: 'PUT', body: new Uint8Array(bytes) })
  assert.equal(answer.status, 200)
  return String(body['id'])
}

const filesBelow = (folder: string) =>
  readdirSync(join(folder, 'media', 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

async function deploymentWithKeyOf(source: Deployment, engine: Deployment['engine'] = 'sqlite'): Promise<Deployment> {
  const target = await newDeployment(engine)
  copyFileSync(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'))
  return target
}

describe('bailiwick backup and restore', aboutSqlite, () => {
  let source: Deployment
  let service: ServiceProcess
  let folder: string
  let tenantId: string
  before(async () => {
    source = await newDeployment('sqlite')
    folder = join((await newDeployment('sqlite')).dataDir, 'backup')
    service = await startService(source.env)
    const tenant = await request(`${service.api}/tenants`, {
      json: { name: 'Gallery', slug: 'gallery', environment: 'production' },
    })
    tenantId = String(tenant.body['id'])
  })

  it('move a deployment with its files to another machine, while a service writes', async () => {
    const file = await upload(service, tenantId)
    const backedUp = new AbortController()
    const writing = (async () => {
      for (let count = 0; !backedUp.signal.aborted; count++) {
        await request(`${service.api}/auth/users`, {
          json: { tenantId, name: `Ada ${count}`, email: `a${count}@x.example` },
        })
      }
    })()
    const written = await runCommand(['backup', folder, '--json'], source.env)
    backedUp.abort()
    await writing
    assert.equal(written.code, 0, written.stderr)
    assert.deepEqual([readResult(written).files.count, readResult(written).files.copied], [1, 1])
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, 'bailiwick.db')).mode & 0o077, 0)
    assert.ok(!existsSync(join(folder, 'master.key')))

    const target = await deploymentWithKeyOf(source)
    const restored = await runCommand(['restore', folder, '--json'], target.env)
    assert.equal(restored.code, 0, restored.stderr)
    assert.ok((readResult(restored).checked?.events ?? 0) > 0)
    const elsewhere = await startService(target.env)
    assert.equal((await request(`${elsewhere.api}/tenants/slug/gallery`)).body['id'], tenantId)
    const { body } = await request(`${elsewhere.api}/media/files/${file}/sign`, { json: {} })
    const { pathname, search } = new URL(String(body['url']))
    assert.equal((await fetch(elsewhere.url + pathname + search)).status, 200)
    elsewhere.kill('SIGTERM')
    await elsewhere.exit()

    const again = await runCommand(['restore', folder], target.env)
    assert.deepEqual([again.code, /there is a database in/.test(again.stderr)], [1, true], again.stderr)
  })

  it('are known to doctor, which warns in production if the last backup is a week old', async () => {
    const db = await openDatabase({ kind: 'sqlite', file: join(folder, 'bailiwick.db'), isReadOnly: true })
    const stateOf = async (dataDir: string, env: 'production' | 'development' = 'production') =>
      (await checkBackup({ config: { env, dataDir, databaseUrl: undefined }, db })).status
    assert.equal(await stateOf(source.dataDir), 'ok')
    assert.equal(await stateOf(folder), 'warn')
    assert.equal(await stateOf(folder, 'development'), 'ok')
    const at = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000).toISOString()
    writeFileSync(join(folder, 'last-backup.json'), JSON.stringify({ at, to: folder }))
    assert.equal(await stateOf(folder), 'warn')
    await db.close()
    rmSync(join(folder, 'last-backup.json'))
  })

  it('copy only what is new into an earlier backup, and remove what is gone', async () => {
    const gone = await upload(service, tenantId)
    await upload(service, tenantId)
    const second = readResult(await runCommand(['backup', folder, '--json'], source.env))
    assert.deepEqual([second.files.count, second.files.copied, second.files.removed], [3, 2, 0])
    assert.equal((await request(`${service.api}/media/files/${gone}`, { method: 'DELETE' })).status, 200)
    const third = readResult(await runCommand(['backup', folder, '--json'], source.env))
    assert.deepEqual([third.files.count, third.files.copied, third.files.removed], [2, 0, 1])
    assert.equal(filesBelow(folder).length, 2)
  })

  it('name a file that is lost, but not one that was deleted since the database was copied', async () => {
    const from = join(source.dataDir, 'nowhere')
    const db = await openDatabase({ kind: 'sqlite', file: join(folder, 'bailiwick.db'), isReadOnly: true })
    const missing = async (isExpendable: () => Promise<boolean>) =>
      (await copyFiles(db, from, join(from, 'copy'), { isExpendable })).missing.length
    assert.deepEqual([await missing(async () => false), await missing(async () => true)], [2, 0])
    await db.close()

    const file =
      filesBelow(source.dataDir).find((path) => readFileSync(path).equals(drawnBytes)) ?? assert.fail('no file')
    const into = join(source.dataDir, 'lossy')
    rmSync(file)
    const written = await runCommand(['backup', into, '--json'], source.env)
    assert.deepEqual([written.code, readResult(written).files.missing], [3, [file]], written.stderr)
    writeFileSync(file, drawnBytes)
  })

  it('say which file is missing or damaged, and restore the rest', async () => {
    const [damaged = ''] = filesBelow(folder)
    const bytes = readFileSync(damaged)
    writeFileSync(damaged, Buffer.alloc(bytes.length))
    const target = await deploymentWithKeyOf(source)
    const restored = await runCommand(['restore', folder, '--json'], target.env)
    assert.equal(restored.code, 3, restored.stderr)
    assert.deepEqual(readResult(restored).files.missing, [damaged])
    assert.ok(existsSync(join(target.dataDir, 'bailiwick.db')))
    writeFileSync(damaged, bytes)
  })

  it('refuse a folder of something else, a damaged database, and a data directory without the master key', async () => {
    const other = join(source.dataDir, 'photos')
    mkdirSync(other)
    writeFileSync(join(other, 'cat.png'), 'cat')
    const mixed = await runCommand(['backup', other], source.env)
    assert.deepEqual([mixed.code, /something other than a backup/.test(mixed.stderr)], [1, true], mixed.stderr)
    assert.deepEqual(readdirSync(other), ['cat.png'])
    const none = await runCommand(['restore', other], source.env)
    assert.match(none.stderr, /holds no finished backup/)

    const bare = await newDeployment('sqlite')
    const keyless = await runCommand(['restore', folder], bare.env)
    assert.deepEqual([keyless.code, /there is no master key in/.test(keyless.stderr)], [1, true], keyless.stderr)
    assert.ok(!existsSync(join(bare.dataDir, 'bailiwick.db')))

    const database = join(folder, 'bailiwick.db')
    const bytes = readFileSync(database)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(database, bytes)
    const target = await deploymentWithKeyOf(source)
    const damaged = await runCommand(['restore', folder], target.env)
    assert.deepEqual(
      [damaged.code, /the database of the backup is damaged/.test(damaged.stderr)],
      [1, true],
      damaged.stderr,
    )
    assert.ok(!readdirSync(target.dataDir).some((name) => name.startsWith('bailiwick.db')))
  })
})

describe('bailiwick backup and restore on PostgreSQL', () => {
  it('concern only the files', async () => {
    const deployment = await newDeployment('postgresql')
    const node = await startService(deployment.env)
    const tenant = await request(`${node.api}/tenants`, { json: { name: 'Gallery', environment: 'production' } })
    await upload(node, String(tenant.body['id']))
    const into = join((await newDeployment('sqlite')).dataDir, 'files')
    const written = await runCommand(['backup', into, '--json'], deployment.env)
    assert.equal(written.code, 0, written.stderr)
    assert.equal(readResult(written).database, null)
    assert.equal(readResult(written).files.count, 1)
    rmSync(join(deployment.dataDir, 'media'), { recursive: true })
    const restored = await runCommand(['restore', into, '--json'], deployment.env)
    assert.deepEqual([restored.code, readResult(restored).files.copied], [0, 1], restored.stderr)
    assert.equal(filesBelow(deployment.dataDir).length, 1)
    node.kill('SIGTERM')
    await node.exit()
  })
})
