import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalPhone, isPhone, phoneKey } from './phone.ts'

describe('phone', () => {
  it('accepts + and 7 to 15 digits, however grouped', () => {
    for (const phone of [
      '+1234567',
      '+123456789012345',
      '+49 30 1234-567',
      '+1 (415) 555.2671',
      '(+44)[20]7946 0958',
    ]) {
      assert.equal(isPhone(phone), true, phone)
    }
    assert.equal(canonicalPhone('+1 (415) 555.26-71'), '+14155552671')
  })

  it('refuses everything else', () => {
    const refused = [
      '',
      '+',
      '4930123456',
      '+123456',
      '+1234567890123456',
      '++1234567',
      '+12345a7',
      '+1234567\n',
      '+1234567 x12',
    ]
    for (const phone of [
      ...refused,
      '＋1234567',
      '+１２３４５６７',
      '+١٢٣٤٥٦٧',
      '+123/4567',
      '+1234567\0',
      '+123\t4567',
    ]) {
      assert.equal(isPhone(phone), false, JSON.stringify(phone))
      assert.throws(() => canonicalPhone(phone), TypeError)
    }
  })

  it('gives one canonical form to every grouping of a number', () => {
    const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 7, maxLength: 15 })
    const gaps = fc.array(fc.constantFrom('', ' ', '-', '.', '(', ')', '[', ']', ' - '), {
      minLength: 16,
      maxLength: 16,
    })
    fc.assert(
      fc.property(digits, gaps, (number, gap) => {
        const grouped = Array.from(`+${number}`, (character, index) => `${gap[index] ?? ''}${character}`).join('')
        assert.ok(isPhone(grouped))
        assert.equal(canonicalPhone(grouped), `+${number}`)
        assert.equal(phoneKey(canonicalPhone(grouped)), phoneKey(grouped))
      }),
    )
  })
})
