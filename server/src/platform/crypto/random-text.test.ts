import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { base36, base62, createRandomText } from './random-text.ts'

/** Every byte value in turn, over and over. */
function countingFill() {
  let value = 0
  return (buffer: Buffer) => {
    for (let index = 0; index < buffer.length; index++) buffer[index] = value++ % 256
  }
}

describe('random text', () => {
  for (const [name, alphabet] of Object.entries({ base36, base62 })) {
    it(`favours no character of ${name}: equally frequent bytes give equally frequent characters`, () => {
      const perRound = 256 - (256 % alphabet.length)
      const text = createRandomText(alphabet, countingFill())(perRound * 40)
      const counts = new Map<string, number>()
      for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
      assert.equal(counts.size, alphabet.length)
      assert.deepEqual(new Set(counts.values()), new Set([(perRound * 40) / alphabet.length]))
    })
  }

  // Guards: asvs-random
  it('uses no random byte twice', () => {
    const draw = createRandomText(base62, countingFill())
    const whole = createRandomText(base62, countingFill())(43 * 200)
    assert.equal(Array.from({ length: 200 }, () => draw(43)).join(''), whole)
  })

  it('differs from call to call by default', () => {
    const draw = createRandomText(base62)
    assert.equal(new Set(Array.from({ length: 10_000 }, () => draw(22))).size, 10_000)
  })
})
