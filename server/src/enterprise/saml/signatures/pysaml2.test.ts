// pysaml2 as the provider: it reads our metadata and a signed request of ours, and what it answers is accepted or refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newProviderKey } from '../../../../test/harness/saml/crafted-response.ts'
import { expectFrom, outcome, someResponse } from '../../../../test/harness/saml/expected-response.ts'
import { answeredByPysaml2, skipWithoutPysaml2 } from '../../../../test/harness/saml/pysaml2.ts'
import { authnRequestUrl } from '../provider/authn-request.ts'
import { ownMetadataXml } from '../provider/own-metadata.ts'
import { postBinding } from '../saml-names.ts'

const [key, otherKey, ownKey] = [newProviderKey(), newProviderKey(), newProviderKey()]
const { issuer: entityId, audience: spEntityId, acsUrl } = someResponse
const ssoUrl = 'https://idp.example/sso'
const now = Date.now()

const toBase64 = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')

async function ask() {
  const id = '_c5a30ac2b6d4'
  const request = { id, issuedAt: new Date(now), spEntityId, acsUrl, ssoUrl, nameIdFormat: null, relayState: 'r1' }
  const requestUrl = await authnRequestUrl({ ...request, privateKey: ownKey.privateKey })
  const certificate = toBase64(ownKey.certificate)
  const own = { entityId: spEntityId, acsUrl, sloUrl: `${acsUrl}/slo`, nameIdFormat: null, certificate }
  const metadataXml = ownMetadataXml(own)
  const attributes = { mail: ['ada@acme.example'], givenName: ['Ada'] }
  const asked = { entityId, ssoUrl, key, otherKey, metadataXml, requestUrl, person: 'u-1001', attributes }
  const { responses, ...read } = answeredByPysaml2(asked)
  const expected = {
    ...expectFrom({ ...someResponse, inResponseTo: id, now }, key),
    decryptWith: ownKey.privateKey,
  }
  return { id, read, responses, expected }
}

describe('pysaml2', () => {
  it(
    'reads our metadata and requests, and its responses are accepted if they are safe and for us',
    skipWithoutPysaml2,
    async () => {
      const { id, read, responses, expected } = await ask()
      assert.deepEqual(read, { requestId: id, isSigned: true, destination: acsUrl, binding: postBinding })
      const outcomes = Object.fromEntries([...responses].map(([kind, xml]) => [kind, outcome(xml, expected)]))
      const accepted = 'accepted as u-1001'
      assert.deepEqual(outcomes, {
        'the assertion signed': accepted,
        'the response signed': accepted,
        'both signed': accepted,
        'nothing signed': 'unsigned',
        'signed with SHA-1': 'algorithm_refused',
        'signed by another key': 'signature_wrong',
        'encrypted with 3DES-CBC': 'algorithm_refused',
        'for another request': 'wrong_request',
        'for another service': 'wrong_audience',
        'for another address': 'wrong_destination',
      })
      const changed = responses.get('both signed')?.replaceAll('u-1001', 'admin') ?? ''
      assert.equal(outcome(changed, expected), 'signature_wrong')
    },
  )
})
