// Twenty-one responses that a provider could send: seven contents, each signed in three ways.
import { type Crafted, type ProviderKey, type Signing, assertionXml, responseXml, signed } from './crafted-response.ts'

const contents: Readonly<Record<string, Partial<Crafted>>> = {
  'a persistent name id': {},
  'an address as name id': {
    nameId: 'ada@acme.example',
    nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  },
  'a comment in the name id': { nameId: 'ada<!-- x -->@acme.example' },
  'many groups': {
    attributes: { email: 'ada@acme.example', groups: Array.from({ length: 150 }, (_, n) => `group-${n}`) },
  },
  'text that needs escaping': {
    nameId: '&lt;ada&gt; &amp; &quot;co&quot;&#13;',
    attributes: { name: 'Ada & <Co> "x"' },
  },
  'characters of other planes': { nameId: 'ada-\u{1F600}-ö', attributes: { name: '漢字 \u{1F469}\u{200D}\u{1F4BB}' } },
  'two audiences': { condition: '<saml:OneTimeUse/>' },
}

const ways: Readonly<Record<string, (xml: string, key: ProviderKey, signing: Signing) => string>> = {
  'the assertion signed': (xml, key, signing) => signed(xml, 'Assertion', key, signing),
  'the response signed': (xml, key, signing) => signed(xml, 'Response', key, signing),
  'both signed': (xml, key, signing) => signed(signed(xml, 'Assertion', key, signing), 'Response', key, signing),
}

/** Returns each with its name. */
export function validResponses(crafted: Crafted, key: ProviderKey): { name: string; xml: string }[] {
  return Object.entries(contents).flatMap(([content, changes], n) =>
    Object.entries(ways).map(([way, sign]) => {
      const whole = { ...crafted, ...changes }
      const audiences = content === 'two audiences' ? [crafted.audience, 'https://other.example'] : [crafted.audience]
      const xml = responseXml(whole, assertionXml({ ...whole, audiences }))
      return { name: `${content}, ${way}`, xml: sign(xml, key, n % 2 === 0 ? {} : { prefixes: ['xs', 'saml'] }) }
    }),
  )
}
