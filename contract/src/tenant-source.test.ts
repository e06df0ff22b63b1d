import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { type Endpoint, type Place, permissionFlags } from './index.ts'
import { object, plainId, text } from './schema.ts'

const readRole = {
  id: 'readRole',
  method: 'GET',
  path: '/roles/{id}',
  tag: 'Roles',
  summary: 'Read a role',
  params: object({ id: plainId() }),
  response: text(),
  errors: [],
  example: { response: '' },
} as const

describe('an endpoint', () => {
  // Each of these lines fails the type check as soon as its mistake compiles.
  it('compiles only if it says where its tenant comes from', () => {
    endpoint({ ...readRole, permission: 'config:read', tenant: { locates: 'roles', by: 'params.id' } })
    endpoint({ ...readRole, permission: 'public' })
    // @ts-expect-error a permission in a tenant, but no tenant
    endpoint({ ...readRole, permission: 'config:read' })
    // @ts-expect-error a parameter that requests do not have
    endpoint({ ...readRole, permission: 'config:read', tenant: { from: 'params.tenantId' } })
    // @ts-expect-error a body where there is none
    endpoint({ ...readRole, permission: 'config:read', tenant: { locates: 'roles', by: 'body.id' } })
    // @ts-expect-error a record that is located nowhere
    endpoint({ ...readRole, permission: 'config:read', tenant: { locates: 'rolls', by: 'params.id' } })
  })

  const inTenant = (Object.values(endpoints) as readonly Endpoint[]).filter(
    ({ permission }) => permission in permissionFlags,
  )
  for (const each of inTenant) {
    it(`${each.id} names its tenant by a property that its requests must have`, () => {
      const { tenant, alsoReads } = each
      assert.ok(tenant !== undefined)
      const place = 'from' in tenant ? tenant.from : 'locates' in tenant ? tenant.by : tenant.finds
      for (const at of [place, ...(alsoReads === undefined ? [] : [alsoReads.from])]) assertRequired(each, at)
    })
  }
})

interface Variant {
  readonly required?: readonly string[]
}

interface Shape extends Variant {
  readonly oneOf?: readonly Variant[]
}

function assertRequired(declared: Endpoint, place: Place) {
  const [part = '', name = ''] = place.split('.')
  const schema: Shape | undefined = declared[part as 'params' | 'query' | 'body']
  const variants = schema?.oneOf ?? [schema]
  for (const variant of variants) assert.ok(variant?.required?.includes(name), `${declared.id}: ${place}`)
}
