import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from './memory.ts'

describe('a cache of so many entries at most', () => {
  it('forgets the least recently used entry, however large the values are', () => {
    const cache = new LRUCache<string, string>({ ...entriesAtMost(2), ttl: 1000 })
    cache.set('one', 'a'.repeat(1000)).set('two', 'b')
    cache.get('one')
    cache.set('three', 'c')
    assert.deepEqual([...cache.keys()], ['three', 'one'])
  })
})
