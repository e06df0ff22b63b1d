import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalEmail, emailKey, isEmail } from './email.ts'

const label63 = 'd'.repeat(63)
const local64 = 'l'.repeat(64)
const longest = `${local64}@${label63}.${label63}.${'d'.repeat(57)}.com`

describe('isEmail', () => {
  const accepted = [
    'name@example.com',
    'First.Last+tag@sub.example.co.uk',
    "o'neil!#$%&*/=?^_`{|}~-@example.com",
    'a@b.co',
    'zoë@bücher.example',
    '用户@例子.测试',
    'name@xn--bcher-kva.example',
    `${local64}@example.com`,
    `${'é'.repeat(32)}@example.com`,
    longest,
  ]
  for (const email of accepted) it(`accepts ${email}`, () => assert.equal(isEmail(email), true))

  const refused = {
    'no at': ['', 'name', 'example.com'],
    'an empty side': ['@', '@example.com', 'name@'],
    'two addresses': ['a@x.com,b@y.com', 'a@x.com;b@y.com', 'a@x.com b@y.com', 'a@@x.com', 'a@b@x.com'],
    'a quoted local part': ['"e@attacker.com"@victim.com', '"name"@example.com', 'a\\@b@example.com'],
    'display names, groups, comments': [
      '<name@example.com>',
      'Name <name@example.com>',
      'group:name@example.com;',
      'name(comment)@example.com',
      'name@example.com(comment)',
      'mailto:name@example.com',
    ],
    'what NFKC turns into a separator': [
      'name＠example.com',
      'a@b＠example.com',
      'name@example。com',
      'name@example｡com',
      'name@a⒈com',
      'a․b@example.com',
      'a…b@example.com',
      'a；b@example.com',
      'a，b@example.com',
      'a＜b@example.com',
      'a\u037eb@example.com',
      '¨a@example.com',
    ],
    'whitespace, controls, bidi, invisible': [
      ' name@example.com',
      'name@example.com ',
      'na me@example.com',
      'name@example.com\n',
      'name@exam\tple.com',
      'name\r\nBcc:x@example.com',
      'na\0me@example.com',
      'na\x7fme@example.com',
      'na\u202eme@example.com',
      'na\u2066me@example.com',
      'na\u200bme@example.com',
      'na\u00adme@example.com',
      'name@exam\u00adple.com',
      'name@example\ufe0f.com',
      'na\u00a0me@example.com',
      'na\ud800me@example.com',
    ],
    'misplaced dots': [
      '.name@example.com',
      'name.@example.com',
      'na..me@example.com',
      'name@.example.com',
      'name@example.com.',
      'name@example..com',
    ],
    'no mail domain': [
      'name@localhost',
      'name@[127.0.0.1]',
      'name@[IPv6:::1]',
      'name@127.0.0.1',
      'name@127.1',
      'name@2130706433',
      'name@0x7f.1',
      'name@①②⑦.0.0.1',
      'name@example.123',
      'name@-example.com',
      'name@example-.com',
      'name@exam_ple.com',
      'name@exa%6dple.com',
      'name@example.com:25',
      'name@example.com/x',
      'name@example.com?x',
      'name@example.com#x',
      'name@☃.net',
      `name@${'d'.repeat(64)}.com`,
    ],
    'more than SMTP carries': [
      `l${local64}@example.com`,
      `${'é'.repeat(33)}@example.com`,
      longest.replace('.com', 'd.com'),
      `name@${`${label63}.`.repeat(4)}com`,
      `${'é'.repeat(32)}@${'ü.'.repeat(90)}com`,
    ],
  }
  for (const [reason, emails] of Object.entries(refused)) {
    // Guards: single-recipients
    it(`refuses ${reason}`, () => {
      for (const email of emails) assert.equal(isEmail(email), false, JSON.stringify(email))
    })
  }

  // Guards: header-injection
  it('checks junk of the maximum length in well under 5 ms', () => {
    const junk = [
      'a'.repeat(254),
      '.'.repeat(254),
      '@'.repeat(254),
      `a@${'ü'.repeat(252)}`,
      '\ufdfa'.repeat(254),
      `a@${'a.'.repeat(126)}`,
    ]
    for (const email of junk) isEmail(email)
    // Processor time, not wall-clock time: on a busy machine this process waits.
    const start = process.cpuUsage()
    for (let round = 0; round < 20; round++) for (const email of junk) isEmail(email)
    const { user, system } = process.cpuUsage(start)
    assert.ok((user + system) / (20 * junk.length) < 5000)
  })
})

