import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseUserAgent } from './user-agent.ts'

type Row = readonly [
  browser: string | null,
  engine: string | null,
  os: string | null,
  device: string | null,
  cpu: string | null,
]

/** The headers that these browsers and programs send. */
const table: Readonly<Record<string, Row>> = {
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0': [
    'Firefox 144',
    'Gecko',
    'Linux',
    'desktop',
    'x86_64',
  ],
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36': [
    'Chrome 142',
    'Blink',
    'Windows',
    'desktop',
    'x86_64',
  ],
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.3595.53':
    ['Edge 142', 'Blink', 'Windows', 'desktop', 'x86_64'],
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0':
    ['Opera 124', 'Blink', 'Windows', 'desktop', 'x86_64'],
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15':
    ['Safari 18', 'WebKit', 'macOS', 'desktop', null],
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1':
    ['Safari 18', 'WebKit', 'iOS', 'mobile', null],
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1':
    ['Chrome 142', 'WebKit', 'iOS', 'mobile', null],
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/144.0 Mobile/15E148 Safari/605.1.15':
    ['Firefox 144', 'WebKit', 'iPadOS', 'tablet', null],
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36': [
    'Chrome 142',
    'Blink',
    'Android',
    'mobile',
    null,
  ],
  'Mozilla/5.0 (Linux; Android 14; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36':
    ['Samsung Internet 28', 'Blink', 'Android', 'tablet', null],
  'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0': [
    'Firefox 144',
    'Gecko',
    'Android',
    'mobile',
    null,
  ],
  'Mozilla/5.0 (X11; CrOS aarch64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36': [
    'Chrome 142',
    'Blink',
    'ChromeOS',
    'desktop',
    'arm64',
  ],
  'curl/8.16.0': [null, null, null, null, null],
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': [null, null, null, null, null],
  'acme-backend/1.4 (linux; x86_64)': [null, null, null, null, null],
  '': [null, null, null, null, null],
}

describe('the description of a user agent', () => {
  for (const [ua, row] of Object.entries(table)) {
    it(`is ${row[0] ?? 'nothing'} on ${row[2] ?? 'nothing'} for ${JSON.stringify(ua.slice(0, 60))}`, () => {
      const { browser, engine, os, device, cpu } = parseUserAgent(ua)
      assert.deepEqual([browser, engine, os, device, cpu], row)
    })
  }

  it('is empty without a header', () => {
    assert.deepEqual(Object.values(parseUserAgent(null)), [null, null, null, null, null])
  })

  it('is short for any header, and parsed without backtracking', () => {
    const words = fc.constantFrom('Chrome/', '1', 'Safari/', 'Version/9', 'Mobile/', ' ', '(iPad', 'Android', '.', 'x')
    fc.assert(
      fc.property(fc.array(words, { maxLength: 120 }), (parts) => {
        for (const value of Object.values(parseUserAgent(parts.join('')))) {
          assert.ok(value === null || (typeof value === 'string' && value.length < 160))
        }
      }),
    )
  })
})
