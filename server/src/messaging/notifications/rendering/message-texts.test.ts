import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { languages } from '@bailiwick/contract'
import { defaultMessage, defaultMessageTypes, placeholders } from './default-messages.ts'
import { durationText, englishTexts, languageFor, textsIn } from './message-texts.ts'
import { renderMessage } from './render-message.ts'

/** Names of ways to sign in stand in the middle of sentences, and greetings have nothing to say. */
const variables = {
  code: '123456',
  link: 'https://acme.example/in?a=1&b=2',
  expiresIn: '10 minutes',
  user: { name: '<Ada>' },
  tenant: { name: 'Acme & Co' },
  organization: { name: 'Research' },
  invitation: { tenantName: 'Globex' },
  inviter: { name: 'Grace' },
  factor: 'A passkey',
  left: 7,
}

describe('the texts of messages', () => {
  it('fill in only what a message knows', () => {
    const names = Array.from(JSON.stringify(englishTexts).matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
    assert.deepEqual([...new Set(names)].toSorted(), Object.keys(placeholders).toSorted())
  })

  it('are plain text with typographic quotation marks', async () => {
    for (const language of languages) {
      for (const text of Object.values(await textsIn(language))) assert.doesNotMatch(text, /[<>'"]|\.\./, language)
    }
  })

  for (const language of languages) {
    it(`make messages in ${language} of every kind, short enough for a text of few parts`, async () => {
      const texts = await textsIn(language)
      for (const type of defaultMessageTypes) {
        const { html, subject, text } = renderMessage(defaultMessage(type, 'email', texts), variables)
        assert.ok(subject !== null && subject.length > 5 && subject.length < 100, String(subject))
        assert.doesNotMatch(`${html}${subject}${text}`, /[{}]/)
        assert.doesNotMatch(html ?? '', /<Ada>/)
        assert.match(html ?? '', /^<h1>/)
        const sms = renderMessage(defaultMessage(type, 'sms', texts), variables)
        assert.equal(sms.html, null)
        assert.doesNotMatch(sms.text, /[{}]/)
        assert.ok(sms.text.length <= 330, `${type}: ${sms.text.length}`)
      }
    })
  }

  it('are the own ones of a tenant where it has any, as plain text', () => {
    const own = { 'message.codeHeading': '{{ secret }} {% raw %} <b>{tenant}</b> {nobody}', 'message.unknown': 'x' }
    const template = defaultMessage('verification-code', 'email', englishTexts, own)
    const { html } = renderMessage(template, { ...variables, secret: 'canary' })
    const heading = '{{ secret }} {% raw %} &lt;b&gt;<span dir="auto">Acme &amp; Co</span>&lt;/b&gt; {nobody}'
    assert.ok(html?.startsWith(`<h1>${heading}</h1>`), String(html))
  })
})

describe('the language of a message', () => {
  const all = { languages: [], defaultLanguage: 'es' } as const
  it("is the reader's, where the tenant offers it, else the tenant's default", () => {
    assert.equal(languageFor('de-AT', all), 'de')
    assert.equal(languageFor('tlh', all), 'es')
    assert.equal(languageFor(undefined, all), 'es')
    assert.equal(languageFor('de', { languages: ['fr', 'es'], defaultLanguage: 'fr' }), 'fr')
  })

  it('says how long something is valid in the largest unit that fits, in digits as codes have', () => {
    assert.equal(durationText(10, 'en'), '10 minutes')
    assert.equal(durationText(1, 'en'), '1 minute')
    assert.equal(durationText(90, 'en'), '90 minutes')
    assert.equal(durationText(60, 'de'), '1 Stunde')
    assert.equal(durationText(7 * 24 * 60, 'uk'), '7 днів')
    assert.equal(durationText(10, 'ar'), '10 دقائق')
  })
})
