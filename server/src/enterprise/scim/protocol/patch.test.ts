import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import SCIMMY from 'scimmy'
import { enterpriseUrn, groupType, userType, userUrn } from './attributes.ts'
import { type Json, type JsonObject, parseBody } from './json.ts'
import { memberChanges } from './member-changes.ts'
import { applyChanges, patchUrn, readPatch } from './patch.ts'
import { presentResource } from './present.ts'
import { readResource } from './resource.ts'
import { ScimError } from './scim-error.ts'
import type { Attributes } from './values.ts'

const ada: Attributes = {
  userName: 'ada@acme.example',
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
}

const patch = (Operations: unknown, before: Attributes = ada, type = userType) => {
  const body = parseBody(JSON.stringify({ schemas: [patchUrn], Operations }))
  return applyChanges(type, before, readPatch(type, body))
}

const refusal = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ScimError, String(error))
    return [error.status, error.scimType]
  }
  return assert.fail('accepted')
}

describe('PATCH of a user', () => {
  it('takes what Okta sends', () => {
    assert.equal(patch([{ op: 'replace', value: { active: false } }])['active'], false)
    assert.deepEqual(patch([{ op: 'replace', path: 'name.givenName', value: 'Augusta' }])['name'], {
      givenName: 'Augusta',
      familyName: 'Lovelace',
    })
    // A resource that is sent back whole has attributes that cannot be changed.
    assert.deepEqual(
      patch([{ op: 'replace', value: { id: 'x', schemas: [userUrn], meta: {}, groups: [], title: 'Countess' } }]),
      { ...ada, title: 'Countess' },
    )
  })

  it('takes what Entra sends', () => {
    assert.equal(patch([{ op: 'Replace', path: 'active', value: 'False' }])['active'], false)
    assert.deepEqual(
      patch([
        {
          op: 'Add',
          value: {
            'name.givenName': 'Augusta',
            [`${enterpriseUrn}:department`]: 'Engines',
            'emails[type eq "work"].value': 'augusta@acme.example',
            'phoneNumbers[type eq "mobile"].value': '+441',
            manager: 'not of the core',
          },
        },
        { op: 'Replace', path: `${enterpriseUrn}:manager`, value: 'm1' },
        { op: 'Replace', path: `${enterpriseUrn}:employeeNumber`, value: [{ $ref: null, value: '7' }] },
      ]),
      {
        ...ada,
        name: { givenName: 'Augusta', familyName: 'Lovelace' },
        emails: [{ value: 'augusta@acme.example', type: 'work', primary: true }],
        phoneNumbers: [{ type: 'mobile', value: '+441' }],
        [`${enterpriseUrn}:department`]: 'Engines',
        [`${enterpriseUrn}:manager`]: { value: 'm1' },
        [`${enterpriseUrn}:employeeNumber`]: '7',
      },
    )
    const { emails, ...withoutEmails } = patch([{ op: 'Remove', path: 'emails[type eq "work"]' }])
    assert.deepEqual([emails, withoutEmails['userName']], [undefined, 'ada@acme.example'])
  })

  it('has one primary value at most', () => {
    const added = patch([
      { op: 'add', path: 'emails', value: [{ value: 'b@acme.example', type: 'home', primary: true }] },
    ])
    assert.deepEqual(added['emails'], [
      { value: 'ada@acme.example', type: 'work', primary: false },
      { value: 'b@acme.example', type: 'home', primary: true },
    ])
  })

  // Guards: directory-names
  it('refuses names that would change other objects, wherever they stand', () => {
    const paths = [
      '__proto__.polluted',
      'constructor.prototype.polluted',
      'name.__proto__',
      `${enterpriseUrn}:__proto__`,
    ]
    for (const path of paths) refusal(() => patch([{ op: 'add', path, value: 'x' }]))
    const body = (text: string) => () => parseBody(text)
    refusal(body('{"Operations":[{"op":"add","value":{"__proto__":{"polluted":"x"}}}]}'))
    refusal(body('{"name":{"constructor":{"prototype":{"polluted":"x"}}}}'))
    refusal(() => patch([{ op: 'add', value: { 'emails[type eq "work"].__proto__': 'x' } }]))
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  it('says by scimType what is wrong', () => {
    assert.deepEqual(
      refusal(() => patch([{ op: 'add', path: 'shoeSize', value: 1 }])),
      [400, 'invalidPath'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'add', path: 'name[x eq "y"]', value: 1 }])),
      [400, 'invalidPath'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'replace', path: 'id', value: 'x' }])),
      [400, 'mutability'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'remove' }])),
      [400, 'noTarget'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'remove', path: 'userName' }])),
      [400, 'mutability'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'replace', path: 'active', value: 'maybe' }])),
      [400, 'invalidValue'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'move', path: 'active', value: true }])),
      [400, 'invalidSyntax'],
    )
    assert.deepEqual(
      refusal(() => patch([{ op: 'add', path: 'active' }])),
      [400, 'invalidValue'],
    )
    assert.deepEqual(
      refusal(() => patch('x')),
      [400, 'invalidSyntax'],
    )
    assert.deepEqual(
      refusal(() => patch(Array.from({ length: 1001 }, () => ({ op: 'remove', path: 'title' })))),
      [400, 'invalidValue'],
    )
    const many = Array.from({ length: 101 }, (_, n) => ({ value: String(n) }))
    assert.deepEqual(
      refusal(() => patch([{ op: 'add', path: 'roles', value: many }])),
      [400, 'invalidValue'],
    )
  })

  it('of anything changes nothing or is refused as an error of SCIM', () => {
    const key = fc.constantFrom('name', 'emails', 'active', 'title', '__proto__', 'value', 'type', 'x', enterpriseUrn)
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(true, null, 'True', '', 'ada', 7),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(key, tie('json'), { maxKeys: 3 }),
      ),
    }))
    const path = fc.constantFrom(
      'name',
      'name.givenName',
      'emails',
      'emails[type eq "work"]',
      'emails[type eq "x"].value',
      'active',
      'roles',
      'emails.value',
      `${enterpriseUrn}:manager`,
      `${enterpriseUrn}:manager.value`,
      'x',
      '',
      'emails[',
      '][.',
    )
    const operation = fc.record(
      { op: fc.constantFrom('add', 'Replace', 'REMOVE', 'x'), path, value: json },
      { requiredKeys: ['op'] },
    )
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 5 }), (operations) => {
        const before = structuredClone(ada)
        try {
          const after = patch(operations, before)
          // What is stored reads back as itself.
          const { schemas, ...rest } = presentUser(after)
          assert.deepEqual(readResource(userType, { schemas, ...rest } as JsonObject), after)
        } catch (error) {
          if (!(error instanceof ScimError)) throw error
        }
        assert.deepEqual(before, ada)
      }),
      { numRuns: 2000 },
    )
  })

  it('does the same as another library, where that knows the operation', () => {
    const text = fc.constantFrom('Ada', 'Bo', 'Cy')
    const simple = fc.tuple(
      fc.constantFrom('title', 'displayName', 'name.givenName', 'name.familyName', 'nickName'),
      text,
      fc.constantFrom('add', 'replace'),
    )
    const removal = fc
      .constantFrom('title', 'nickName', 'name.givenName')
      .map((path) => [path, undefined, 'remove'] as const)
    const operation = fc.oneof(simple, removal).map(([path, value, op]) => ({
      op,
      path,
      ...(value === undefined ? {} : { value }),
    }))
    return fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 6 }), async (operations) => {
        const theirs = await byScimmy(operations)
        const { schemas: _schemas, ...ours } = presentUser(patch(operations))
        assert.deepEqual(ours, theirs)
      }),
      { numRuns: 200 },
    )
  })
})

