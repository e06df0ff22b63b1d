import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Puzzle } from '@bailiwick/contract'
import type { TenantId } from '../../platform/ids.ts'
import { newPuzzle, readAnswer } from './proof-of-work.ts'

const hashCode = (text: string) => createHmac('sha256', 'a key of this test').update(text).digest('base64url')
const tenantId = 'cmi7x9q3r0a1c6v9f3j5l2o4s' as TenantId
const terms = { tenantId, purpose: 'sign_up', expiresAtSeconds: 1000 } as const
const at = { tenantId, purpose: 'sign_up', nowSeconds: 900 } as const
const maxnumber = 300

const findNumber = ({ salt, challenge }: Puzzle) => {
  for (let number = 0; number <= maxnumber; number++) {
    if (hash('sha256', `${salt}${number}`, 'hex') === challenge) return number
  }
  return assert.fail('the puzzle has no solution')
}
const encode = (answer: object) => Buffer.from(JSON.stringify(answer)).toString('base64')
const read = (answer: object, where: Parameters<typeof readAnswer>[2] = at) =>
  readAnswer(hashCode, encode(answer), where)

describe('the answer to a puzzle', () => {
  const puzzle = newPuzzle(hashCode, terms, maxnumber)
  const answer = { ...puzzle, number: findNumber(puzzle), took: 12 }

  it('is right for its tenant and purpose, until it expires', () => {
    assert.deepEqual(read(answer), { challenge: puzzle.challenge, expiresAtSeconds: 1000 })
    assert.equal(read(answer, { ...at, tenantId: 'another' as TenantId }), undefined)
    assert.equal(read(answer, { ...at, purpose: 'sign_in' }), undefined)
    assert.equal(read(answer, { ...at, nowSeconds: 1000 }), undefined)
  })

  // Guards: puzzles
  it('is refused if any part of it was changed, also if digits were moved between salt and number', () => {
    const { salt, number } = answer
    const spliced = Array.from(String(number), (_, index) => ({
      ...answer,
      salt: salt + String(number).slice(0, index + 1),
      number: Number(String(number).slice(index + 1) || 0),
    }))
    const later = { ...answer, salt: salt.replace('expires=1000', 'expires=9999') }
    const own = 'ab?expires=99999&purpose=sign_up&tenant=cmi7x9q3r0a1c6v9f3j5l2o4s&'
    const chosen = { ...answer, salt: own, number: 1, challenge: hash('sha256', `${own}1`, 'hex') }
    for (const changed of [...spliced, later, chosen, { ...answer, number: number + 1 }, { ...answer, signature: '' }])
      assert.equal(read(changed), undefined, JSON.stringify(changed))
  })

  it('is refused if it is no such answer at all', () => {
    const junk = [
      '',
      'null',
      encode([]),
      encode({}),
      'A'.repeat(5000),
      encode({ ...answer, number: String(answer.number) }),
    ]
    for (const text of [...junk, encode({ ...answer, number: -1 }), encode({ ...answer, number: 0.5 })])
      assert.equal(readAnswer(hashCode, text, at), undefined, text.slice(0, 80))
  })
})
