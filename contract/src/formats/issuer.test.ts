import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isIssuer } from './redirect-uri.ts'

describe('an issuer', () => {
  it('is an https address, with or without a path', () => {
    for (const value of ['https://id.acme.example', 'https://acme.example/realms/staff/', 'http://localhost:8080/o']) {
      assert.ok(isIssuer(value), value)
    }
  })

  it('has neither query nor fragment, nor anything that parsers read differently', () => {
    for (const value of [
      'https://id.acme.example?tenant=1',
      'https://id.acme.example/?',
      'https://id.acme.example#',
      'http://id.acme.example',
      'https://ada:secret@id.acme.example',
      'https://id.acme.example/a/../b',
      'id.acme.example',
      '',
    ]) {
      assert.ok(!isIssuer(value), value)
    }
  })
})
