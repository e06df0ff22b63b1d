import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { MasterKeyError } from '../../platform/crypto/master-key.ts'
import { keyFiles } from '../../platform/crypto/master-keys.ts'
import type { Reader } from '../../platform/db/database.ts'
import { assertMasterKeyIsThere } from './fitting-master-key.ts'

/** A database with tenants, in which something else happens during the query for them. */
const withTenants = (meanwhile: () => void = () => {}): Reader => {
  const rows = async () => {
    meanwhile()
    return [{ one: 1 }]
  }
  return { engine: 'postgresql', all: rows, first: async () => (await rows())[0] } as unknown as Reader
}

describe('finding the master key of a database with tenants', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-key-'))
  after(() => rmSync(folder, { recursive: true }))
  const newDirectory = () => ({ masterKey: undefined, dataDir: mkdtempSync(join(folder, 'data-')) })

  it('refuses to start without it', async () => {
    await assert.rejects(assertMasterKeyIsThere(newDirectory(), withTenants()), MasterKeyError)
  })

  it('finds it if another node makes it, and then the first tenant, at the same moment', async () => {
    const config = newDirectory()
    const meanwhile = () => writeFileSync(join(config.dataDir, keyFiles.current), 'made by another node')
    await assertMasterKeyIsThere(config, withTenants(meanwhile))
  })
})
