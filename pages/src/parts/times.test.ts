import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ago } from './times.ts'

describe('the date of a time long past', () => {
  const at = '2026-01-01T20:00:00.000000Z'
  const now = '2026-06-01T00:00:00.000000Z'
  const language = { tag: 'en', direction: 'ltr' } as const

  it('is that of the time zone of the reader, or of UTC', () => {
    assert.equal(ago({ language, timezone: 'Asia/Tokyo' }, at, now), 'January 2, 2026')
    assert.equal(ago({ language }, at, now), 'January 1, 2026')
  })
})
