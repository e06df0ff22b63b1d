import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isSlug, slugFromName, slugKey, slugVariant } from './slug.ts'

const anyName = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 }))

describe('slug', () => {
  it('accepts 4 to 32 letters, digits, hyphens and underscores, and nothing else', () => {
    for (const slug of ['acme', 'Ac-m_3', '----', '1234', 'x'.repeat(32)]) assert.equal(isSlug(slug), true, slug)
    for (const slug of [
      '',
      'abc',
      'x'.repeat(33),
      'ac me',
      'acme\n',
      'acmé',
      'аcme',
      'ac.me',
      'ac/me',
      'ａcme',
      'acme\0',
    ]) {
      assert.equal(isSlug(slug), false, JSON.stringify(slug))
    }
    assert.equal(slugKey('AcMe'), 'acme')
  })

  it('does not look like an id, which could be the one of a deleted tenant', () => {
    for (const id of ['cmh4q2x7k0abcdefghijklmno', 'CMH4Q2X7K0ABCDEFGHIJKLMNO']) assert.equal(isSlug(id), false, id)
    assert.equal(slugFromName('cmh4q2x7k0abcdefghijklmno'), 'cmh4q2x7k0abcdefghijklmn')
  })
})

describe('slugFromName', () => {
  for (const [name, slug] of [
    ['Acme Corp.', 'acme-corp'],
    ['  Café — Zoë & Søn  ', 'cafe-zoe-s-n'],
    ['\u212Aate İstanbul', 'kate-istanbul'],
    ['ＡＢＣ ﬁx', 'abc-fix'],
    ['ab', 'tenant-ab'],
    ['日本語', 'tenant'],
    ['', 'tenant'],
    [`${'a'.repeat(31)} b`, 'a'.repeat(31)],
  ] as const) {
    it(`makes ${slug} from ${JSON.stringify(name)}`, () => assert.equal(slugFromName(name), slug))
  }

  it('makes a slug of any name, the same each time it is applied', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const slug = slugFromName(name)
        assert.match(slug, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
        assert.ok(isSlug(slug))
        assert.equal(slugFromName(slug), slug)
      }),
    )
  })
})

describe('slugVariant', () => {
  it('appends the number and shortens the slug if needed', () => {
    assert.equal(slugVariant('acme', 2), 'acme-2')
    assert.equal(slugVariant('x'.repeat(32), 10), `${'x'.repeat(29)}-10`)
    assert.equal(slugVariant(`${'x'.repeat(29)}-yy`, 2), `${'x'.repeat(29)}-2`)
  })

  it('is a slug, and another one for each number', () => {
    const slugs = fc.oneof(anyName.map(slugFromName), fc.stringMatching(/^[A-Za-z0-9_-]{4,32}$/))
    fc.assert(
      fc.property(slugs, fc.nat(), fc.nat(), (slug, one, other) => {
        assert.ok(isSlug(slugVariant(slug, one)))
        assert.equal(slugVariant(slug, one) === slugVariant(slug, other), one === other)
      }),
    )
  })
})
