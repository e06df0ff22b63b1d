// A backup lies where others may reach it. Whoever changes it can write a fitting manifest too, so that sums prove nothing: what is restored
// must hold nothing that acts later, and reach nothing outside of its folders.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../src/platform/config.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { backup } from '../../src/service/commands/backup.ts'
import { restore } from '../../src/service/commands/restore.ts'
import { createFile, createTenant } from '../harness/factories.ts'
import { startTestService, testEnv } from '../harness/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-hostile-'))
const whole = join(folder, 'whole')
const secret = join(folder, 'secret')
const configOf = (dataDir: string) => readConfig({ ...testEnv, BAILIWICK_DATA_DIR: dataDir })
const sha256Of = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
let copies = 0

/** Changes the database of a copy as somebody with any tool for SQLite can, and its manifest accordingly. */
function withDatabase(copy: string, change: (database: DatabaseSync) => void): void {
  const file = join(copy, 'bailiwick.db')
  const database = new DatabaseSync(file)
  change(database)
  database.close()
  const manifest = JSON.parse(readFileSync(join(copy, 'backup.json'), 'utf8')) as { database: object }
  const stated = { ...manifest, database: { ...manifest.database, bytes: statSync(file).size, sha256: sha256Of(file) } }
  writeFileSync(join(copy, 'backup.json'), JSON.stringify(stated))
}

const exec = (text: string) => (copy: string) => withDatabase(copy, (database) => database.exec(text))
const sole = (copy: string) => {
  const objects = join(copy, 'media', 'objects')
  const entry = readdirSync(objects, { recursive: true, withFileTypes: true }).find((each) => each.isFile())
  assert.ok(entry !== undefined)
  return join(entry.parentPath, entry.name)
}

const refused: Readonly<Record<string, readonly [change: (copy: string) => void, reason: RegExp]>> = {
  'a trigger that makes administrators': [
    exec('CREATE TRIGGER quiet AFTER INSERT ON users BEGIN UPDATE tenant_members SET role_admin = 1; END'),
    /no version of this service makes: trigger quiet/,
  ],
  'a view in place of a table': [
    exec('ALTER TABLE guesses RENAME TO hidden; CREATE VIEW guesses AS SELECT * FROM hidden'),
    /no version of this service makes: view guesses/,
  ],
  'a virtual table': [exec('CREATE VIRTUAL TABLE words USING fts5(word)'), /makes: table words/],
  'files outside of their folder': [
    exec(`UPDATE media_files SET storage_key = '../../../secret'`),
    /a file that would lie outside of the folder of files/,
  ],
  'a link as its database': [
    (copy) => {
      renameSync(join(copy, 'bailiwick.db'), join(copy, 'elsewhere.db'))
      symlinkSync('elsewhere.db', join(copy, 'bailiwick.db'))
    },
    /is missing, or no file/,
  ],
  'the database of another deployment': [
    (copy) => copyFileSync(join(folder, 'other', 'bailiwick.db'), join(copy, 'bailiwick.db')),
    /the database of the backup is damaged/,
  ],
  'a database that was cut': [
    (copy) => truncateSync(join(copy, 'bailiwick.db'), statSync(join(copy, 'bailiwick.db')).size - 4096),
    /the database of the backup is damaged/,
  ],
  'an event that was rewritten': [
    exec(`UPDATE events SET data = '{}' WHERE type = 'tenant.created' AND data <> '{}'`),
    /the event log of c\w+ is broken/,
  ],
}

describe('a backup that somebody else has changed', () => {
  const restored = async (change: (copy: string) => void) => {
    const [copy, dataDir] = [join(folder, `copy-${++copies}`), join(folder, `data-${copies}`)]
    cpSync(whole, copy, { recursive: true })
    mkdirSync(dataDir)
    change(copy)
    return { dataDir, outcome: () => restore(configOf(dataDir), copy) }
  }
  before(async () => {
    for (const name of ['first', 'other']) {
      const dataDir = join(folder, name)
      mkdirSync(dataDir)
      const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'bailiwick.db') })
      await db.migrate()
      const service = await startTestService(db, { ...testEnv, BAILIWICK_DATA_DIR: dataDir })
      const { tenant } = await createTenant(service)
      await createFile(service, tenant.id)
      const { sealEverything } = await import('../harness/databases/event-log.ts')
      await sealEverything(service.deps)
      await service.app.close()
      await db.close()
    }
    await backup(configOf(join(folder, 'first')), whole)
    // As long as the file in whose place it is put, so that the counters fit.
    writeFileSync(secret, 'what the machine keeps for itself'.padEnd(statSync(sole(whole)).size))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  // Guards: hostile-backups
  it('is restored if nothing was changed', async () => {
    const { outcome } = await restored(() => undefined)
    assert.equal((await outcome()).status, 0)
  })

  for (const [what, [change, reason]] of Object.entries(refused)) {
    // Guards: hostile-backups
    it(`is refused with ${what}, and leaves no database`, async () => {
      const { dataDir, outcome } = await restored(change)
      await assert.rejects(outcome(), reason)
      assert.ok(!existsSync(join(dataDir, 'bailiwick.db')))
    })
  }

  // Guards: hostile-backups
  it('brings nothing along to which a link leads, not even if the sum is right', async () => {
    for (const link of ['file', 'folder'] as const) {
      const { dataDir, outcome } = await restored((copy) => {
        const file = sole(copy)
        const parent = join(file, '..')
        const key = file.slice(join(copy, 'media', 'objects').length + 1)
        rmSync(link === 'file' ? file : parent, { recursive: true })
        if (link === 'folder') {
          mkdirSync(join(folder, `outside-${copies}`))
          copyFileSync(secret, join(folder, `outside-${copies}`, key.split('/').at(-1) ?? ''))
        }
        symlinkSync(link === 'file' ? secret : join(folder, `outside-${copies}`), link === 'file' ? file : parent)
        withDatabase(copy, (database) => database.exec(`UPDATE media_files SET sha256 = '${sha256Of(secret)}'`))
      })
      const { status, json } = await outcome()
      assert.equal(status, 3)
      assert.equal((json as { files: { missing: string[] } }).files.missing.length, 1)
      const names = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      for (const entry of names) {
        assert.ok(!readFileSync(join(entry.parentPath, entry.name)).includes('keeps for itself'), entry.name)
      }
    }
  })
})
