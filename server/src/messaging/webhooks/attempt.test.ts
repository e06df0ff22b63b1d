import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Event } from '@bailiwick/contract'
import { messageOf } from './attempt.ts'

const event: Event = {
  id: 'cevent00000',
  tenantId: 'ctenant0000',
  type: 'role.created',
  actor: { type: 'operator', id: null },
  subject: { type: 'role', id: 'crole000000' },
  data: { name: 'editor' },
  ip: null,
  ua: null,
  createdAt: '2026-11-20T22:49:43.018032Z',
}

describe('messageOf', () => {
  it('is the type, the time and the event', () => {
    assert.deepEqual(JSON.parse(messageOf(event)), { type: event.type, timestamp: event.createdAt, data: event })
  })

  it('never exceeds 64 KiB: too large an event goes without its data', () => {
    const large = { ...event, data: { text: 'ä'.repeat(40_000) } }
    const message = messageOf(large)
    assert.ok(Buffer.byteLength(message) <= 65_536)
    assert.deepEqual(JSON.parse(message), {
      type: event.type,
      timestamp: event.createdAt,
      data: { ...event, data: { truncated: true } },
    })
  })
})
