// The generated matrices of the frontend interface: callers who are not signed in, ids that belong to others, and invalid bodies.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type ErrorBody, type FrontendEndpoint, type FrontendEndpointId, frontendEndpoints } from '@bailiwick/contract'
import { Browser, type FrontendOptions } from '../harness/browser/frontend.ts'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { createTenant } from '../harness/factories.ts'
import { openSession } from '../harness/people/sessions.ts'
import { type Answer, describeService, describeServiceOnce } from '../harness/service.ts'
import {
  type FrontendNames,
  type FrontendWorld,
  createFrontendWorld,
  frontendNamesOfNothing,
  pathNames,
} from './frontend-world.ts'
import { junkBodies } from './junk.ts'

const all: readonly FrontendEndpoint[] = Object.values(frontendEndpoints)
const idOf = (endpoint: FrontendEndpoint) => endpoint.id as FrontendEndpointId

/** Anybody may read the public part of a tenant by its id. */
const publicOnes = all.filter(({ path }) => path.startsWith('/tenants/'))
/** A caller who has such an id in its own tenant learns whether it exists: the code that belongs to it proves the rest. */
const bearers = new Set([
  'attemptPasswordReset',
  'getInvitation',
  'acceptInvitation',
  'declineInvitation',
  'getOAuthInteraction',
  'loginOAuthInteraction',
  'consentOAuthInteraction',
  'abortOAuthInteraction',
])

const exampleBody = ({ example }: FrontendEndpoint) => (example as { body?: object }).body

function requestOf(endpoint: FrontendEndpoint, names: FrontendNames): FrontendOptions {
  const params = pathNames[idOf(endpoint)]?.(names)
  const body = exampleBody(endpoint)
  return { ...(params === undefined ? {} : { params }), ...(body === undefined ? {} : { body }) }
}

/** An answer without what distinguishes two answers of the same kind. */
const visible = ({ status, headers, text, body }: Answer) => ({
  status,
  text: text.replace((body as ErrorBody).requestId ?? '', ''),
  headers: Object.keys(headers).toSorted(),
})

describeService('the frontend interface', (service) => {
  let own: FrontendWorld
  let fellow: FrontendWorld
  let stranger: FrontendWorld
  before(async () => {
    const { tenant } = await createTenant(service())
    own = await createFrontendWorld(service(), tenant)
    fellow = await createFrontendWorld(service(), tenant)
    stranger = await createFrontendWorld(service(), (await createTenant(service())).tenant)
  })

  // Guards: other-users-records
  it('is known to these tests with every path that names something', () => {
    const named = all.filter(({ path }) => path.includes('{') && !path.startsWith('/tenants/')).map(({ id }) => id)
    assert.deepEqual(Object.keys(pathNames).toSorted(), named.toSorted())
    assert.equal(publicOnes.length, 3)
  })

  // Guards: ids-as-credentials
  it('refuses callers who are not signed in with 401, whatever ids they send, and writes nothing', async () => {
    const { person, ...names } = own
    const { user, tenantId } = person
    const ids = {
      userId: user.id,
      id: user.id,
      tenantId,
      organizationId: names.organizationId,
      sessionId: names.sessionId,
    }
    const headers = {
      'x-user-id': user.id,
      'x-tenant-id': tenantId,
      'x-organization-id': names.organizationId,
      'x-forwarded-user': user.id,
      'x-middleware-subrequest': 'middleware:middleware',
      cookie: `userId=${user.id}; sid=${names.sessionId}; __Host-sid-${tenantId}=${names.sessionId}`,
    }
    const required = all.filter(({ session }) => session === 'required')
    assert.ok(required.length > 35)
    await assertWritesNothing(service().deps.db, async () => {
      for (const endpoint of required) {
        const request = requestOf(endpoint, own)
        const body = endpoint.body === undefined ? undefined : { ...ids, ...(request.body as object) }
        const anonymous = person.elsewhere()
        await anonymous.refused(idOf(endpoint), 'unauthenticated', { ...request, body, headers })
      }
    })
  })

  for (const endpoint of all) {
    const path = pathNames[idOf(endpoint)]
    if (path === undefined) continue
    // Guards: every-guess, other-tenants-records, other-users-records
    it(`${endpoint.id} answers for records of others exactly as for missing ones, and changes nothing`, async () => {
      const holder = /^\/(?:sign-|password-)/.test(endpoint.path) ? own.person.elsewhere() : own.person.browser
      const ask = (names: FrontendNames) => holder.call(idOf(endpoint), requestOf(endpoint, names))
      const nothing = frontendNamesOfNothing()
      const foreign: FrontendNames[] = [stranger]
      if (!bearers.has(endpoint.id)) foreign.push(fellow)
      // Of two ids in a path either may belong to somebody else, while the other one is the caller's own.
      if (endpoint.path.split('{').length > 2) foreign.push({ ...fellow, organizationId: own.organizationId })
      await assertWritesNothing(service().deps.db, async () => {
        const expected = visible(await ask(nothing))
        assert.ok(expected.status >= 400 && expected.status < 500, String(expected.status))
        for (const names of foreign) assert.deepEqual(visible(await ask(names)), expected)
      })
    })
  }

  // Guards: other-tenants-records
  it('finds no tenant by a junk key, by two keys, or by one key and the host of another tenant', async () => {
    const { person } = own
    const { publicKey } = person
    const keys = [
      '',
      'x',
      `${publicKey}x`,
      publicKey.slice(0, -1),
      publicKey.toUpperCase(),
      `${publicKey},${publicKey}`,
      '__proto__',
      "' OR 1=1 --",
    ]
    for (const key of keys) {
      const { status } = await new Browser(service(), key).call('createSignIn', { body: { identifier: 'ada' } })
      assert.equal(status, 404, key)
    }
    const answer = await service().request({
      method: 'POST',
      url: `/frontend/api/v0/sign-ins?publicKey=${stranger.person.publicKey}`,
      headers: { host: 'id.test', 'x-public-key': publicKey },
      payload: { identifier: 'ada' },
    })
    assert.equal(answer.status, 404)
  })
})

