import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MasterKeyError, loadOrCreateMasterKey, parseMasterKey } from './master-key.ts'

async function inFolder(body: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-master-key-'))
  try {
    await body(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('parseMasterKey', () => {
  const key = randomBytes(32)
  const spellings = {
    base64: key.toString('base64'),
    'base64 without padding': key.toString('base64').slice(0, -1),
    base64url: key.toString('base64url'),
    hexadecimal: key.toString('hex'),
    'upper-case hexadecimal': key.toString('hex').toUpperCase(),
  }
  for (const [name, text] of Object.entries(spellings)) {
    it(`reads ${name}, and the id is that of the key`, () => {
      const parsed = parseMasterKey(text)
      assert.deepEqual(Buffer.from(parsed.key), key)
      assert.equal(parsed.id, hash('sha256', key, 'hex').slice(0, 8))
    })
  }

  const refused = {
    nothing: '',
    'a short key': randomBytes(31).toString('base64'),
    'a long key': randomBytes(33).toString('base64'),
    'short hexadecimal': randomBytes(31).toString('hex'),
    'white space': `${key.toString('base64')} `,
    'spare bits that are set': `${'A'.repeat(42)}B`,
    'one byte repeated': Buffer.alloc(32, 7).toString('base64'),
    'a few bytes repeated': Buffer.alloc(32, randomBytes(8)).toString('base64'),
    'a counter': Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex'),
    'a text': Buffer.from('changeme-changeme-changeme-12345').toString('base64'),
  }
  for (const [name, text] of Object.entries(refused)) {
    it(`refuses ${name} without printing it`, () => {
      assert.throws(
        () => parseMasterKey(text),
        (error) => error instanceof MasterKeyError && (text === '' || !error.message.includes(text)),
      )
    })
  }
})

describe('loadOrCreateMasterKey', () => {
  it('creates the folder and the file for its owner alone, and reads the same key afterwards', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'new', 'data')
      const created = await loadOrCreateMasterKey(dataDir)
      assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600)
      assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
      assert.deepEqual(await readdir(dataDir), ['master.key'])
      assert.deepEqual(await loadOrCreateMasterKey(dataDir), created)
    }))

  it('gives all who start at once the same key', () =>
    inFolder(async (folder) => {
      const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateMasterKey(folder)))
      assert.equal(new Set(keys.map(({ id }) => id)).size, 1)
      assert.deepEqual(await readdir(folder), ['master.key'])
    }))

  it('refuses a file that others can open, with the command to run, and leaves it as it is', () =>
    inFolder(async (folder) => {
      const { id } = await loadOrCreateMasterKey(folder)
      const path = join(folder, 'master.key')
      for (const mode of [0o640, 0o604, 0o620]) {
        await chmod(path, mode)
        await assert.rejects(loadOrCreateMasterKey(folder), {
          name: 'MasterKeyError',
          message: /chmod 600 '.*master\.key'/,
        })
        assert.equal((await stat(path)).mode & 0o777, mode)
      }
      await chmod(path, 0o600)
      assert.equal((await loadOrCreateMasterKey(folder)).id, id)
    }))

  for (const [name, text] of [
    ['empty', ''],
    ['cut', 'c2hvcnQ=\n'],
    ['oversized', 'A'.repeat(1000)],
  ] as const) {
    it(`refuses a file that is ${name}, and never replaces it`, () =>
      inFolder(async (folder) => {
        const path = join(folder, 'master.key')
        await writeFile(path, text, { mode: 0o600 })
        await assert.rejects(loadOrCreateMasterKey(folder), MasterKeyError)
        assert.equal(await readFile(path, 'utf8'), text)
      }))
  }

  it('says so when the file cannot be read or made', () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'a', 'master.key'), { recursive: true, mode: 0o700 })
      await assert.rejects(loadOrCreateMasterKey(join(folder, 'a')), {
        name: 'MasterKeyError',
        message: /is not a file/,
      })
      await writeFile(join(folder, 'b'), '')
      await assert.rejects(loadOrCreateMasterKey(join(folder, 'b')), { name: 'MasterKeyError', message: /ENOTDIR/ })
    }))
})
