import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isRedirectUri, isWebUri } from './redirect-uri.ts'

const words = (text: string) => text.split(/\s+/)

describe('isWebUri', () => {
  const accepted = [
    ...words(`https://example.com https://example.com/ HTTPS://Example.com/Path https://example.com:8443/a/b?c=d&e=%20#f
      https://example.com?x=1 https://example.com#/sign-in https://xn--bcher-kva.example/ https://192.0.2.1/cb
      https://[2001:db8::1]/ http://localhost http://localhost:3000/callback http://app.localhost:3000/
      http://127.0.0.1:8080/ http://[::1]:3000/x`),
    `https://example.com/${'x'.repeat(2028)}`,
  ]
  for (const uri of accepted) it(`accepts ${uri.slice(0, 80)}`, () => assert.equal(isWebUri(uri), true))

  const refused = {
    'what is not absolute': [
      '',
      ...words(
        '/ /path //evil.com ///evil.com evil.com ?x #x https: https:// https:///evil.com https:evil.com https:/evil.com',
      ),
    ],
    'other schemes':
      words(`javascript:alert(1) JaVaScRiPt://x/%0aalert(1) data:text/html,x vbscript:x file:///etc/passwd
      ftp://example.com/ blob:https://example.com/x about:blank mailto:a@b.co myapp://callback ws://localhost/
      view-source:https://a.com/`),
    'plain http away from loopback': words(`http://example.com/ http://localhost.evil.com/ http://127.0.0.1.evil.com/
      http://evil.com/localhost http://192.168.0.1/ http://0.0.0.0/ http://[::]/ http://[::ffff:127.0.0.1]/
      http://localhost@evil.com/ http://notlocalhost/`),
    credentials:
      words(`https://user@example.com/ https://user:pass@example.com/ https://good.com@evil.com/ https://@evil.com/
      https://:@evil.com/ https://good.com%40evil.com/`),
    'whitespace, controls and backslashes': [
      ' https://evil.com',
      'https://evil.com ',
      'https://evil.com/\t',
      'ht\ntps://evil.com/',
      '/\t/evil.com',
      '/\\evil.com',
      '\\\\evil.com',
      'https:\\\\evil.com',
      'https://good.com\\@evil.com/',
      'https://example.com/a b',
      'https://example.com/?x=\\evil.com',
      'https://example.com/#\\evil.com',
      'https://example.com/\r\nSet-Cookie:x',
      'https://example.com/\0',
      'https://example.com/\u00a0',
      'https://example.com/\x7f',
      '\u200bhttps://example.com/',
      'https://example.com/\ud800',
    ],
    'what parsers repair': words(`https://example.com/a/../b https://example.com/./ https://example.com/%2e%2e/x
      https://example.com:443/ https://example.com:/ https://example.com:0443/ https://exa%6dple.com/ https://bücher.example/
      https://example。com/ https://ｅxample.com/ https://①②⑦.0.0.1/ https://127.1/ https://0x7f.1/ https://2130706433/
      https://017700000001/ http://127.1/ https://[0:0:0:0:0:0:0:1]/ https://example.com/ü https://example.com/"x"
      https://example.com/<img>`),
    'hosts that are none':
      words(`https://*.example.com/ https://exa_mple.com/ https://a..b/ https://-a.com/ https://example.com./
      https://exa(mple.com/ https://example.com:99999/`),
    'what is too long': [`https://example.com/${'x'.repeat(2029)}`],
  }
  for (const [reason, uris] of Object.entries(refused)) {
    it(`refuses ${reason}`, () => {
      for (const uri of uris) assert.equal(isWebUri(uri), false, JSON.stringify(uri))
    })
  }

  // Guards: own-pages
  it('accepts only addresses that every parser resolves to the host as written', () => {
    const pieces = words(
      'https:// http:// https: // / \\ @ : . .. %2e ? # good.com evil.com localhost 127.0.0.1 [::1] 443 x',
    )
    const piece = fc.constantFrom(...pieces, '\t', ' ')
    const uris = fc.oneof(
      fc.webUrl(),
      fc.array(piece, { maxLength: 8 }).map((list) => list.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(uris, (uri) => {
        if (!isWebUri(uri)) return
        const { host, href, protocol } = new URL(uri)
        assert.equal(/^https?:\/\/([^/?#]+)/i.exec(uri)?.[1]?.toLowerCase(), host)
        assert.equal(new URL(uri, 'https://base.example/x').href, href)
        assert.ok(isWebUri(href))
        assert.ok(protocol === 'https:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('isRedirectUri', () => {
  const accepted =
    words(`https://example.com/back https://example.com/back?step=2 http://localhost:3000/ http://127.0.0.1/cb
    http://[::1]:8080/cb com.example.app:/callback com.example.app:/ com.example.app-2:/a/b?c=d com.example.app://host/callback`)
  for (const uri of accepted) it(`accepts ${uri}`, () => assert.equal(isRedirectUri(uri), true))

  const refused = {
    'a fragment, be it empty': words(
      'https://example.com/# https://example.com/back#x https://example.com#/sign-in com.example.app:/callback#x',
    ),
    'schemes that a browser runs or reads itself':
      words(`javascript:alert(1) javascript:/x data:text/html,x data:/x file:///etc/passwd
      blob:https://example.com/x vbscript:/x about:/blank intent:/x view-source:/x filesystem:/x ws://localhost/ ftp://example.com/`),
    'schemes without a dot': words('myapp:/callback fb123:/callback x-app:/callback'),
    'apps that are not written out':
      words(`com.example.app com.example.app: com.example.app:callback COM.example.app:/callback
      Com.Example.App:/callback com.example.app:/a/../b com.example.app:/%2e%2e/b com.example.app:/./b com.example.app:\\callback
      com.example.app:/a\\b com..app:/x .com.app:/x com.app.:/x com.exämple.app:/x com.example.app:/ü`),
    'users in an address': words(
      'com.example.app://user@host/cb com.example.app://user:pw@host/cb https://user@example.com/',
    ),
    'white space and controls': [
      ' com.example.app:/x',
      'com.example.app:/x ',
      'com.example\t.app:/x',
      'com.example.app:/a b',
    ],
    'what is too long': [`com.example.app:/${'x'.repeat(2048)}`],
    'http that leaves the machine': words('http://example.com/ http://localhost.evil.com/'),
  }
  for (const [reason, uris] of Object.entries(refused)) {
    it(`refuses ${reason}`, () => {
      for (const uri of uris) assert.equal(isRedirectUri(uri), false, JSON.stringify(uri))
    })
  }

  // Guards: listed-addresses
  it('accepts only addresses that every parser reads as written', () => {
    const pieces = words('https:// http:// com.example.app: / \\ @ : . .. %2e ? # evil.com localhost java script: x é')
    const uris = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.array(fc.constantFrom(...pieces, '\t', ' '), { maxLength: 8 }).map((list) => list.join('')),
      fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((list) => `com.example.app:/${list.join('')}`),
    )
    fc.assert(
      fc.property(uris, (uri) => {
        if (!isRedirectUri(uri)) return
        const { href, hash, username, password, protocol } = new URL(uri)
        assert.deepEqual([hash, username, password], ['', '', ''])
        assert.ok(isRedirectUri(href))
        if (!/^https?:$/.test(protocol)) assert.equal(href, uri)
      }),
      { numRuns: 3000 },
    )
  })
})