function presentUser(attributes: Attributes): Record<string, Json> {
  const at = '2026-11-24T00:00:00.000000Z'
  const { id, meta, ...rest } = presentResource(
    userType,
    { id: '1', attributes, own: {}, location: '/', version: 'W/"1"', created: at, lastModified: at },
    { only: undefined, except: new Set() },
  ) as Record<string, Json>
  assert.deepEqual([id, typeof meta], ['1', 'object'])
  return rest
}

/** Our user after the operations, as scimmy applies them. */
async function byScimmy(operations: readonly object[]) {
  const { User } = SCIMMY.Schemas
  const source = new User({ id: '1', schemas: [userUrn], ...structuredClone(ada) }, 'both')
  const message = new SCIMMY.Messages.PatchOp({ schemas: [patchUrn], Operations: operations } as never)
  const after = (await message.apply(source as never)) ?? source
  const { id: _id, schemas: _schemas, meta: _meta, ...rest } = JSON.parse(JSON.stringify(after)) as Record<string, Json>
  return rest
}

describe('PATCH of a group', () => {
  const effect = (Operations: unknown) => {
    const body = parseBody(JSON.stringify({ schemas: [patchUrn], Operations }))
    const { removesAll, added, removed } = memberChanges(readPatch(groupType, body))
    return { removesAll, added: [...added], removed: [...removed] }
  }

  it('takes the members as Okta and Entra send them', () => {
    assert.deepEqual(effect([{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'a' }, { value: 'b' }] }]), {
      removesAll: false,
      added: ['a', 'b'],
      removed: [],
    })
    assert.deepEqual(effect([{ op: 'remove', path: 'members[value eq "a"]' }]).removed, ['a'])
    assert.deepEqual(effect([{ op: 'Remove', path: 'members', value: [{ value: 'a' }, { value: 'b' }] }]).removed, [
      'a',
      'b',
    ])
    assert.deepEqual(effect([{ op: 'Remove', path: 'members' }]), { removesAll: true, added: [], removed: [] })
    assert.deepEqual(effect([{ op: 'replace', value: { members: [{ value: 'a' }] } }]), {
      removesAll: true,
      added: ['a'],
      removed: [],
    })
    assert.deepEqual(
      refusal(() => effect([{ op: 'replace', path: 'members.value', value: 'x' }])),
      [400, 'mutability'],
    )
    assert.deepEqual(
      refusal(() => effect([{ op: 'add', path: 'members', value: [{ display: 'x' }] }])),
      [400, 'invalidValue'],
    )
  })

  it('has the effect of its operations one after the other', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    const ids = fc.array(id, { maxLength: 3 })
    const operation = fc.oneof(
      ids.map((value) => ({ op: 'add', path: 'members', value: value.map((each) => ({ value: each })) })),
      ids.map((value) => ({ op: 'replace', path: 'members', value: value.map((each) => ({ value: each })) })),
      ids.map((value) => ({ op: 'remove', path: 'members', value: value.map((each) => ({ value: each })) })),
      id.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
      fc.constant({ op: 'remove', path: 'members' }),
    )
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 8 }), fc.uniqueArray(id), (operations, before) => {
        let expected = new Set<string>(before)
        for (const { op, path, value } of operations as { op: string; path: string; value?: { value: string }[] }[]) {
          const named = /"(.)"/.exec(path)?.[1]
          const list = named === undefined ? value?.map((each) => each.value) : [named]
          if (op === 'add') expected = new Set([...expected, ...(list ?? [])])
          else if (op === 'replace') expected = new Set(list)
          else expected = new Set([...expected].filter((each) => list !== undefined && !list.includes(each)))
        }
        const { removesAll, added, removed } = effect(operations)
        const after = new Set([...(removesAll ? [] : before.filter((each) => !removed.includes(each))), ...added])
        assert.deepEqual([...after].toSorted(), [...expected].toSorted())
      }),
    )
  })
})

