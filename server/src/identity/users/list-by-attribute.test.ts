// The list of users who have a value of an attribute of the tenant.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type User, foldCase } from '@bailiwick/contract'
import fc from 'fast-check'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { checkList, listUsers, walkBothWays } from '../../../test/harness/people/list-users.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('GET /auth/users: attributes', (service) => {
  const attributes = [
    { key: 'company', type: 'text', label: { en: 'Company' }, writableBy: 'user', shownAt: 'profile', maxLength: 1000 },
    { key: 'seats', type: 'number', label: { en: 'Seats' }, writableBy: 'user', shownAt: 'profile' },
    { key: 'terms', type: 'boolean', label: { en: 'Terms' }, writableBy: 'user', shownAt: 'profile' },
    { key: 'since', type: 'date', label: { en: 'Since' }, writableBy: 'server', shownAt: 'nowhere' },
    {
      key: 'size',
      type: 'choice',
      label: { en: 'Size' },
      writableBy: 'user',
      shownAt: 'profile',
      choices: [{ value: 'small' }, { value: 'large' }],
    },
  ] as const
  // Values that look alike as text, and some that others contain.
  const companies = ['Acme', 'acme', 'Acme","seats":3,"x":"', 'Größe 🎉 \\"\n%', "'; --"]
  const numbers = [3, 30, 3.5, -3, 1e15, 0]
  let tenantId: string
  let users: User[]
  const asking = async () => {
    const { tenant } = await createTenant(service())
    await service().ok('putAttributes', { params: { id: tenant.id }, body: { attributes } })
    return tenant.id
  }
  before(async () => {
    tenantId = await asking()
    users = []
    for (let n = 0; n < 60; n++) {
      const publicMeta = {
        // Of the same name, but within another value.
        nested: { company: 'Acme', seats: 3, terms: true },
        ...(n % 4 === 0 ? {} : { company: companies[n % companies.length] }),
        ...(n % 5 === 0 ? {} : { seats: numbers[n % numbers.length] }),
        ...(n % 3 === 0 ? {} : { terms: n % 2 === 0, since: `2026-01-0${(n % 5) + 1}` }),
        ...(n % 7 === 0 ? {} : { size: n % 2 === 0 ? 'small' : 'large' }),
      }
      const name = n % 2 === 0 ? 'Ada Lovelace' : 'Grace Hopper'
      const user = await createUser(service(), tenantId, n % 11 === 0 ? { name } : { name, publicMeta })
      const body = { status: n % 6 === 0 ? 'suspended' : 'active' }
      users.unshift(await service().ok<User>('updateUser', { params: { id: user.id }, body }))
    }
  })

  it('narrow the list, beside status and search, by a value of its type, with exact totals, and page both ways', async () => {
    const values = fc.oneof(
      ...[
        ['company', companies],
        ['seats', numbers],
        ['terms', [true, false]],
        ['since', ['2026-01-01', '2026-01-05', '2030-01-01']],
        ['size', ['small', 'large']],
      ].map(([key, all]) =>
        fc.record({ key: fc.constant(String(key)), value: fc.constantFrom(...(all as unknown[])) }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.record({
          status: fc.constantFrom(undefined, 'active', 'suspended'),
          query: fc.constantFrom(undefined, 'ada', 'nobody'),
          perPage: fc.constantFrom('1', '3', '100'),
        }),
        async ({ key, value }, { status, query, perPage }) => {
          const expected = users.filter(
            (user) =>
              (user.publicMeta as Record<string, unknown> | null)?.[key] === value &&
              (status === undefined || user.status === status) &&
              (query === undefined || foldCase(user.name ?? '').includes(query)),
          )
          const attribute = `${key}:${String(value)}`
          await checkList(service(), tenantId, { perPage, attribute, status, query }, expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('are refused if the tenant has none of the name, or the value is not of the type', async () => {
    const refused = ['company', 'plan:pro', ':', 'seats:many', 'seats:', 'terms:yes', 'since:today', 'size:medium']
    for (const attribute of refused) {
      const { issues } = await service().refused('listUsers', 'validation_failed', { query: { tenantId, attribute } })
      assert.deepEqual(
        issues?.map(({ path }) => path),
        ['/attribute'],
        attribute,
      )
    }
  })

  it('find no user of another tenant', async () => {
    const other = await asking()
    const { id } = await createUser(service(), other, { publicMeta: { company: 'Acme', seats: 3 } })
    for (const attribute of ['company:Acme', 'seats:3'])
      assert.deepEqual(
        (await listUsers(service(), other, { attribute })).data.map((user) => user.id),
        [id],
      )
    assert.ok(!(await walkBothWays(service(), tenantId, { attribute: 'company:Acme' })).includes(id))
  })
})
