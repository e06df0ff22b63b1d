// Regression: cookies that could be guessed or partly forged, or were accepted if they could not be parsed (Zitadel CVE-2026-109373,
// authentik CVE-2026-25748, next-auth GHSA-xmf8-cvqr-rfgj).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { type Person, password, signedInPerson } from '../../../test/harness/people/people.ts'
import { type Answer, describeService } from '../../../test/harness/service.ts'
import { newToken } from '../../platform/crypto/tokens.ts'
import { readCookie } from './cookies.ts'

const characters = ['0', 'a', 'Z', '_', '-', '=', ' ', '%', '\\', '"', ';', ',', '\t', '.', '+', '/']

describeService("end users' cookies", (service) => {
  let person: Person
  let name: string
  let value: string
  before(async () => {
    person = await signedInPerson(service(), (await createTenant(service())).tenant)
    const [cookie = assert.fail()] = [...person.browser.cookies].filter(([each]) => each.startsWith('__Host-sid'))
    ;[name, value] = cookie
  })

  const ask = (headers: Record<string, string>) => person.elsewhere().call('getProfile', { headers })
  const withCookie = (cookie: string) => ask({ cookie })
  const isRefused = (answer: Answer) => answer.status === 401 || answer.status === 400

  // Guards: cookies
  it('hold 256 random bits each, and nothing of the session or of its user', async () => {
    const other = person.elsewhere()
    await person.begin(other)
    const values = [...person.browser.cookies.values(), ...other.cookies.values()]
    assert.equal(new Set(values).size, values.length)
    const { sessions } = await other.ok<{ sessions: { id: string }[] }>('listOwnSessions')
    for (const each of values) {
      assert.match(each, /^[a-z]{2}_[0-9A-Za-z]{49}$/)
      for (const { id } of sessions) assert.ok(!each.includes(id))
      assert.ok(!each.includes(person.user.id))
    }
  })

  // Guards: cookies
  it('are refused with any one character changed, dropped or added', async () => {
    assert.equal((await withCookie(`${name}=${value}`)).status, 200)
    await assertWritesNothing(service().deps.db, async () => {
      for (let at = 0; at < value.length; at++) {
        const [head, tail] = [value.slice(0, at), value.slice(at + 1)]
        const changed = characters.filter((each) => each !== value[at]).map((each) => head + each + tail)
        for (const wrong of [...changed, head + tail, `${head}x${value.slice(at)}`]) {
          const answer = await withCookie(`${name}=${wrong}`)
          assert.ok(isRefused(answer), `${wrong}: ${answer.status}`)
        }
      }
    })
  })

  // Guards: cookies
  it('are refused under another name, twice, and in other spellings', async () => {
    const wrong = [
      `__Host-sid=${value}`,
      `${name.replace('__Host-', '')}=${value}`,
      `${name.replace('__Host-', '__host-')}=${value}`,
      `${name}x=${value}`,
      `x${name}=${value}`,
      `${name}=${value}; ${name}=${value}`,
      `${name}=x; ${name}=${value}`,
      `${name}="${value}"`,
      `${name}=${encodeURIComponent(value).replace('_', '%5F')}`,
      `${name}=Bearer ${value}`,
      `${name}=${value}, ${name}=${value}`,
      `${name}:${value}`,
      value,
      `__Host-console=${value}`,
      `__Host-flow-${person.tenantId}=${value}`,
    ]
    for (const cookie of wrong) assert.equal((await withCookie(cookie)).status, 401, cookie)
  })

  // Guards: unparsable-input
  it('full of junk sign in no user and cause no error, nor does any other header', async () => {
    const unit = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code))
    const text = fc.string({ maxLength: 60, unit }).map((each) => each.replaceAll('\x7f', ''))
    const scheme = fc.constantFrom('', 'Bearer ', 'bearer', 'Basic ', 'Bearer se_', 'Bearer  ', 'DPoP ')
    const headers = fc.record({
      cookie: fc
        .array(
          fc.oneof(
            text,
            text.map((each) => `${name}=${each}`),
          ),
          { maxLength: 4 },
        )
        .map((all) => all.join('; ')),
      authorization: fc.option(
        fc.tuple(scheme, text).map((both) => both.join('')),
        { nil: undefined },
      ),
      'x-flow-token': text,
      'x-device-token': text,
      'x-session-transport': fc.oneof(fc.constant('body'), text),
    })
    await fc.assert(
      fc.asyncProperty(headers, async ({ authorization, ...rest }) => {
        const answer = await ask({ ...rest, ...(authorization === undefined ? {} : { authorization }) })
        assert.ok(isRefused(answer), `${answer.status} ${answer.text}`)
      }),
      { numRuns: 150 },
    )
  })

  // Guards: cookies
  it('count as missing for the flow and the device once they are damaged', async () => {
    const body = { identifier: person.email, strategy: 'email_password', password }
    for (let times = 0; times < 5; times++) {
      const wrong = { body: { ...body, password: 'not the right one' } }
      await atOnce(1, () => person.elsewhere().call('createSignIn', wrong))
    }
    const device = [...person.browser.cookies].find(([each]) => each.startsWith('__Host-device')) ?? assert.fail()
    const holding = (token: string) => {
      const browser = new Browser(service(), person.publicKey)
      browser.cookies.set(device[0], token)
      return browser
    }
    for (const token of [`${device[1]}x`, device[1].replace(/.$/, '_'), value, 'x', newToken('dv_')]) {
      await holding(token).refused('createSignIn', 'too_many_attempts', { body })
    }
    await holding(device[1]).ok('createSignIn', { body })
  })
})

describe('the one cookie of a name', () => {
  /** Cuts out every pair and compares its name (RFC 6265 §4.2.1). */
  function byPairs(header: string, name: string) {
    const values = header
      .split(';')
      .map((pair) => [pair, pair.indexOf('=')] as const)
      .filter(([pair, end]) => end !== -1 && pair.slice(0, end).trim() === name)
      .map(([pair, end]) => pair.slice(end + 1).trim())
    return values.length === 1 && /^[\w-]{1,128}$/.test(values[0] ?? '') ? values[0] : undefined
  }

  it('is found as by parsing all pairs, wherever else its name occurs', () => {
    const marks = ['=', '=', ';', ';', '; ', ' ', '\t', '"', '%']
    const piece = fc.constantFrom('sid', 'sid=v', '; sid=v-_1', 'si', 'd', 'x', ...marks)
    let found = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const header = pieces.join('')
        const value = readCookie(header, 'sid')
        assert.equal(value, byPairs(header, 'sid'), header)
        if (value !== undefined) found++
      }),
      { numRuns: 5000 },
    )
    assert.ok(found > 50)
  })
})
