import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { newProviderKey } from '../../../../test/harness/saml/crafted-response.ts'
import { SignedXml } from '../../../../test/harness/saml/other-implementations.ts'
import { canonicalXml } from './canonical-xml.ts'
import { charactersMax, readXml } from './read-xml.ts'
import { elementsIn } from './xml-tree.ts'

const readCode = (xml: string) => {
  try {
    return canonicalXml(readXml(xml))
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('readXml', () => {
  it('reads elements, attributes, text and references', () => {
    assert.equal(
      readCode('<?xml version="1.0" encoding="UTF-8"?>\n<a x="1 &#x41;\t&quot;" b=\'2\'>&lt;&#65;\r\n&#13;<b/></a>\n'),
      '<a b="2" x="1 A &quot;">&lt;A\n&#xD;<b></b></a>',
    )
  })

  // Guards: saml-one-reader
  for (const [what, xml, code] of [
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'doctype'],
    ['a document type in other case', '<!doctype a><a/>', 'malformed'],
    ['an entity', '<a>&x;</a>', 'entity'],
    ['an entity named like a property of every object', '<a>&constructor;</a>', 'malformed'],
    ['a processing instruction', '<a><?x y?></a>', 'processing_instruction'],
    ['a processing instruction before the root', '<?xml-stylesheet href="x"?><a/>', 'processing_instruction'],
    ['a CDATA section', '<a><![CDATA[x]]></a>', 'cdata'],
    ['the end of a CDATA section', '<a>]]></a>', 'malformed'],
    ['two roots', '<a/><a/>', 'malformed'],
    ['text behind the root', '<a/>x', 'malformed'],
    ['an attribute twice', '<a x="1" x="2"/>', 'malformed'],
    ['an attribute twice under two prefixes', '<a xmlns:p="urn:x" xmlns:q="urn:x" p:x="1" q:x="2"/>', 'malformed'],
    ['a prefix that is not declared', '<p:a/>', 'malformed'],
    ['a prefix taken back', '<p:a xmlns:p="urn:x"><b xmlns:p=""/></p:a>', 'malformed'],
    ['another namespace for xml', '<a xmlns:xml="urn:x"/>', 'malformed'],
    ['the namespace of xmlns', '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>', 'malformed'],
    ['tags that cross', '<a><b></a></b>', 'malformed'],
    ['an end tag that is longer', '<a></ab>', 'malformed'],
    ['a tag without an end', '<a', 'malformed'],
    ['an element without an end', '<a>', 'malformed'],
    ['an end tag without a start', '</a>', 'malformed'],
    ['a bracket in a value', '<a x="<"/>', 'malformed'],
    ['attributes without a space between', '<a x="1"y="2"/>', 'malformed'],
    ['a null character', '<a>\0</a>', 'malformed'],
    ['a reference to a null character', '<a>&#0;</a>', 'malformed'],
    ['a reference to half a character', '<a>&#xD800;</a>', 'malformed'],
    ['a reference without an end', '<a>&amp</a>', 'malformed'],
    ['half a character', '<a>\uD800</a>', 'malformed'],
    ['a comment with hyphens', '<a><!-- -- --></a>', 'malformed'],
    ['a name outside ASCII', '<\u00E4/>', 'malformed'],
    ['a second colon', '<a xmlns:p="urn:x"><p:b:c/></a>', 'malformed'],
    ['nothing', '', 'malformed'],
    ['too many elements', `<a>${'<b/>'.repeat(4000)}</a>`, 'too_large'],
    ['too many attributes', `<a ${Array.from({ length: 33 }, (_, n) => `x${n}=""`).join(' ')}/>`, 'too_large'],
    [
      'too many namespaces',
      `<a ${Array.from({ length: 32 }, (_, n) => `xmlns:x${n}="urn:x"`).join(' ')}/>`,
      'too_large',
    ],
    ['elements too deep', '<a>'.repeat(33) + '</a>'.repeat(33), 'too_large'],
    ['too long a text', `<a>${'x'.repeat(charactersMax)}</a>`, 'too_large'],
    [
      'a namespace that its canonical form would repeat too often',
      `<a xmlns:p="${'x'.repeat(1000)}">${'<p:b/>'.repeat(1000)}</a>`,
      'too_large',
    ],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.equal(readCode(xml), code)
    })
})

const name = fc.constantFrom('a', 'b', 'c', 'Name-1', 'x.y')
const prefix = fc.constantFrom('', 'p', 'q', 'r')
const uri = fc.constantFrom('urn:1', 'urn:2', 'http://www.w3.org/2000/09/xmldsig#')
const text = fc.string({
  unit: fc.constantFrom('x', ' ', '\n', '&amp;', '&lt;', '&#13;', '&#9;', '>', '"', '漢', '\u{1F600}'),
})
const value = fc.string({
  unit: fc.constantFrom('x', ' ', '&amp;', '&lt;', '&#13;', '&#10;', '>', '&quot;', '\u{1F600}'),
})

interface Shape {
  readonly name: string
  readonly prefix: string
  readonly declared: Readonly<Record<string, string>>
  readonly attributes: readonly (readonly [string, string, string])[]
  readonly children: readonly (Shape | string)[]
}

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.record({
    name,
    prefix,
    declared: fc.dictionary(prefix, uri, { maxKeys: 3 }),
    attributes: fc.uniqueArray(fc.tuple(prefix, name, value), { maxLength: 4, selector: ([, local]) => local }),
    children: fc.array(fc.oneof({ depthSize: 'small' }, text, tie('shape')), { maxLength: 4 }),
  }),
}))

