import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shownReason } from './shown-reason.ts'

const reasons: Readonly<Record<string, string>> = {
  'connect ECONNREFUSED 127.0.0.1:25': 'connect ECONNREFUSED 127.0.0.1:25',
  '550 5.1.1 <ada@acme.example> user unknown': '550 5.1.1 <<address>> user unknown',
  'GET https://me:secret@hooks.acme.example/in/T0K?key=abc failed': 'GET https://hooks.acme.example failed',
  'the number +49 170 1234567 is not reachable': 'the number <number> is not reachable',
  'refused: sk_live_9416ymAncJk6IdM2kcAuhnzAIteH': 'refused: <token>',
  'two\nlines\u202eof text': 'two lines of text',
}

describe('the shown reason of a failed job', () => {
  for (const [reason, shown] of Object.entries(reasons)) {
    it(`is ${JSON.stringify(shown)}`, () => assert.equal(shownReason(reason), shown))
  }

  it('is cut if it is long', () => {
    assert.equal(shownReason('no '.repeat(500)).length, 201)
  })
})
