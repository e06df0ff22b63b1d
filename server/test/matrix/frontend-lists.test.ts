// The lists of the frontend interface: one way to request a page, and one shape of the answer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type FrontendEndpoint, type FrontendEndpointId, type User, frontendEndpoints } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { createRole, createUser, unique } from '../harness/factories.ts'
import { anotherOrganization, claim, domainSettings } from '../harness/people/organization-domains.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { openSession } from '../harness/people/sessions.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { insertConnection, insertGrant, insertTrustedDevice } from './frontend-world.ts'

interface Meta {
  readonly total: number
  readonly count: number
  readonly numPages: number
  readonly perPage: number
  readonly prev: string | null
  readonly next: string | null
}
type Row = Readonly<Record<string, unknown>>

const all: readonly FrontendEndpoint[] = Object.values(frontendEndpoints)
const lists = all.filter(({ id }) => id.startsWith('list'))
/** The name under which a list returns its rows. */
const rowsName = ({ data }: FrontendEndpoint) => {
  const { properties } = data as unknown as { properties: Record<string, { items?: { type?: string } }> }
  const names = Object.keys(properties).filter((name) => properties[name]?.items?.type === 'object')
  assert.equal(names.length, 1)
  return names[0] ?? ''
}

describe('the lists of the frontend interface', () => {
  it('are declared alike: they take cursor and perPage, and return rows and meta', () => {
    assert.ok(lists.length >= 10)
    const shapes = lists.map(({ id, query, data }) => {
      const { properties } = data as unknown as { properties: Record<string, unknown> }
      return { id, query: Object.keys(query?.properties ?? {}), has: Object.keys(properties).includes('meta') }
    })
    for (const { id, query, has } of shapes)
      assert.deepEqual({ query, has }, { query: ['cursor', 'perPage'], has: true }, id)
  })

  it('are the only operations that return several records', () => {
    // The roles that a member may give are returned beside the organization.
    const others = all.filter(({ id, method, data }) => {
      const { properties = {} } = data as unknown as { properties?: Record<string, { type?: string }> }
      return (
        method === 'GET' && !id.startsWith('list') && Object.values(properties).some(({ type }) => type === 'array')
      )
    })
    assert.deepEqual(
      others.map(({ id }) => id),
      // A sign-in attempt lists the connections that serve the address.
      ['getSignIn', 'getOwnOrganization', 'getBrowserAccounts'],
    )
  })
})

const people = 3

/** Three connections, of which one has three groups of a directory, and what that directory has done. */
async function createConnectionLists(service: TestService, { browser }: Person, id: string): Promise<string> {
  let connectionId = ''
  for (let at = 0; at < people; at++) {
    const body = { type: 'oidc', name: `Staff ${at}`, oidc: { issuer: 'https://id.acme.example' } }
    const made = { params: { id }, body }
    connectionId = (await browser.ok<{ connection: { id: string } }>('createOwnOrganizationConnection', made))
      .connection.id
  }
  const { token } = await browser.ok<{ token: { token: string; baseUri: string } }>('createOwnOrganizationScimToken', {
    params: { id, connectionId },
    body: { name: 'Okta' },
  })
  for (let at = 0; at < people; at++) {
    const { status } = await service.request({
      method: 'POST',
      url: `${new URL(token.baseUri).pathname}/Groups`,
      headers: { host: 'id.test', authorization: `Bearer ${token.token}`, 'content-type': 'application/scim+json' },
      payload: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: `Group ${at}` },
    })
    assert.equal(status, 201)
  }
  return connectionId
}