describe('a resource', () => {
  it('is read without what the table does not list and what gives nothing', () => {
    const sent = {
      schemas: [userUrn, enterpriseUrn],
      USERNAME: 'ada',
      password: 'hunter2hunter2',
      shoeSize: 39,
      groups: [{ value: 'g' }],
      nickName: '',
      title: null,
      roles: [],
      active: 'True',
      entitlements: ['pro'],
      [enterpriseUrn]: { department: 'Engines', manager: { value: 'm', displayName: 'M', nope: 1 } },
    }
    assert.deepEqual(readResource(userType, sent), {
      userName: 'ada',
      active: true,
      entitlements: [{ value: 'pro' }],
      [`${enterpriseUrn}:department`]: 'Engines',
      [`${enterpriseUrn}:manager`]: { value: 'm' },
    })
  })

  it('is refused without its schema, without what is required, and with values of another kind', () => {
    const of = (body: object) => refusal(() => readResource(userType, body as JsonObject))
    assert.deepEqual(of({ userName: 'ada' }), [400, 'invalidSyntax'])
    assert.deepEqual(of({ schemas: [userUrn] }), [400, 'invalidValue'])
    assert.deepEqual(of({ schemas: [userUrn], userName: {} }), [400, 'invalidValue'])
    assert.deepEqual(of({ schemas: [userUrn], userName: 'a'.repeat(1025) }), [400, 'invalidValue'])
    assert.deepEqual(of({ schemas: [userUrn], userName: 'a\u0000' }), [400, 'invalidValue'])
    assert.deepEqual(of({ schemas: [userUrn], userName: 'a', name: 'b' }), [400, 'invalidValue'])
  })
})
