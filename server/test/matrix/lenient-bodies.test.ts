// Meaningless parts of a body are ignored: null for optional properties, the tenant and the type of the record, and the method that another
// service uses for the same.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  type Endpoint,
  type EndpointId,
  type FrontendEndpoint,
  type FrontendEndpointId,
  type Profile,
  frontendEndpoints,
  endpoints,
  permissionFlags,
} from '@bailiwick/contract'
import { withoutNulls } from '../../src/platform/http/body/optional-nulls.ts'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { createTenant } from '../harness/factories.ts'
import type { Person } from '../harness/people/people.ts'
import { openSession } from '../harness/people/sessions.ts'
import { type CallOptions, describeService } from '../harness/service.ts'
import { type FrontendWorld, createFrontendWorld, pathNames } from './frontend-world.ts'
import { endpointIds, requests, tokenFor } from './requests.ts'
import { type World, createWorld } from './world.ts'

interface Rules {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Rules>>
  readonly required?: readonly string[]
}

const rulesOf = ({ body }: Endpoint) => (body ?? {}) as unknown as Rules
/** The optional properties that cannot be null. */
const leavable = (endpoint: Endpoint, body: object) => {
  const { properties = {}, required = [] } = rulesOf(endpoint)
  return Object.entries(properties)
    .filter(
      ([name, { type }]) =>
        !required.includes(name) && !(name in body) && type !== undefined && ![type].flat().includes('null'),
    )
    .map(([name]) => name)
}
const takesTenant = (endpoint: Endpoint) => {
  const { properties } = rulesOf(endpoint)
  return endpoint.permission in permissionFlags && properties !== undefined && !('tenantId' in properties)
}

describeService('a body of the management interface', (service) => {
  let world: World
  let other: World
  before(async () => {
    ;[world, other] = [await createWorld(service()), await createWorld(service())]
  })
  const validOf = (id: EndpointId) => {
    const valid: CallOptions = requests[id].valid(world)
    return { ...valid, token: tokenFor(id, world), body: valid.body as object }
  }

  for (const id of endpointIds) {
    const endpoint: Endpoint = endpoints[id]
    if (endpoint.body === undefined || endpoint.bodyType !== undefined) continue
    if (leavable(endpoint, {}).length === 0) continue
    it(`of ${id} may have null for optional properties`, async () => {
      const valid = validOf(id)
      const nulls = leavable(endpoint, valid.body).map((name) => [name, null] as const)
      const { status, text } = await service().call(id, {
        ...valid,
        body: { ...Object.fromEntries(nulls), ...valid.body },
      })
      assert.equal(status, 200, text)
    })
  }

  const named = endpointIds.filter((id) => takesTenant(endpoints[id]) && endpoints[id].method !== 'POST')
  for (const id of named) {
    const endpoint: Endpoint = endpoints[id]
    it(`of ${id} ${endpoint.isBodyExact === true ? 'takes no tenantId' : "may name the record's tenant, and no other"}`, async () => {
      const valid = validOf(id)
      const withTenant = (tenantId: string) => ({ ...valid, body: { ...valid.body, tenantId } })
      if (endpoint.isBodyExact === true) {
        await service().refused(id, 'validation_failed', withTenant(world.tenantId))
        return
      }
      await assertWritesNothing(service().deps.db, async () => {
        await service().refused(id, 'not_found', withTenant(other.tenantId))
        await service().refused(id, 'validation_failed', { ...valid, body: { ...valid.body, tenantId: 1 } })
        const { issues } = await service().refused(id, 'validation_failed', {
          ...valid,
          body: { ...valid.body, tenantId: world.tenantId, unheardOf: 1 },
        })
        assert.ok(issues?.some(({ path }) => path === '/unheardOf'))
      })
      const { status, text } = await service().call(id, withTenant(world.tenantId))
      assert.equal(status, 200, text)
    })
  }

  it('of a channel or a template may name its type, and no other', async () => {
    for (const id of ['updateChannel', 'updateTemplate'] as const) {
      const valid = validOf(id)
      const { type: own } = await service().ok<{ type: string }>(
        id === 'updateChannel' ? 'getChannel' : 'getTemplate',
        { params: valid.params ?? {} },
      )
      const elsewhere = own === 'email' ? 'sms' : 'email'
      await service().ok(id, { ...valid, body: { type: own } })
      const { issues } = await service().refused(id, 'validation_failed', { ...valid, body: { type: elsewhere } })
      assert.deepEqual(
        issues?.map(({ path }) => path),
        ['/type'],
      )
    }
  })
})