/** Three of everything that a user can list. */
async function createLists(service: TestService) {
  const tenant = await tenantWith(service, {
    ...domainSettings,
    userApiKeysEnabled: true,
    organizationRolesEnabled: true,
    organizationRolePermissions: ['org:read'],
    organizationConnectionManagementEnabled: true,
  })
  const person = await signedInPerson(service, tenant)
  const { browser, user } = person
  const { db, clock } = service.deps
  const mine: User[] = []
  let organizationId = ''
  let groupId = ''
  for (let at = 0; at < people; at++) {
    await openSession(service, tenant.id, user.id)
    await createRole(service, tenant.id)
    await person.addPasskey()
    await insertConnection(service, tenant.id, user.id)
    await insertGrant(service, tenant.id, user.id)
    const name = `${unique()}.example`
    const { id } = await service.ok<{ id: string }>('createEmailAddress', {
      body: { tenantId: tenant.id, userId: user.id, email: `ada@${name}` },
    })
    await service.ok('verifyEmailAddress', { body: { id } })
    await browser.ok('createOwnEmail', { body: { email: `${unique()}@example.com` } })
    await browser.ok('createOwnPhone', { body: { phone: `+4930${String(Date.now()).slice(-6)}${at}` } })
    await service.ok('createUserApiKey', { body: { tenantId: tenant.id, userId: user.id, name: 'Script' } })
    const own = await browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    organizationId ||= own.organization.id
    const params = { id: organizationId }
    mine.push(await createUser(service, tenant.id))
    const fellow = { params, body: { userId: mine[at]?.id ?? '' } }
    const { member } = await browser.ok<{ member: { id: string } }>('addFellowMember', fellow)
    const { group } = await browser.ok<{ group: { id: string } }>('createOwnOrganizationGroup', {
      params,
      body: { name },
    })
    groupId ||= group.id
    await browser.ok('createOwnRole', { params, body: { name } })
    await browser.ok('addFellowToGroup', { params: { ...params, groupId }, body: { memberId: member.id } })
    await browser.ok('sendInvitation', { params, body: { email: `${unique()}@example.com` } })
    await claim(browser, organizationId)
    await service.ok('createUserApiKey', { body: { tenantId: tenant.id, organizationId, name: 'Script' } })
    const other = await anotherOrganization(service, tenant)
    await other.admin.browser.ok('sendInvitation', {
      params: { id: other.organization.id },
      body: { email: person.email },
    })
    const domain = await claim(other.admin.browser, other.organization.id, name)
    await db.write(() => [
      sql`UPDATE organization_domains SET verified_at = ${clock.now()} WHERE tenant_id = ${tenant.id} AND id = ${domain.id}`,
    ])
  }
  const connectionId = await createConnectionLists(service, person, organizationId)
  // Adding a passkey ends the trust in every device.
  for (let at = 0; at < people; at++) await insertTrustedDevice(service, tenant.id, user.id)
  return { person, params: { id: organizationId, groupId, connectionId } }
}

describeOnEachEngine('the lists of a signed-in user', (open) => {
  let service: TestService
  let person: Person
  let params: { readonly id: string; readonly groupId: string; readonly connectionId: string }
  before(async () => {
    service = await startTestService((await open()).database)
    ;({ person, params } = await createLists(service))
  })
  after(() => service.app.close())

  for (const endpoint of lists) {
    const id = endpoint.id as FrontendEndpointId
    const name = rowsName(endpoint)
    const ask = async (query: Record<string, string> = {}) => {
      const data = await person.browser.ok<Record<string, unknown> & { meta: Meta }>(id, { params, query })
      return { rows: data[name] as Row[], meta: data.meta }
    }

    it(`${id}: pages of one row, followed forwards and backwards, are the whole list`, async () => {
      const whole = await ask()
      assert.ok(whole.rows.length >= people, `${whole.rows.length}`)
      const { length } = whole.rows
      const { perPage } = whole.meta
      assert.deepEqual(whole.meta, { total: length, count: length, numPages: 1, perPage, prev: null, next: null })
      const forwards: Row[] = []
      const starts: (string | undefined)[] = []
      let last: Meta = whole.meta
      for (let cursor: string | null | undefined; cursor !== null; cursor = last.next) {
        assert.ok(forwards.length < length, 'the list goes on for ever')
        starts.push(cursor)
        const { rows, meta } = await ask({ perPage: '1', ...(cursor === undefined ? {} : { cursor }) })
        assert.deepEqual([meta.total, meta.count, meta.numPages, meta.perPage], [length, 1, length, 1])
        forwards.push(...rows)
        last = meta
      }
      assert.deepEqual(forwards, whole.rows)
      const backwards = forwards.slice(-1)
      for (let cursor = last.prev; cursor !== null; cursor = last.prev) {
        assert.ok(backwards.length < length, 'the list goes on for ever')
        const { rows, meta } = await ask({ perPage: '1', cursor })
        backwards.unshift(...rows)
        last = meta
      }
      assert.deepEqual(backwards, whole.rows)
    })

    it(`${id}: refuses an impossible perPage or cursor, and any other parameter`, async () => {
      for (const query of [{ perPage: '0' }, { perPage: '101' }, { perPage: 'all' }, { cursor: 'x' }, { page: '2' }]) {
        await person.browser.refused(id, 'validation_failed', { params, query })
      }
    })
  }

  it('also say at the old place where the next page of organizations starts', async () => {
    const data = await person.browser.ok<{ meta: Meta; prev: string | null; next: string | null }>(
      'listOwnOrganizations',
      { query: { perPage: '1' } },
    )
    assert.ok(data.next !== null)
    assert.deepEqual([data.prev, data.next], [data.meta.prev, data.meta.next])
  })
})
