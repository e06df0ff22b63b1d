import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { base64, newProviderKey } from '../../../../test/harness/saml/crafted-response.ts'
import { expectFrom, outcome, someResponse } from '../../../../test/harness/saml/expected-response.ts'
import { NodeSaml, safeValidateSAMLResponse } from '../../../../test/harness/saml/other-implementations.ts'
import { validResponses } from '../../../../test/harness/saml/valid-responses.ts'
import { wrappings } from '../../../../test/harness/saml/wrapping.ts'

const key = newProviderKey()
const now = Date.now()
const crafted = { ...someResponse, now }
const expected = expectFrom(crafted, key)
const responses = validResponses(crafted, key)

const refusals = new Set([
  'signature_wrapped',
  'signature_malformed',
  'signature_wrong',
  'unsigned',
  'xml_refused',
  'not_a_response',
])

describe('signature wrapping', () => {
  it('starts from 21 responses that are accepted', () => {
    assert.equal(responses.length, 21)
    for (const { name, xml } of responses)
      assert.match(outcome(xml, expected), /^accepted as .*ada|^accepted as u-1001/, name)
  })

  it('starts from responses that another implementation accepts with the same name id', async () => {
    const other = new NodeSaml({
      idpCert: key.certificate,
      issuer: crafted.audience,
      audience: crafted.audience,
      idpIssuer: crafted.issuer,
      callbackUrl: crafted.acsUrl,
      wantAssertionsSigned: false,
      wantAuthnResponseSigned: false,
      validateInResponseTo: 'never',
    })
    for (const { name, xml } of responses) {
      const { profile } = await other.validatePostResponseAsync({ SAMLResponse: base64(xml) })
      const own = outcome(xml, expected).replace('accepted as ', '')
      // It keeps the spaces around a name id, which come from a pretty-printer.
      assert.equal(profile?.nameID.trim(), own, name)
    }
  })

  // Guards: saml-signed-bytes
  for (const [wrapping, wrap] of Object.entries(wrappings))
    it(`refuses ${wrapping}, whichever of 21 responses it is made from`, () => {
      for (const { name, xml } of responses) {
        const wrapped = wrap(xml)
        assert.ok(wrapped !== xml && wrapped.includes('admin'), `${name}: the attack is made`)
        const reason = outcome(wrapped, expected)
        assert.ok(refusals.has(reason), `${name}: ${reason}`)
      }
    })

  it('refuses everything that Stytch’s samlshield refuses', async () => {
    for (const { name, xml } of responses)
      for (const [wrapping, wrap] of Object.entries(wrappings)) {
        const wrapped = wrap(xml)
        const { valid } = await safeValidateSAMLResponse({ response_xml: base64(wrapped) })
        if (!valid) assert.doesNotMatch(outcome(wrapped, expected), /^accepted/, `${name}: ${wrapping}`)
      }
  })
})
