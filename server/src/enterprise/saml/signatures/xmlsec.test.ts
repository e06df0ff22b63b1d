// Signatures made by xmlsec1, the library that Lasso and many providers use.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newProviderKey, responseXml } from '../../../../test/harness/saml/crafted-response.ts'
import { expectFrom, outcome, someResponse } from '../../../../test/harness/saml/expected-response.ts'
import { signedByXmlsec, skipWithoutXmlsec } from '../../../../test/harness/saml/xmlsec.ts'

const key = newProviderKey()
const element = 'urn:oasis:names:tc:SAML:2.0:assertion:Assertion'

describe('signatures of xmlsec1', () => {
  for (const bits of [256, 384, 512] as const)
    for (const prefixes of ['', 'xs saml'])
      it(`are accepted with SHA-${bits}${prefixes && ' and a list of prefixes'}`, skipWithoutXmlsec, () => {
        const nameId = 'ada<!-- c -->@acme.example'
        const xml = responseXml({ ...someResponse, assertionId: '_a1', nameId })
        const signed = signedByXmlsec(xml, key, { id: '_a1', element, bits, prefixes })
        assert.equal(outcome(signed, expectFrom(someResponse, key)), 'accepted as ada@acme.example')
        assert.equal(outcome(signed.replace('ada<', 'bob<'), expectFrom(someResponse, key)), 'signature_wrong')
      })
})
