import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Crafted,
  type ProviderKey,
  assertionXml,
  base64,
  encryptedAssertion,
  newProviderKey,
  responseXml,
  signed,
} from '../../../../test/harness/saml/crafted-response.ts'
import { expectFrom, outcome, someResponse } from '../../../../test/harness/saml/expected-response.ts'
import { type ExpectedResponse, verifySamlResponse } from './verify-assertion.ts'

const key = newProviderKey()
const otherKey = newProviderKey()
const ownKey = newProviderKey()
const { now } = someResponse
const expected: ExpectedResponse = { ...expectFrom(someResponse, otherKey, key), decryptWith: ownKey.privateKey }

type SignedPart = 'Assertion' | 'Response'
const sent = (changes: Partial<Crafted> = {}, part: SignedPart = 'Assertion', by: ProviderKey = key) =>
  signed(responseXml({ ...someResponse, ...changes }), part, by)
const refusalReason = (xml: string, changes: Partial<ExpectedResponse> = {}) =>
  outcome(xml, { ...expected, ...changes })

describe('verifySamlResponse', () => {
  it('returns what the provider says of the person', () => {
    const attributes = { email: 'ada@acme.example', groups: ['staff', 'admins'], __proto__x: 'y' }
    const said = verifySamlResponse(base64(sent({ attributes, assertionId: '_a1' })), expected)
    assert.deepEqual(said, {
      id: '_a1',
      repeatableUntil: now + 360_000,
      nameId: 'u-1001',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: '_s1',
      attributes: new Map([
        ['email', ['ada@acme.example']],
        ['groups', ['staff', 'admins']],
        ['__proto__x', ['y']],
      ]),
    })
  })

  // Guards: saml-one-provider
  it('accepts a signature of either certificate of the connection, and of no other', () => {
    assert.equal(refusalReason(sent({}, 'Assertion', otherKey)), 'accepted as u-1001')
    const stranger = newProviderKey()
    // Its certificate stands in the message, which proves nothing.
    assert.equal(refusalReason(sent({}, 'Assertion', stranger)), 'signature_wrong')
    assert.equal(refusalReason(sent({}, 'Response', stranger)), 'signature_wrong')
    assert.equal(refusalReason(signed(sent({}), 'Response', stranger)), 'signature_wrong')
  })

  // Guards: saml-one-provider
  it('accepts no response that names another issuer, though its signature is right', () => {
    assert.equal(refusalReason(sent({ issuer: 'https://other.example' })), 'wrong_issuer')
    assert.equal(refusalReason(sent({ responseIssuer: 'https://other.example' })), 'wrong_issuer')
    const without = sent({ responseIssuer: 'X' }).replace(/<saml:Issuer xmlns:saml="[^"]*">X<\/saml:Issuer>/, '')
    assert.equal(refusalReason(without), 'wrong_issuer')
  })

  it('refuses a response in which nothing is signed', () => {
    assert.equal(refusalReason(responseXml(someResponse)), 'unsigned')
  })

  // Guards: saml-weak-algorithms
  for (const [name, signing] of Object.entries({
    'an RSA signature with SHA-1': { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
    'a digest with SHA-1': { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' },
    'inclusive canonical XML': { canonical: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' },
    'a transformation that keeps comments': {
      transforms: [
        'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
        'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
      ],
    },
  }))
    it(`refuses ${name}`, () => {
      assert.equal(refusalReason(signed(responseXml(someResponse), 'Assertion', key, signing)), 'algorithm_refused')
    })

  it('accepts SHA-512', () => {
    const signing = {
      signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
      digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
    }
    assert.equal(refusalReason(signed(responseXml(someResponse), 'Response', key, signing)), 'accepted as u-1001')
  })

  // Guards: saml-signed-bytes
  it('refuses a signed message of which a character was changed or removed', () => {
    for (const part of ['Assertion', 'Response'] as const) {
      const xml = sent({ nameId: 'xada@acme.example' }, part)
      assert.equal(refusalReason(xml), 'accepted as xada@acme.example')
      assert.equal(refusalReason(xml.replace('>xada@', '>ada@')), 'signature_wrong')
      assert.equal(refusalReason(xml.replace('Recipient="https://id', 'Recipient="https://ie')), 'signature_wrong')
    }
  })

  // Guards: saml-signed-bytes
  it('reads a name id with comments as a whole', () => {
    const xml = sent({ nameId: 'admin@acme.example.evil.example' })
    const commented = xml.replace('admin@acme.example.evil', 'admin@acme.example<!-- -->.evil')
    assert.equal(refusalReason(commented), 'accepted as admin@acme.example.evil.example')
    const inElement = sent({ nameId: 'admin@acme.example<x/>.evil.example' })
    assert.equal(refusalReason(inElement), 'no_name_id')
  })

  // Guards: saml-signed-bytes
  it('refuses a signature with two SignedInfo, or with a comment that hides a digest', () => {
    const xml = sent()
    const signedInfo = /<ds:SignedInfo>[\s\S]*<\/ds:SignedInfo>/.exec(xml)?.[0] ?? ''
    assert.equal(refusalReason(xml.replace(signedInfo, () => signedInfo + signedInfo)), 'signature_malformed')
    const other = xml.replace('u-1001', 'admin')
    const hidden = other.replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->')
    assert.equal(refusalReason(hidden), 'signature_wrong')
  })

  // Guards: saml-signed-bytes
  it('refuses a second signature in which an assertion hides from the digest', () => {
    const status = 'urn:oasis:names:tc:SAML:2.0:status:Requester'
    const error = signed(responseXml({ ...someResponse, status }, ''), 'Response', key)
    const value = /<ds:SignatureValue>[^<]*<\/ds:SignatureValue>/.exec(error)?.[0] ?? ''
    const decoy = `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${value}<ds:Object>${assertionXml(someResponse)}</ds:Object></ds:Signature>`
    const forged = error.replace('</samlp:Response>', () => `${decoy}</samlp:Response>`)
    assert.equal(refusalReason(forged), 'provider_refused')
    assert.match(refusalReason(forged.replace(status, 'urn:oasis:names:tc:SAML:2.0:status:Success')), /^signature_/)
  })

  // Guards: saml-signed-bytes
  it('refuses another element with the ID that is signed, in whatever case or namespace', () => {
    const xml = sent({ assertionId: '_a1' })
    for (const id of ['ID="_a1"', 'Id="_a1"', 'id="_a1"', 'xml:id="_a1"', 'x:ID="_a1" xmlns:x="urn:x"'])
      assert.equal(
        refusalReason(xml.replace('<samlp:Status>', `<samlp:Extensions><e ${id}/></samlp:Extensions><samlp:Status>`)),
        'signature_wrapped',
      )
  })

  // Guards: saml-right-place
  it('refuses what was made for another address, another service or another request', () => {
    const elsewhere = 'https://id.example/t/acme/saml/c2/acs'
    assert.equal(refusalReason(sent({ destination: elsewhere })), 'wrong_destination')
    assert.equal(refusalReason(sent({ recipient: elsewhere })), 'wrong_recipient')
    assert.equal(refusalReason(sent({ audiences: ['https://other.example'] })), 'wrong_audience')
    assert.equal(refusalReason(sent({ audiences: [] })), 'wrong_audience')
    assert.equal(refusalReason(sent({ inResponseTo: '_q2' })), 'wrong_request')
    assert.equal(refusalReason(sent({ inResponseTo: null, confirmedRequest: '_q1' })), 'wrong_request')
    assert.equal(refusalReason(sent({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' })), 'wrong_recipient')
  })

  // Guards: saml-right-place
  it('refuses an assertion that does not itself name the request, since the response around it is not signed', () => {
    assert.equal(refusalReason(sent({ confirmedRequest: null })), 'wrong_request')
    assert.equal(refusalReason(sent({ confirmedRequest: '_q2' })), 'wrong_request')
  })

  it('accepts a response to no request only where none is expected', () => {
    const unasked = sent({ inResponseTo: null })
    assert.equal(refusalReason(unasked), 'wrong_request')
    assert.equal(refusalReason(unasked, { inResponseTo: null }), 'accepted as u-1001')
    assert.equal(refusalReason(sent(), { inResponseTo: null }), 'wrong_request')
  })

  // Guards: saml-right-time
  it('refuses what is not valid now, by every time that an assertion has', () => {
    const minute = 60_000
    assert.equal(refusalReason(sent({ notOnOrAfter: now - minute })), 'expired')
    assert.equal(refusalReason(sent({ notOnOrAfter: now - minute + 1 })), 'accepted as u-1001')
    assert.equal(refusalReason(sent({ confirmedUntil: now - minute })), 'expired')
    assert.equal(refusalReason(sent({ confirmedUntil: null })), 'expired')
    assert.equal(refusalReason(sent({ sessionUntil: now - minute })), 'expired')
    assert.equal(refusalReason(sent({ notBefore: now + minute })), 'accepted as u-1001')
    assert.equal(refusalReason(sent({ notBefore: now + minute + 1 })), 'not_yet_valid')
    assert.equal(refusalReason(sent({ issuedAt: now + minute + 1 })), 'not_yet_valid')
    assert.equal(refusalReason(sent({ issuedAt: now - 11 * minute })), 'expired')
  })

  it('refuses conditions that it does not know', () => {
    assert.equal(refusalReason(sent({ condition: '<saml:Condition xsi:type="xs:x"/>' })), 'not_a_response')
  })

  it('says what the provider reports', () => {
    const status = 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed'
    assert.throws(() => verifySamlResponse(base64(responseXml({ ...someResponse, status }, '')), expected), {
      reason: 'provider_refused',
      message: 'The provider did not sign the user in: AuthnFailed.',
    })
  })

  it('refuses a name id that is another one at every sign-in, or none', () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    assert.equal(refusalReason(sent({ nameIdFormat })), 'no_name_id')
    assert.equal(refusalReason(sent({ nameId: ' ' })), 'no_name_id')
  })

  it('refuses more attributes than a person has', () => {
    const attributes = { groups: Array.from({ length: 1001 }, (_, n) => `${n}`) }
    assert.equal(refusalReason(sent({ attributes })), 'too_many_attributes')
  })
})

describe('encrypted assertions', () => {
  const { publicKey } = ownKey
  const signedAssertion = () => signed(assertionXml(someResponse), 'Assertion', key)

  it('accepts one that is signed, or in a signed response', () => {
    assert.equal(
      refusalReason(responseXml(someResponse, encryptedAssertion(signedAssertion(), publicKey))),
      'accepted as u-1001',
    )
    const covered = responseXml(someResponse, encryptedAssertion(assertionXml(someResponse), publicKey))
    assert.equal(refusalReason(signed(covered, 'Response', key)), 'accepted as u-1001')
  })

  // Guards: saml-encrypted-unsigned
  it('refuses one that nobody signed, also beside a signed one', () => {
    const encrypted = encryptedAssertion(assertionXml({ ...someResponse, nameId: 'admin' }), publicKey)
    assert.equal(refusalReason(responseXml(someResponse, encrypted)), 'unsigned')
    assert.equal(refusalReason(responseXml(someResponse, encrypted + signedAssertion())), 'signature_wrapped')
    assert.equal(refusalReason(responseXml(someResponse, signedAssertion() + encrypted)), 'signature_wrapped')
  })

  it('refuses a plain one where the connection wants it encrypted', () => {
    assert.equal(refusalReason(sent(), { mustBeEncrypted: true }), 'not_encrypted')
  })

  // Guards: saml-weak-algorithms
  it('refuses CBC and the padding of PKCS #1 1.5', () => {
    const cbc = encryptedAssertion(signedAssertion(), publicKey, {
      cipher: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
    })
    const pkcs1 = encryptedAssertion(signedAssertion(), publicKey, {
      transport: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5',
    })
    assert.equal(refusalReason(responseXml(someResponse, cbc)), 'algorithm_refused')
    assert.equal(refusalReason(responseXml(someResponse, pkcs1)), 'algorithm_refused')
  })

  // Guards: saml-weak-algorithms
  it('gives one answer to whatever cannot be decrypted', () => {
    const encrypted = responseXml(someResponse, encryptedAssertion(signedAssertion(), publicKey))
    const values = [...encrypted.matchAll(/<xenc:CipherValue>([^<]*)/g)].map(([, value = '']) => value)
    const changed = values.map((value) => encrypted.replace(value, value.replace(/^..../, 'AAAA')))
    const cut = values.map((value) => encrypted.replace(value, value.slice(0, 4)))
    for (const xml of [...changed, ...cut]) assert.equal(refusalReason(xml), 'decryption_failed')
    assert.equal(refusalReason(encrypted, { decryptWith: key.privateKey }), 'decryption_failed')
    assert.equal(refusalReason(encrypted, { decryptWith: null }), 'decryption_failed')
  })
})
