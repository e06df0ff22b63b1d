import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isTimestamp, parseCursor } from './timestamp.ts'

const exactly = (time: string) => ({ from: time, to: time })

describe('parseCursor', () => {
  for (const [text, from, to] of [
    ['2026-11-20T22:49:43.018032Z', '2026-11-20T22:49:43.018032Z', '2026-11-20T22:49:43.018032Z'],
    ['2026-11-20T22:49:43.018Z', '2026-11-20T22:49:43.018000Z', '2026-11-20T22:49:43.018999Z'],
    ['2026-11-20T22:49:43Z', '2026-11-20T22:49:43.000000Z', '2026-11-20T22:49:43.999999Z'],
    ['2026-11-20t22:49:43.1z', '2026-11-20T22:49:43.100000Z', '2026-11-20T22:49:43.199999Z'],
    ['2026-11-20T22:49:43.018032999Z', '2026-11-20T22:49:43.018032Z', '2026-11-20T22:49:43.018032Z'],
    ['2026-12-31T23:30:00.000001-01:00', '2027-01-01T00:30:00.000001Z', '2027-01-01T00:30:00.000001Z'],
    ['2024-03-01T00:00:00.5+05:30', '2024-02-29T18:30:00.500000Z', '2024-02-29T18:30:00.599999Z'],
    ['0000-01-01T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z', '9999-12-31T23:59:59.999999Z'],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(parseCursor(text), { from, to }))
  }

  it('refuses text that is not a real date-time with an offset', () => {
    const shapes = [
      '',
      'now',
      '2026',
      '2026-11-20',
      '2026-11-20T22:49Z',
      '2026-11-20T22:49:43',
      '2026-11-20 22:49:43Z',
      '20261120T224943Z',
      '1700000000',
    ]
    const digits = [
      '2026-11-20T22:49:43.Z',
      '2026-11-20T22:49:43.0000000001Z',
      '2026-11-20T22:49:43,5Z',
      '٢٠٢٦-11-20T22:49:43Z',
      '+002026-11-20T22:49:43Z',
    ]
    const dates = [
      '2026-02-29T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '1900-02-29T00:00:00Z',
    ]
    const times = ['2026-11-20T24:00:00Z', '2026-11-20T22:60:00Z', '2026-11-20T23:59:60Z']
    const offsets = [
      '2026-11-20T22:49:43+24:00',
      '2026-11-20T22:49:43+01:60',
      '2026-11-20T22:49:43+01',
      '2026-11-20T22:49:43+0100',
      '2026-11-20T22:49:43 01:00',
    ]
    const bounds = [
      '0000-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '10000-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
    ]
    const around = [
      ' 2026-11-20T22:49:43Z',
      '2026-11-20T22:49:43Z\n',
      "2026-11-20T22:49:43Z' OR 1=1--",
      '2026-11-20T22:49:43Z\0',
    ]
    for (const text of [...shapes, ...digits, ...dates, ...times, ...offsets, ...bounds, ...around]) {
      assert.equal(isTimestamp(text), false, JSON.stringify(text))
    }
  })

  const moments = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  const micros = fc.integer({ min: 0, max: 999 }).map((micro) => String(micro).padStart(3, '0'))
  const stored = fc.tuple(moments, micros).map(([date, micro]) => date.toISOString().replace('Z', `${micro}Z`))

  it('returns every stored time unchanged', () => {
    fc.assert(fc.property(stored, (time) => assert.deepEqual(parseCursor(time), exactly(time))))
  })

  it('covers a stored time that a client has cut to fewer digits, and no time with other remaining digits', () => {
    fc.assert(
      fc.property(stored, fc.integer({ min: 0, max: 5 }), (time, digits) => {
        const cut = time.slice(0, digits === 0 ? 19 : 20 + digits)
        const range = parseCursor(`${cut}Z`)
        assert.ok(range !== undefined && range.from <= time && time <= range.to)
        assert.ok(range.from.startsWith(cut) && range.to.startsWith(cut))
      }),
    )
  })

  it('means the same moment whatever offset it is written with', () => {
    fc.assert(
      fc.property(stored, fc.integer({ min: -1439, max: 1439 }), (time, offset) => {
        const there = new Date(Date.parse(time) + offset * 60_000).toISOString().slice(0, 19)
        const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16)
        assert.deepEqual(parseCursor(`${there}${time.slice(19, 26)}${offset < 0 ? '-' : '+'}${clock}`), exactly(time))
      }),
    )
  })
})
