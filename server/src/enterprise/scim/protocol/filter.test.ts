import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Filter, parse } from 'scim2-parse-filter'
import { groupType, userType } from './attributes.ts'
import { parseFilter } from './filter.ts'
import { ScimError } from './scim-error.ts'

const said = (filter: string, type = userType) =>
  parseFilter(type, filter).map(({ attribute, sub, within, value }) => [
    sub === undefined ? attribute.key : `${attribute.key}.${sub.name}`,
    ...within.map((each) => [each.sub.name, each.value]),
    value,
  ])

const refusal = (filter: string, type = userType) => {
  try {
    parseFilter(type, filter)
  } catch (error) {
    assert.ok(error instanceof ScimError, String(error))
    assert.deepEqual([error.status, error.scimType], [400, 'invalidFilter'])
    return error.message
  }
  return assert.fail(`accepted ${filter}`)
}

/** What another library reads, in the form of `said`. */
function flatComparisons(filter: Filter): [string, unknown][] {
  if (filter.op === 'and') return filter.filters.flatMap(flatComparisons)
  assert.equal(filter.op, 'eq')
  return [[(filter as { attrPath: string }).attrPath, (filter as { compValue: unknown }).compValue]]
}

describe('a filter', () => {
  it('is read as directories write it', () => {
    assert.deepEqual(said('userName eq "ada@acme.example"'), [['userName', 'ada@acme.example']])
    assert.deepEqual(said('USERNAME Eq "ada"'), [['userName', 'ada']])
    assert.deepEqual(said('externalId eq "a\\"b\\u00e9"'), [['externalId', 'a"bé']])
    assert.deepEqual(said('emails.value eq "a@b.example"'), [['emails.value', 'a@b.example']])
    assert.deepEqual(said('emails eq "a@b.example"'), [['emails.value', 'a@b.example']])
    assert.deepEqual(said('emails[type eq "work"].value eq "a@b.example"'), [
      ['emails.value', ['type', 'work'], 'a@b.example'],
    ])
    assert.deepEqual(said('(id eq "1" and active eq true)'), [
      ['id', '1'],
      ['active', true],
    ])
    assert.deepEqual(said('urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"'), [['userName', 'ada']])
    assert.deepEqual(said('id eq "1" and members eq "2"', groupType), [
      ['id', '1'],
      ['members.value', '2'],
    ])
    assert.deepEqual(said('active eq "True"'), [['active', true]])
  })

  it('is refused with what is wrong if it asks for more', () => {
    assert.match(refusal('userName sw "a"'), /"sw"/)
    assert.match(refusal('userName eq "a" or userName eq "b"'), /"or"/)
    assert.match(refusal('not (userName eq "a")'), /not/)
    assert.match(refusal('shoeSize eq "a"'), /shoeSize/)
    assert.match(refusal('__proto__ eq "a"'), /__proto__/)
    assert.match(refusal('userName eq a'), /quotation/)
    assert.match(refusal('name eq "a"'), /name/)
    for (const broken of ['', 'userName', 'userName eq', 'userName eq "a', 'userName eq "a" and', '(userName eq "a"']) {
      refusal(broken)
    }
    refusal('emails[type eq "work"] eq "a"')
    refusal('emails[type eq "work" eq "a"')
    refusal('userName eq "a")')
    refusal('userName eq "\\x"')
    refusal('userName eq 1')
  })

  // Guards: directory-filters
  it('is read to a depth of 20, at most 2,048 characters and 20 comparisons, however it is nested', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}userName eq "a"${')'.repeat(depth)}`
    assert.equal(said(nested(20)).length, 1)
    assert.match(refusal(nested(21)), /20 deep/)
    assert.match(refusal('('.repeat(2000)), /20 deep/)
    assert.match(refusal('('.repeat(5000)), /2048/)
    assert.match(refusal(Array.from({ length: 21 }, () => 'id eq "a"').join(' and ')), /20 comparisons/)
  })

  it('means the same to another library', () => {
    const name = fc.constantFrom('userName', 'externalId', 'displayName', 'id', 'emails.value', 'name.familyName')
    // That library does not read a quotation mark or backslash in a text.
    const text = fc.string({ maxLength: 40 }).map((each) => each.replaceAll(/["\\]/g, ''))
    const condition = fc.tuple(name, text)
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 6 }), (conditions) => {
        const filter = conditions.map(([path, value]) => `${path} eq ${JSON.stringify(value)}`).join(' and ')
        assert.deepEqual(said(filter), flatComparisons(parse(filter)))
      }),
    )
  })

  it('of any characters is read or refused, never anything else', () => {
    const word = fc.constantFrom(
      'userName',
      'eq',
      'and',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '"',
      'emails',
      '.value',
      'true',
      '\\',
    )
    const anything = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 30 }).map((each) => each.join(' ')),
    )
    fc.assert(
      fc.property(anything, (filter) => {
        try {
          assert.ok(parseFilter(userType, filter).length > 0)
        } catch (error) {
          assert.ok(error instanceof ScimError, String(error))
        }
      }),
      { numRuns: 2000 },
    )
  })
})
