import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'

const sources = new URL('../../../', import.meta.url)

describe('limits by address', () => {
  // Guards: caller-addresses
  it('are all made in one place, which counts the /48 of an IPv6 address too', async () => {
    const files = (await readdir(sources, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file))
    const users: string[] = []
    for (const file of files) {
      if ((await readFile(new URL(file, sources), 'utf8')).includes('/address-key.ts')) users.push(file)
    }
    assert.deepEqual(users, ['platform/http/limits/address-limit.ts'])
  })
})