describeService('a request of the frontend interface', (service) => {
  let world: FrontendWorld
  let person: Person
  before(async () => {
    world = await createFrontendWorld(service(), (await createTenant(service())).tenant)
    ;({ person } = world)
  })

  it('may name the tenant that it is sent to, and no other', async () => {
    const { tenantId } = person
    const body = { name: 'Ada' }
    const { user } = await person.browser.ok<{ user: Profile }>('updateProfile', { body: { ...body, tenantId } })
    assert.equal(user.name, 'Ada')
    await person.browser.refused('updateProfile', 'not_found', { body: { ...body, tenantId: 'celsewhere1' } })
  })

  it('may have null for optional properties', async () => {
    const { browser } = person
    await browser.ok('createOwnToken', { body: { ttl: null } })
    const elsewhere = person.elsewhere()
    await elsewhere.ok('createSignIn', {
      body: { identifier: person.email, strategy: null, password: null, redirectUri: null, providerKey: null },
    })
  })

  it('changes the profile, an organization, a member and an invitation by PUT as by PATCH, and signs out by DELETE as by POST', async () => {
    const aliases = (Object.values(frontendEndpoints) as FrontendEndpoint[]).filter(
      ({ alsoAs }) => alsoAs !== undefined,
    )
    assert.deepEqual(
      aliases.map(({ id, alsoAs }) => [id, alsoAs]),
      [
        ['updateProfile', ['PUT']],
        ['updateFellowMember', ['PUT']],
        ['updateOwnOrganization', ['PUT']],
        ['updateSentInvitation', ['PUT']],
        ['endOwnSessions', ['DELETE']],
      ],
    )
    for (const { id, path, alsoAs = [], body } of aliases) {
      const isSignedOut = id === 'endOwnSessions'
      const names = pathNames[id as FrontendEndpointId]?.(world) ?? {}
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => names[name] ?? name)
      const { token } = await openSession(service(), person.tenantId, person.user.id)
      const headers = { 'x-public-key': person.publicKey, authorization: `Bearer ${token}` }
      for (const method of alsoAs) {
        const answer = await service().request({
          method,
          url: `/frontend/api/v0${filled}`,
          headers: { host: 'id.test', ...headers },
          ...(body === undefined || isSignedOut
            ? {}
            : {
                payload: 'roleId' in (body as { properties: object }).properties ? { roleId: null } : { name: 'Grace' },
              }),
        })
        assert.equal(answer.status, 200, `${method} ${filled}: ${answer.text}`)
      }
      const { status } = await person.elsewhere().call('getProfile', { headers })
      assert.equal(status, isSignedOut ? 401 : 200, id)
    }
    const { user } = await person.browser.ok<{ user: Profile }>('getProfile')
    assert.equal(user.name, 'Grace')
  })
})

describe('nulls that are taken out of a body', () => {
  const schema = {
    type: 'object',
    properties: {
      needed: { type: 'string' },
      left: { type: 'string' },
      unset: { type: ['string', 'null'] },
      chosen: { enum: ['a', null] },
      free: {},
      inner: { type: 'object', properties: { left: { type: 'number' } } },
      list: { type: 'array', items: { type: 'object', properties: { left: { type: 'number' } } } },
    },
    required: ['needed'],
  }

  it('belong to declared optional properties for which null has no meaning, at any depth', () => {
    const nothing = { needed: null, unset: null, chosen: null, free: null, unheardOf: null }
    const body = { ...nothing, left: null, inner: { left: null, other: null }, list: [{ left: null }, null] }
    assert.equal(withoutNulls(schema, body), true)
    assert.deepEqual(body, { ...nothing, inner: { other: null }, list: [{}, null] })
    assert.equal(withoutNulls(schema, body), false)
  })
})
