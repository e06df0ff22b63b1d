import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeptValues, keptWithTenant } from '../tenants/kept-with-tenant.ts'
import type { TenantEntry } from '../tenants/tenant-entry.ts'
import { createEntries } from './entries.ts'

/** Room for some ten of the entries below. */
const bytesMax = 12_000
const name = 'a'.repeat(1000)

function newEntry(id: string, onMore: (entry: TenantEntry) => void): TenantEntry {
  const entry = { row: { id, name }, kept: new KeptValues(() => onMore(entry)) } as unknown as TenantEntry
  return entry
}

const read = keptWithTenant('thing', async (_db, tenantId, thing) => ({ text: `${thing} of ${tenantId}` }))

function newEntries() {
  const reads: string[] = []
  const entries = createEntries(async (id, onMore) => {
    reads.push(id)
    return newEntry(id, onMore)
  }, bytesMax)
  return { entries, reads }
}

describe('entries of tenants in memory', () => {
  it('are bounded in bytes, and those that were used last are kept', async () => {
    const { entries, reads } = newEntries()
    for (let index = 0; index < 30; index++) {
      await entries.byId(`tenant${index}`)
      assert.ok(entries.inMemory('tenant0'))
    }
    assert.ok(entries.use().entries <= 12, `${entries.use().entries} entries`)
    assert.ok(entries.inMemory('tenant29'))
    assert.equal(entries.inMemory('tenant1'), undefined)
    assert.equal(reads.length, 30)
  })

  it('take more memory with what is read of their tenants, and others make room for it', async () => {
    const { entries } = newEntries()
    for (const id of ['one', 'two']) await entries.byId(id)
    const two = entries.inMemory('two')
    assert.ok(two)
    for (let index = 0; index < 31; index++) await read({} as never, two, `thing ${index}`)
    assert.equal(entries.inMemory('one'), undefined)
    assert.deepEqual(entries.inMemory('two')?.kept.get('thing thing 1'), { text: 'thing 1 of two' })
  })

  it('do not come back by what is read of a tenant that has changed meanwhile', async () => {
    const { entries } = newEntries()
    const before = await entries.byId('one')
    assert.ok(before)
    entries.invalidate('one')
    await read({} as never, before, 'hat')
    assert.equal(entries.inMemory('one'), undefined)
    const after = await entries.byId('one')
    await read({} as never, before, 'coat')
    assert.equal(entries.inMemory('one'), after)
    assert.equal(after?.kept.get('thing coat'), undefined)
  })
})

describe('what is kept with a tenant', () => {
  it('is bounded for each tenant, and the oldest goes first', () => {
    const kept = new KeptValues()
    for (let index = 0; index < 4000; index++) kept.set(`value ${index}`, { text: name })
    assert.ok(kept.bytes <= 4 * 1024 * 1024, `${kept.bytes} bytes`)
    assert.equal(kept.get('value 0'), undefined)
    assert.deepEqual(kept.get('value 3999'), { text: name })
  })
})
