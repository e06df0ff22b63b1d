// Signatures by xmlsec1, the program of the library that Lasso and many providers use.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from '../installed.ts'
import type { ProviderKey } from './crafted-response.ts'

/** For tests that need the program. */
export const skipWithoutXmlsec = isInstalled('xmlsec1')
  ? {}
  : { skip: 'did not run: there is no xmlsec1 (apt-get install xmlsec1)' }

const names = {
  rsa: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
}

interface Signing {
  /** The ID of the element that is signed, and its name with its namespace. */
  readonly id: string
  readonly element: string
  readonly bits?: 256 | 384 | 512
  /** A list of namespace prefixes. */
  readonly prefixes?: string
}

function template({ id, bits = 256, prefixes = '' }: Signing): string {
  const inclusive = prefixes && `<ec:InclusiveNamespaces xmlns:ec="${names.exclusive}" PrefixList="${prefixes}"/>`
  const digest = { 256: '2001/04/xmlenc#sha256', 384: '2001/04/xmldsig-more#sha384', 512: '2001/04/xmlenc#sha512' }[
    bits
  ]
  return `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">
  <SignedInfo>
    <CanonicalizationMethod Algorithm="${names.exclusive}"/>
    <SignatureMethod Algorithm="${names.rsa}${bits}"/>
    <Reference URI="#${id}">
      <Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><Transform Algorithm="${names.exclusive}">${inclusive}</Transform></Transforms>
      <DigestMethod Algorithm="http://www.w3.org/${digest}"/>
      <DigestValue></DigestValue>
    </Reference>
  </SignedInfo>
  <SignatureValue></SignatureValue>
  <KeyInfo><X509Data/></KeyInfo>
</Signature>`
}

/** Returns the document with a signature after its last issuer: that of the assertion, or of a message without one. */
export function signedByXmlsec(xml: string, key: ProviderKey, signing: Signing): string {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-xmlsec-'))
  try {
    const at = (name: string) => join(folder, name)
    writeFileSync(at('key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(at('certificate.pem'), key.certificate)
    writeFileSync(at('in.xml'), xml.replace(/<\/saml:Issuer>(?![^]*<\/saml:Issuer>)/, `$&${template(signing)}`))
    const id = ['--id-attr:ID', signing.element]
    const keys = ['--privkey-pem', `${at('key.pem')},${at('certificate.pem')}`]
    execFileSync('xmlsec1', ['--sign', ...keys, ...id, '--output', at('out.xml'), at('in.xml')], { stdio: 'pipe' })
    return readFileSync(at('out.xml'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
