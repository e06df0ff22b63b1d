// Signatures made by xmlsec1, the library that Lasso and many providers use.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isInstalled } from '../../../../test/harness/installed.ts'
import { assertionXml, newProviderKey, responseXml } from '../../../../test/harness/saml/crafted-response.ts'
import { expectFrom, outcome, someResponse } from '../../../../test/harness/saml/expected-response.ts'

const skip = isInstalled('xmlsec1') ? {} : { skip: 'did not run: there is no xmlsec1 (apt-get install xmlsec1)' }
const key = newProviderKey()
const names = {
  rsa: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
}

function template(bits: number, prefixes: string): string {
  const inclusive = prefixes && `<ec:InclusiveNamespaces xmlns:ec="${names.exclusive}" PrefixList="${prefixes}"/>`
  const digest = { 256: '2001/04/xmlenc#sha256', 384: '2001/04/xmldsig-more#sha384', 512: '2001/04/xmlenc#sha512' }[
    bits
  ]
  return `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">
  <SignedInfo>
    <CanonicalizationMethod Algorithm="${names.exclusive}"/>
    <SignatureMethod Algorithm="${names.rsa}${bits}"/>
    <Reference URI="#_a1">
      <Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><Transform Algorithm="${names.exclusive}">${inclusive}</Transform></Transforms>
      <DigestMethod Algorithm="http://www.w3.org/${digest}"/>
      <DigestValue></DigestValue>
    </Reference>
  </SignedInfo>
  <SignatureValue></SignatureValue>
  <KeyInfo><X509Data/></KeyInfo>
</Signature>`
}

function signedByXmlsec(xml: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-xmlsec-'))
  try {
    const at = (name: string) => join(folder, name)
    writeFileSync(at('key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(at('certificate.pem'), key.certificate)
    writeFileSync(at('in.xml'), xml)
    const id = ['--id-attr:ID', 'urn:oasis:names:tc:SAML:2.0:assertion:Assertion']
    const keys = ['--privkey-pem', `${at('key.pem')},${at('certificate.pem')}`]
    execFileSync('xmlsec1', ['--sign', ...keys, ...id, '--output', at('out.xml'), at('in.xml')], { stdio: 'pipe' })
    return readFileSync(at('out.xml'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('signatures of xmlsec1', () => {
  for (const bits of [256, 384, 512])
    for (const prefixes of ['', 'xs saml'])
      it(`are accepted with SHA-${bits}${prefixes && ' and a list of prefixes'}`, skip, () => {
        const assertion = assertionXml({ ...someResponse, assertionId: '_a1', nameId: 'ada<!-- c -->@acme.example' })
        const xml = responseXml(
          someResponse,
          assertion.replace('</saml:Issuer>', `</saml:Issuer>${template(bits, prefixes)}`),
        )
        const signed = signedByXmlsec(xml)
        assert.equal(outcome(signed, expectFrom(someResponse, key)), 'accepted as ada@acme.example')
        assert.equal(outcome(signed.replace('ada<', 'bob<'), expectFrom(someResponse, key)), 'signature_wrong')
      })
})