describe('canonicalEmail and emailKey', () => {
  it('keep the local part as typed, and fold it only in the key', () => {
    assert.equal(canonicalEmail('Zoe\u0308.K@EXAMPLE.Com'), 'Zoë.K@example.com')
    assert.equal(emailKey('Zoe\u0308.K@EXAMPLE.Com'), 'zoë.k@example.com')
    assert.equal(emailKey('\u212Aate@x.org'), emailKey('KATE@X.ORG'))
    assert.equal(emailKey('STRASSE@x.org'), emailKey('straße@x.org'))
  })

  // Guards: alike-names
  it('turn a Unicode domain into the ASCII one, so that look-alikes differ', () => {
    assert.equal(canonicalEmail('a@exаmple.com'), 'a@xn--exmple-4nf.com')
    assert.equal(emailKey('a@Bücher.example'), emailKey('a@xn--bcher-kva.EXAMPLE'))
    assert.equal(emailKey('a@ｅxample.com'), 'a@example.com')
    assert.notEqual(emailKey('a@exаmple.com'), emailKey('a@example.com'))
  })

  it('throw for text that is not an address', () => {
    assert.throws(() => canonicalEmail('a@x.com,b@y.com'), TypeError)
    assert.throws(() => emailKey('name'), TypeError)
  })

  it('are stable, keep one ASCII separator and stay within the limits, for every accepted address', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
      fc.string({ minLength: 1, maxLength: 12 }),
    )
    const host = fc.oneof(
      fc.domain(),
      fc
        .string({ unit: fc.constantFrom(...Array.from('aZ9-üßΣ例ａſ.')), minLength: 1, maxLength: 20 })
        .map((name) => `${name}.com`),
    )
    let accepted = 0
    fc.assert(
      fc.property(
        fc.oneof(
          part,
          fc.emailAddress().map((email) => email.split('@')[0] ?? ''),
        ),
        host,
        (local, domain) => {
          const email = `${local}@${domain}`
          if (!isEmail(email)) return
          accepted++
          const canonical = canonicalEmail(email)
          const key = emailKey(email)
          assert.ok(isEmail(canonical), JSON.stringify(canonical))
          assert.equal(canonicalEmail(canonical), canonical)
          assert.equal(emailKey(canonical), key)
          assert.equal(canonical.split('@').length, 2)
          assert.equal(key.split('@').length, 2)
          assert.match(canonical, /^[^\s,;:<>()"[\]\\]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u)
          assert.ok(Buffer.byteLength(canonical) <= 254)
        },
      ),
      { numRuns: 3000 },
    )
    assert.ok(accepted > 500, String(accepted))
  })
})

describe('addresses in plain ASCII', () => {
  it('have the domain that the URL parser returns, or are refused', () => {
    const pieces = fc.constantFrom('a', 'Z', '0', '7', '-', '.', '..', 'xn--', 'bcher-kva', '0x1f', 'com', '_')
    const domains = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((list) => list.join(''))
    fc.assert(
      fc.property(domains, (domain) => {
        const email = `name@${domain}`
        if (!isEmail(email)) return
        assert.equal(canonicalEmail(email), `name@${new URL(`http://${domain}`).hostname}`)
      }),
      { numRuns: 2000 },
    )
  })
})
