import assert from 'node:assert/strict'
import { Console } from 'node:console'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret } from './secret.ts'

const value = 'correct-horse-battery-staple'
const secret = new Secret(value)
const nested = { list: [secret], map: new Map([[secret, secret]]), error: new Error('refused', { cause: secret }) }

function printed(subject: unknown): string {
  const stdout = new PassThrough()
  const output = new Console({ stdout, stderr: stdout })
  output.log(subject)
  output.dir(subject, { showHidden: true, depth: null })
  output.error('%s %o %O %j', subject, subject, subject, subject)
  output.table([subject])
  return String(stdout.read())
}

describe('Secret', () => {
  it('gives its value to reveal() only', () => {
    assert.equal(secret.reveal(), value)
    assert.deepEqual(Reflect.ownKeys(secret), [])
  })

  const prints: Record<string, () => string> = {
    'console.log': () => printed(secret),
    'console.log of something that holds it': () => printed(nested),
    'JSON.stringify': () => JSON.stringify({ secret, nested }),
    'util.inspect with everything shown': () => inspect(nested, { showHidden: true, depth: null, customInspect: true }),
    'util.format': () => format('%s %o %O %j', secret, secret, secret, secret),
    'a template string': () => `${String(secret)} ${secret.toString()}`,
    'a sum of texts': () => ['', secret].join(''),
    'an error message': () => new Error(String(secret)).stack ?? '',
  }
  for (const [name, print] of Object.entries(prints)) {
    it(`prints as [secret] through ${name}`, () => {
      const text = print()
      assert.match(text, /\[secret\]/)
      assert.doesNotMatch(text, /correct-horse/)
    })
  }

  it('does not show its value without its own inspection either', () => {
    assert.doesNotMatch(inspect(secret, { customInspect: false, showHidden: true }), /correct-horse/)
  })
})
