import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formats } from './catalogue.ts'

const accepted: Record<string, readonly string[]> = {
  email: ['name@example.com'],
  phone: ['+49 30 1234567'],
  username: ['kate.b'],
  slug: ['acme-corp'],
  'key-prefix': ['uk_', 'acme_live_'],
  'mail-domain': ['example.com', 'Bücher.example', 'xn--bcher-kva.example'],
  'host-name': ['auth.example.com'],
  'brand-value': ['240 10% 3.9%'],
  'image-color': ['red', '#4f46e5', '240 10% 3.9%'],
  'layer-url': ['c12345678', 'https://img.example.com/a.png'],
  cursor: ['2026-11-20T22:49:43.018032Z'],
  'per-page': ['1', '9', '10', '99', '100'],
  id: ['c12345678', 'C________', 'cm3x0a9k1b2c3d4e5f6g7h8i9', 'c家家家家家家家家', `c${'x'.repeat(63)}`],
  'web-uri': ['https://example.com/callback'],
  issuer: ['https://accounts.example.com', 'https://example.com/realms/acme', 'http://localhost:4000'],
  'resource-indicator': [
    'https://api.example.com',
    'https://api.example.com/v1',
    'urn:example:orders',
    'http://localhost:3000',
  ],
  'support-uri': ['https://example.com/help', 'mailto:help+me@example.com'],
  'redirect-uri': ['https://example.com/callback', 'com.example.app:/callback'],
  'webhook-url': ['https://hooks.example.com/in?x=1'],
  permission: ['a', '*', 'org:members:manage', 'org:*', 'a_b-c.d:1', 'x'.repeat(100)],
  'claim-name': ['plan', '_a', 'https://hasura.io/roles', 'x-y.z:1', 'a'.repeat(100)],
  'claim-source': ['user.id', 'constant', 'user.publicMeta.plan', 'membership.privateMeta.a.b-c.d.e_.f'],
  timezone: ['UTC', 'Europe/Vienna', 'America/Argentina/Ushuaia'],
  locale: ['de', 'de-AT', 'zh-Hans'],
  password: ['12345678', ' spaces ', 'p\tw\n......', '😀'.repeat(8), '😀'.repeat(256)],
  'file-name': ['ada.png', '100%.svg'],
  'media-path': ['logos/acme.png'],
  text: ['', 'Zoë\n😀'],
  'plain-line': ['', 'Zoë & <b>家</b> 😀 {{ code }}'],
}

const refused: Record<string, readonly string[]> = {
  email: ['name'],
  phone: ['030 1234567'],
  username: ['@kate'],
  slug: ['abc'],
  timezone: ['', '+01:00', 'Mars/Olympus', ' UTC'],
  locale: ['', 'tlh', 'de_AT', 'de,en'],
  'key-prefix': ['', '_', 'acme', 'Acme_', '1a_', 'sk_', 'sk_live_', 'ak_', 'scim_', `${'a'.repeat(24)}_`],
  'mail-domain': [
    '',
    'com',
    '-a.com',
    'a.com.',
    'a@b.com',
    'a b.com',
    '127.0.0.1',
    'a..com',
    'a.com/x',
    '*.a.com',
    '%61.com',
  ],
  'host-name': ['-a.com'],
  'support-uri': [
    'http://example.com',
    'mailto:',
    'mailto:help',
    'mailto:a@example.com?bcc=b@example.com',
    'mailto:a@example.com,b@example.com',
    'mailto:a%40b@example.com',
    'tel:+49301234567',
    'javascript:alert(1)',
  ],
  'plain-line': ['two\nlines', 'a\u0085b', 'a\u2028b', '\u0007'],
  'brand-value': ['red;'],
  'image-color': ['red;', 'banana', ''],
  cursor: ['2026-11-20'],
  'per-page': [
    '',
    '0',
    '00',
    '01',
    '101',
    '1000',
    '-1',
    '+1',
    '1.0',
    '1e1',
    ' 1',
    '1 ',
    '1\n',
    '١',
    '１',
    '0x10',
    'ten',
    'NaN',
  ],
  id: [
    '',
    'c1234567',
    'd12345678',
    'c1234-678',
    'c1234 678',
    'c12345678\n',
    'c1234\u00a0678',
    'xc12345678',
    `c${'x'.repeat(64)}`,
  ],
  'web-uri': ['//evil.com'],
  'resource-indicator': [
    '',
    'api',
    'http://api.example.com',
    'http://localhost.evil.example',
    'http://localhost@evil.example/',
    'https://api.example.com?a=1',
    'https://a:b@example.com/',
    'urn:a#b',
  ],
  issuer: ['', 'accounts.example.com', 'http://example.com', 'https://example.com?a=1', 'https://example.com#a'],
  'redirect-uri': ['//evil.com', 'javascript:/x', 'https://example.com/#x'],
  'layer-url': ['', 'logo.png', '/logo.png', 'file:///etc/passwd', 'data:image/png;base64,AA=='],
  'webhook-url': ['ftp://hooks.example.com/', '//hooks.example.com'],
  permission: ['', ':', 'a:', ':a', 'a::b', 'a b', 'a\n', 'ä', 'a/b', 'x'.repeat(101)],
  'claim-name': ['', 'sub', 'SUB', 'email', '__proto__', '1a', 'a b', 'ä', 'a\n', 'a'.repeat(101)],
  'claim-source': [
    '',
    'user',
    'user.publicMeta',
    'user.publicMeta.',
    'user.publicMeta.a.b.c.d.e.f',
    'user.salt',
    'user.id\n',
  ],
  password: ['', '1234567', '😀'.repeat(7), '😀'.repeat(257), 'x'.repeat(257)],
  'file-name': ['', '..', 'a/b', 'a\\b', 'a\nb'],
  'media-path': ['', '/a', 'a/../b', '%2e', 'a\\b'],
  text: ['\0'],
}

describe('formats', () => {
  for (const [name, { test, rule }] of Object.entries(formats)) {
    describe(name, () => {
      it('accepts and refuses values as its rule says', () => {
        for (const value of accepted[name] ?? assert.fail()) assert.equal(test(value), true, JSON.stringify(value))
        for (const value of refused[name] ?? assert.fail()) assert.equal(test(value), false, JSON.stringify(value))
        assert.match(rule, /^must /)
      })

      it('refuses NUL and lone surrogates anywhere in what it accepts', () => {
        const value = fc.constantFrom(...(accepted[name] ?? []))
        fc.assert(
          fc.property(value, fc.constantFrom('\0', '\ud800', '\udfff'), fc.nat(), (good, bad, at) => {
            const characters = Array.from(good)
            assert.equal(test(characters.toSpliced(at % (characters.length + 1), 1, bad).join('')), false)
          }),
        )
      })

      it('returns true or false for every text', () => {
        const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes))
        fc.assert(
          fc.property(fc.oneof(units, fc.string({ unit: 'binary' })), (value) => typeof test(value) === 'boolean'),
        )
      })

      it('takes time linear in the length of junk', () => {
        // Processor time, not wall-clock time: on a busy machine this process waits.
        const start = process.cpuUsage()
        for (const part of ['a', '0', '.', '-', '_', ' ', ':', '(', ',', '+1', 'a.', 'a:', '1 ', 'a@', '\ufdfa']) {
          for (const end of ['', '!', '\0']) test(part.repeat(50_000) + end)
        }
        const { user, system } = process.cpuUsage(start)
        assert.ok(user + system < 2_000_000, `${user + system} µs`)
      })
    })
  }
})
