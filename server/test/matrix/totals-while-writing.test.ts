// A list and its total are of one moment, whatever others write meanwhile: here every read of the database is followed by a write.
import assert from 'node:assert/strict'
import { before, after, it } from 'node:test'
import type { EndpointId } from '@bailiwick/contract'
import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createTenant } from '../harness/factories.ts'
import { type CallOptions, type TestService, startTestService } from '../harness/service.ts'

interface Page {
  readonly data: readonly object[]
  readonly meta: { readonly total: number }
}

/** A database that calls `onRead` after each statement outside transactions. */
const withWritesBetween = (database: OpenDatabase, onRead: () => Promise<void>): OpenDatabase =>
  new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as (...given: unknown[]) => Promise<unknown>
      if (name !== 'all' && name !== 'first') return method
      return async (...given: unknown[]) => {
        const found = await method(...given)
        await onRead()
        return found
      }
    },
  })

interface List {
  readonly id: EndpointId
  readonly call: (tenantId: string) => CallOptions
  /** Adds a record to the list. */
  readonly add: (tenantId: string, n: number) => readonly [id: EndpointId, body: Readonly<Record<string, unknown>>]
}

const byPath = (tenantId: string): CallOptions => ({ params: { tenantId }, query: { perPage: '100' } })
const byQuery = (tenantId: string): CallOptions => ({ query: { tenantId, perPage: '100' } })
const filtered =
  (call: List['call']): List['call'] =>
  (tenantId) => ({ ...call(tenantId), query: { ...call(tenantId).query, createdAfter: '2020-01-01T00:00:00Z' } })

const addOrganization: List['add'] = (tenantId, n) => ['createOrganization', { tenantId, name: `Organization ${n}` }]
const addUser: List['add'] = (tenantId, n) => ['createUser', { tenantId, email: `user${n}@example.com` }]

const lists: readonly List[] = [
  { id: 'listOrganizations', call: byPath, add: addOrganization },
  { id: 'listOrganizations', call: filtered(byPath), add: addOrganization },
  { id: 'listTenantEmailAddresses', call: byPath, add: addUser },
  { id: 'listUsers', call: byQuery, add: addUser },
  { id: 'listUsers', call: (tenantId) => ({ query: { tenantId, perPage: '100', status: 'active' } }), add: addUser },
  {
    id: 'listWebhooks',
    call: byPath,
    add: (tenantId, n) => [
      'createWebhook',
      { tenantId, url: `https://hooks.example.com/${n}`, events: ['user.created'] },
    ],
  },
  { id: 'listRoles', call: byPath, add: (tenantId, n) => ['createRole', { tenantId, name: `Role ${n}` }] },
]

describeOnEachEngine('the total of a list while others write', (open) => {
  let service: TestService
  let write: (() => Promise<unknown>) | undefined
  before(async () => {
    const database = withWritesBetween((await open()).database, async () => {
      const once = write
      // What the write itself reads is not followed by another one.
      write = undefined
      await once?.()
      write = once
    })
    service = await startTestService(database)
  })
  after(() => service.app.close())

  for (const { id, call, add } of lists) {
    it(`is that of the page in ${id} (${Object.keys(call('').query ?? {}).join(', ')})`, async () => {
      const { tenant } = await createTenant(service)
      let added = 0
      const read = () => service.ok<Page>(id, call(tenant.id))
      const addOne = async () => {
        const [operation, body] = add(tenant.id, ++added)
        await service.ok(operation, { body })
      }
      const { meta: earlier } = await read()
      for (let reads = 0; reads < 3; reads++) {
        write = addOne
        const { data, meta } = await read()
        write = undefined
        assert.equal(meta.total, data.length)
      }
      assert.ok(added > 2)
      assert.equal((await read()).meta.total, earlier.total + added)
    })
  }
})
