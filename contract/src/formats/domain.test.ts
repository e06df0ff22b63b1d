import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { domainKey, isDomain } from './domain.ts'

const label = 'd'.repeat(63)

describe('domain', () => {
  it('accepts labels of letters, digits and hyphens', () => {
    const longest = `${label}.${label}.${label}.${'d'.repeat(61)}`
    for (const domain of [
      'example.com',
      'a.b',
      'A-1.Example.COM',
      'localhost',
      'xn--bcher-kva.example',
      `${label}.com`,
      longest,
    ]) {
      assert.equal(isDomain(domain), true, domain)
    }
  })

  it('refuses everything else', () => {
    const refused = [
      '',
      '.',
      '.a',
      'a.',
      'a..b',
      '-a.com',
      'a-.com',
      'a.-b',
      '-',
      'a_b.com',
      'a b.com',
      ' a.com',
      'a.com\n',
      '*.a.com',
    ]
    const addresses = [
      'https://a.com',
      'a.com/x',
      'a.com:80',
      'x@a.com',
      '[::1]',
      'bücher.example',
      'a。com',
      'ａ.com',
      'a.com\0',
    ]
    for (const domain of [...refused, ...addresses, `d${label}.com`, `${label}.${label}.${label}.${'d'.repeat(62)}`]) {
      assert.equal(isDomain(domain), false, JSON.stringify(domain))
    }
  })

  it('accepts every valid host name, and its key too', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        assert.ok(isDomain(domain))
        assert.ok(isDomain(domainKey(domain)))
        assert.equal(domainKey(domain.toUpperCase()), domainKey(domain))
      }),
    )
  })
})