describeServiceOnce('a request of the frontend interface', (service) => {
  let own: FrontendWorld
  before(async () => {
    own = await createFrontendWorld(service(), (await createTenant(service())).tenant)
  })

  for (const endpoint of all) {
    const { body } = endpoint
    if (body === undefined) continue
    // Guards: prototypes, unstorable-values
    it(`${endpoint.id} refuses junk in its body with 400 at its place, and writes nothing`, async () => {
      const valid = requestOf(endpoint, own)
      const junk = junkBodies(body, valid.body as object)
      await assertWritesNothing(service().deps.db, async () => {
        for (const { what, json, path } of junk) {
          const answer = await own.person.browser.call(idOf(endpoint), {
            ...valid,
            body: json,
            headers: { 'content-type': 'application/json' },
          })
          const { code, issues } = answer.body as unknown as ErrorBody
          assert.deepEqual([answer.status, code], [400, 'validation_failed'], `${what}: ${answer.text}`)
          assert.deepEqual([...new Set(issues?.map((issue) => issue.path))], [path], `${what}: ${answer.text}`)
        }
      })
    })
  }

  // Guards: cursors
  it('refuses cursors that are not times, with 400 at their place', async () => {
    const lists = all.filter(
      ({ query }) => query !== undefined && 'cursor' in (query as { properties: object }).properties,
    )
    assert.ok(lists.length >= 3)
    const cursors = [
      "' OR 1=1 --",
      '2026-01-01',
      'eyJpZCI6MX0',
      '1e400',
      '0',
      '9999999999999999',
      'a\0b',
      '2026-02-30T00:00:00Z',
      "2026-01-01T00:00:00Z'; DROP TABLE users",
    ]
    const { tenantId, user, publicKey } = own.person
    const { token } = await openSession(service(), tenantId, user.id)
    for (const endpoint of lists) {
      const path = endpoint.path.replace('{id}', own.organizationId)
      for (const cursor of cursors) {
        const { status, body, text } = await service().request({
          method: 'GET',
          url: `/frontend/api/v0${path}?cursor=${encodeURIComponent(cursor)}`,
          headers: { host: 'id.test', 'x-public-key': publicKey, authorization: `Bearer ${token}` },
        })
        assert.equal(status, 400, `${endpoint.id} ${cursor}: ${text}`)
        assert.deepEqual(new Set((body as ErrorBody).issues?.map((issue) => issue.path)), new Set(['/cursor']), cursor)
      }
    }
  })
})
