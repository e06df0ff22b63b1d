import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseHtml } from '../../../../test/harness/browser/html-document.ts'
import { type MailPage, mailDocument } from './mail-document.ts'

const page: MailPage = {
  title: 'Your code',
  brand: { primary: '#facc15', primaryForeground: 'white' },
  language: 'en',
  tenantName: 'Acme',
  logoUri: null,
  darkLogoUri: null,
  preview: '',
  footer: { text: 'Sent by Acme.', links: [] },
}
const body = `<h1>Hello</h1>
<p>Read <a href="https://acme.example/?a=1&amp;b=2">this</a>.</p>
<p class="button"><a href="https://acme.example/in">Sign in</a></p>
<p class="code">123456</p>
<p class="note">Ignore it.</p>`

describe('the document of a mail', () => {
  it('sets styles on each element, for programs without style sheets', () => {
    const shown = parseHtml(mailDocument(body, page))
    for (const element of shown.querySelectorAll('h1, p, td.button a, td.code, a'))
      assert.ok(element.getAttribute('style')?.includes('color:'), element.outerHTML)
    const [button] = shown.querySelectorAll('td.button')
    const [anchor] = shown.querySelectorAll('td.button a')
    assert.equal(button?.getAttribute('bgcolor'), '#facc15')
    assert.match(anchor?.getAttribute('style') ?? '', /;color:#000000;/, 'white on yellow is unreadable')
    assert.equal(anchor?.getAttribute('href'), 'https://acme.example/in')
    assert.deepEqual(
      [...shown.querySelectorAll('td.code')].map(({ textContent }) => textContent),
      ['123456'],
    )
    for (const table of shown.querySelectorAll('table')) assert.equal(table.getAttribute('role'), 'presentation')
  })

  it('follows the colour scheme of the reader, with colours for dark mode', () => {
    const html = mailDocument(body, page)
    assert.match(html, /<meta name="color-scheme" content="light dark">/)
    assert.match(html, /@media \(prefers-color-scheme:dark\)\{\.page\{background:#[0-9a-f]{6}!important\}/)
    assert.doesNotMatch(html, /var\(|url\(|<script|undefined|NaN/)
  })

  it('shows the logo, another one in dark mode, and the name if there is none', () => {
    const logos = { logoUri: 'https://id.example/logo?a=1&b=2', darkLogoUri: 'https://id.example/dark' }
    const shown = parseHtml(mailDocument(body, { ...page, ...logos }))
    assert.deepEqual(
      [...shown.querySelectorAll('img')].map((image) => [image.getAttribute('src'), image.getAttribute('alt')]),
      [
        ['https://id.example/logo?a=1&b=2', 'Acme'],
        ['https://id.example/dark', 'Acme'],
      ],
    )
    assert.match(parseHtml(mailDocument(body, page)).body.textContent ?? '', /Acme/)
  })

  it('is written from right to left if its language is', () => {
    const html = mailDocument(body, { ...page, language: 'ar' })
    assert.match(html, /<html lang="ar" dir="rtl">/)
    assert.match(html, /<td class="card text" align="right"/)
    assert.match(html, /<td class="code" dir="ltr"/)
  })

  it('cannot be broken by a name, colour or address', () => {
    const hostile = '"><script>alert(1)</script>{{ x }}</td></table>'
    const html = mailDocument(body, {
      ...page,
      title: hostile,
      tenantName: hostile,
      logoUri: `https://id.example/${hostile}`,
      preview: hostile,
      brand: { primary: hostile, card: 'url(x)', radius: 'expression(1)', background: 'red;} body{display:none' },
      footer: { text: hostile, links: [{ text: hostile, uri: `https://acme.example/${hostile}` }] },
    })
    assert.doesNotMatch(html, /<script|expression|display:none\}|url\(/)
    assert.equal(
      parseHtml(html).querySelectorAll('table').length,
      parseHtml(mailDocument(body, page)).querySelectorAll('table').length,
    )
  })

  it('is left unchanged if the body is a document already', () => {
    const own = '<!doctype html><html><body><p>Mine</p></body></html>'
    assert.equal(mailDocument(own, page), own)
  })
})
