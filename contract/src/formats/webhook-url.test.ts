import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isWebhookUrl } from './webhook-url.ts'

describe('isWebhookUrl', () => {
  it('accepts absolute http and https addresses', () => {
    for (const url of ['https://hooks.example/in?tenant=1', 'http://127.0.0.1:8080/', 'HTTPS://Hooks.Example/']) {
      assert.ok(isWebhookUrl(url), url)
    }
  })

  it('refuses other schemes, credentials, fragments, addresses that parsers repair, and long ones', () => {
    const refused = [
      '',
      'hooks.example',
      '//hooks.example/',
      'ftp://hooks.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https:hooks.example',
      'https:///hooks.example',
      'https:\\\\hooks.example\\',
      'https://user@hooks.example/',
      'https://:secret@hooks.example/',
      'https://hooks.example/#part',
      'https://hooks.example/a b',
      'https://hooks.example/\n',
      'https://hooks.example/\u0000',
      'https://hooks.example/\ud800',
      'https://hooks.example:99999/',
      `https://hooks.example/${'a'.repeat(2048)}`,
    ]
    for (const url of refused) assert.equal(isWebhookUrl(url), false, JSON.stringify(url))
  })
})