function written({ name: local, prefix: own, declared, attributes, children }: Shape): string {
  const qualified = (before: string, after: string) => (before === '' ? after : `${before}:${after}`)
  const tag = qualified(own, local)
  const all = [
    ...Object.entries(declared).map(([before, to]) => `${before === '' ? 'xmlns' : `xmlns:${before}`}="${to}"`),
    ...attributes.map(([before, after, content]) => `${qualified(before, after)}="${content}"`),
  ]
  const inside = children.map((child) => (typeof child === 'string' ? child.replaceAll(']]>', '') : written(child)))
  return `<${[tag, ...all].join(' ')}>${inside.join('<!-- c -->')}</${tag}>`
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256'
const privateKey = newProviderKey().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

describe('canonicalXml', () => {
  it('writes what xml-crypto writes, whatever the document', () => {
    fc.assert(
      fc.property(shape, (root) => {
        const xml = written({
          ...root,
          declared: { p: 'urn:p', q: 'urn:q', r: 'urn:r' },
          attributes: [['', 'Id', 'r']],
        })
        const signer = new SignedXml({ privateKey, signatureAlgorithm, canonicalizationAlgorithm: exclusive })
        signer.addReference({ xpath: '/*', transforms: [exclusive], digestAlgorithm })
        signer.computeSignature(xml)
        const digest = hash('sha256', canonicalXml(readXml(xml)), 'base64')
        assert.ok(signer.getSignedXml().includes(`<DigestValue>${digest}</DigestValue>`))
      }),
      { numRuns: 300 },
    )
  })

  it('writes listed prefixes where they come into scope, used or not', () => {
    const xml = '<a xmlns:p="urn:1" xmlns="urn:d" xmlns:q="urn:q"><b xmlns:p="urn:2"><c/></b></a>'
    const [b] = elementsIn(readXml(xml))
    assert.ok(b)
    assert.equal(canonicalXml(b), '<b xmlns="urn:d"><c></c></b>')
    assert.equal(
      canonicalXml(b, { inclusivePrefixes: ['p', 'q', 'none'] }),
      '<b xmlns="urn:d" xmlns:p="urn:2" xmlns:q="urn:q"><c></c></b>',
    )
    assert.equal(
      canonicalXml(readXml(xml), { inclusivePrefixes: ['p', '#default'] }),
      '<a xmlns="urn:d" xmlns:p="urn:1"><b xmlns:p="urn:2"><c></c></b></a>',
    )
  })
})
