// The SCIM interface itself: who may call, what it says about itself, lists and searches, and its errors.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ScimLogEntry, ScimToken } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createConnection, createOrganization, createTenant, unique } from '../../../test/harness/factories.ts'
import { inTime } from '../../../test/harness/in-time.ts'
import { WebhookReceiver } from '../../../test/harness/outside/webhook-receiver.ts'
import {
  Directory,
  createScimToken,
  groupUrn,
  openDirectory,
  patchUrn,
  person,
  scimWorld,
  userUrn,
} from '../../../test/harness/people/scim.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const paths = ['/Users', '/Users/x', '/Groups', '/ServiceProviderConfig', '/Schemas', '/ResourceTypes', '/nothing']

/** The longest that a hook may have; one that a machine has kept waiting for longer has failed. */
const hookMsMax = 3000

describeService('the SCIM interface', (service) => {
  // Guards: scim-without-credential
  it('answers nobody without a live token of the connection, and tells none of the reasons apart', async () => {
    const { tenant, organizationId, connectionId, directory } = await scimWorld(service())
    const { tenant: other } = await createTenant(service())
    const { id: sister } = await createConnection(service(), organizationId)
    const { id: stranger } = await createConnection(service(), (await createOrganization(service(), other.id)).id)
    const at = (tenantId: string, id: string, token = directory.token) =>
      new Directory(service(), `/t/${tenantId}/scim/${id}/v2`, token)
    const revoked = await createScimToken(service(), connectionId)
    await service().ok('deleteScimToken', { params: { id: connectionId, tokenId: revoked.id } })
    const expired = await createScimToken(service(), connectionId, { expiresAt: '2999-01-01T00:00:00Z' })
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE scim_tokens SET expires_at = '2026-01-01T00:00:00.000000Z' WHERE id = ${expired.id}`),
    )
    const wrong = [
      at(tenant.id, connectionId, ''),
      directory.at(service(), undefined),
      directory.at(service(), 'scim_nonsense'),
      directory.at(service(), revoked.token),
      directory.at(service(), expired.token),
      at(tenant.id, sister),
      at(other.id, stranger),
      at(other.id, connectionId),
      at(tenant.slug, connectionId),
      at(tenant.id, 'x'),
    ].map((each, n) => (n === 1 ? new Directory(service(), each.path, undefined) : each))
    const bodies = new Set<string>()
    for (const each of wrong) {
      for (const path of paths) {
        const answer = await each.call('GET', path)
        assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Bearer'], path)
        bodies.add(JSON.stringify(answer.body))
      }
      assert.equal((await each.call('POST', '/Users', { schemas: [userUrn], userName: unique() })).status, 401)
      assert.equal((await each.call('PATCH', '/Users/x', 'not read at all')).status, 401)
    }
    assert.equal(bodies.size, 1)
    assert.equal((await directory.call('GET', '/Users')).status, 200)
  })

  // Guards: token-names-organization
  it("reads and changes nothing of another connection, also of the same organization, by the ids of that one's resources", async () => {
    const world = await scimWorld(service())
    const theirs = await world.directory.createUser(person(world.domain))
    const group = await world.directory.createGroup('Engineering', [theirs.id])
    const { id: sister } = await createConnection(service(), world.organizationId)
    const { token } = await createScimToken(service(), sister)
    const own = new Directory(service(), `/t/${world.tenant.id}/scim/${sister}/v2`, token)
    for (const directory of [
      own,
      (await scimWorld(service(), world.tenant)).directory,
      (await scimWorld(service())).directory,
    ]) {
      for (const path of [`/Users/${theirs.id}`, `/Groups/${group.id}`]) {
        const body = { schemas: [userUrn, groupUrn], userName: 'x', displayName: 'x' }
        const answers = [
          await directory.call('GET', path),
          await directory.call('PUT', path, body),
          await directory.patch(path, [{ op: 'replace', path: 'displayName', value: 'x' }]),
          await directory.call('DELETE', path),
        ]
        assert.deepEqual(
          answers.map(({ status }) => status),
          [404, 404, 404, 404],
        )
      }
      for (const filter of [`id eq "${theirs.id}"`, `userName eq "${String(theirs['userName'])}"`])
        assert.equal((await directory.find(filter)).totalResults, 0)
      assert.equal((await directory.find(`members eq "${theirs.id}"`, 'Groups')).totalResults, 0)
      const created = await directory.call('POST', '/Groups', {
        schemas: [groupUrn],
        displayName: 'x',
        members: [{ value: theirs.id }],
      })
      assert.deepEqual([created.status, created.body.scimType], [400, 'invalidValue'])
    }
  })

  // Guards: slow-hooks
  it('provisions while all directories of another tenant wait for a hook that does not answer', () =>
    inTime(hookMsMax, async (begin) => {
      const silent = await WebhookReceiver.start()
      const { tenant, organizationId } = await scimWorld(service())
      const hook = { tenantId: tenant.id, point: 'user.before_create', url: silent.url, timeoutMs: hookMsMax }
      await service().ok('createHook', { body: hook })
      const open = async () => openDirectory(service(), (await createConnection(service(), organizationId)).id)
      const slow = await Promise.all(Array.from({ length: 9 }, open))
      const { promise: areAsked, resolve } = Promise.withResolvers<undefined>()
      silent.behaviour = () => {
        if (silent.concurrent === slow.length - 1) resolve(undefined)
      }
      const { directory, domain } = await scimWorld(service())
      begin()
      let ended = 0
      const calls = slow.map(async (each) => {
        await each.call('POST', '/Users', { schemas: [userUrn], userName: unique() })
        ended++
      })
      await Promise.race([areAsked, ...calls])
      await directory.createUser(person(domain))
      assert.equal(ended, 0)
      await silent.stop()
      await Promise.all(calls)
    }))

  it('says what it offers, as the standard has it', async () => {
    const { directory } = await scimWorld(service())
    const config = await directory.ok(200, 'GET', '/ServiceProviderConfig')
    const supported = (name: string) => (config[name] as { supported: boolean }).supported
    const names = ['patch', 'filter', 'etag', 'bulk', 'sort', 'changePassword']
    assert.deepEqual(names.filter(supported), names.slice(0, 3))
    const types = await directory.ok(200, 'GET', '/ResourceTypes')
    assert.deepEqual(
      types.Resources.map(({ id }) => id),
      ['User', 'Group'],
    )
    assert.equal((await directory.ok(200, 'GET', '/ResourceTypes/User'))['endpoint'], '/Users')
    const schemas = await directory.ok(200, 'GET', '/Schemas')
    for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig'])
      await directory.ok(403, 'GET', `${path}?filter=id%20eq%20%22x%22`)
    assert.equal(schemas.totalResults, 3)
    for (const { id } of schemas.Resources) assert.equal((await directory.ok(200, 'GET', `/Schemas/${id}`)).id, id)
    for (const path of ['/Bulk', '/Me']) assert.equal((await directory.call('POST', path, {})).status, 501)
    assert.equal((await directory.call('GET', '/nothing')).status, 404)
    assert.equal((await directory.call('DELETE', '/Users')).headers['allow'], 'GET, HEAD, POST')
    assert.equal((await directory.call('HEAD', '/Users')).status, 200)
  })

  it('pages by startIndex and count, also after users were removed', async () => {
    const { directory } = await scimWorld(service())
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await directory.createUser()).id)
    await directory.ok(204, 'DELETE', `/Users/${ids[2]}`)
    const seen: string[] = []
    for (let startIndex = 1; startIndex <= 6; startIndex += 2) {
      const page = await directory.ok(200, 'GET', `/Users?startIndex=${startIndex}&count=2`)
      assert.deepEqual([page.totalResults, page.itemsPerPage, page['startIndex']], [6, 2, startIndex])
      seen.push(...page.Resources.map(({ id }) => id))
    }
    assert.deepEqual(seen.toSorted(), ids.filter((_id, n) => n !== 2).toSorted())
    const none = await directory.ok(200, 'GET', '/Users?count=0')
    assert.deepEqual([none.totalResults, none.Resources], [6, []])
    assert.deepEqual((await directory.ok(200, 'GET', '/Users?startIndex=7')).Resources, [])
    assert.equal((await directory.ok(200, 'GET', '/Users?startIndex=-1&count=-5')).itemsPerPage, 0)
    const wrong = await directory.call('GET', '/Users?count=many')
    assert.deepEqual([wrong.status, wrong.body.scimType], [400, 'invalidValue'])
  })

  it('finds users and groups by what directories compare, by GET and by search', async () => {
    const { directory, domain } = await scimWorld(service())
    const sent = person(domain, unique(), { externalId: 'E1' })
    const { id } = await directory.createUser(sent)
    await directory.createUser({ active: false })
    const group = await directory.createGroup('Engineering', [id])
    const found = async (filter: string, kind?: string) =>
      (await directory.find(filter, kind)).Resources.map((each) => each.id)
    for (const filter of [
      `userName eq "${sent.userName.toUpperCase()}"`,
      'externalId eq "E1"',
      `emails.value eq "${sent.userName}"`,
      `emails[type eq "work"].value eq "${sent.userName}"`,
      `displayName eq "${sent.displayName}"`,
      `id eq "${id}" and active eq true`,
      'active eq true',
    ]) {
      assert.deepEqual(await found(filter), [id], filter)
    }
    assert.deepEqual(await found('externalId eq "e1"'), [])
    assert.deepEqual(await found('displayName eq "engineering"', 'Groups'), [group.id])
    assert.deepEqual(await found(`id eq "${group.id}" and members eq "${id}"`, 'Groups'), [group.id])
    assert.deepEqual(await found(`members.value eq "${group.id}"`, 'Groups'), [])
    const refused = await directory.call('GET', `/Users?filter=${encodeURIComponent('userName co "a"')}`)
    assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidFilter'])
    const search = (path: string, body: object) =>
      directory.call('POST', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...body })
    const byName = await search('/Users/.search', {
      filter: `userName eq "${sent.userName}"`,
      attributes: ['userName'],
    })
    assert.deepEqual(
      byName.body.Resources.map((each) => Object.keys(each).toSorted()),
      [['id', 'schemas', 'userName']],
    )
    const all = await search('/.search', { startIndex: 2, count: 2 })
    assert.equal(all.body.totalResults, 3)
    assert.equal(all.body.Resources[1]?.id, group.id)
    assert.equal((await search('/.search', { filter: `members eq "${id}"` })).body.totalResults, 1)
  })

  it('leaves out what is not asked for', async () => {
    const { directory, domain } = await scimWorld(service())
    const { id } = await directory.createUser(person(domain))
    const group = await directory.createGroup('Engineering', [id])
    const keys = async (path: string) => Object.keys(await directory.ok(200, 'GET', path)).toSorted()
    assert.deepEqual(await keys(`/Groups/${group.id}?excludedAttributes=members`), [
      'displayName',
      'id',
      'meta',
      'schemas',
    ])
    assert.deepEqual(await keys(`/Groups/${group.id}`), ['displayName', 'id', 'members', 'meta', 'schemas'])
    assert.deepEqual(await keys(`/Users/${id}?attributes=userName,name.givenName`), [
      'id',
      'name',
      'schemas',
      'userName',
    ])
    assert.deepEqual(await keys(`/Users/${id}?attributes=id`), ['id', 'schemas'])
  })

  it('refuses what is no body with the errors of SCIM', async () => {
    const { directory } = await scimWorld(service())
    const of = async (...args: Parameters<Directory['call']>) => {
      const { status, body } = await directory.call(...args)
      assert.deepEqual(
        [body['schemas'], body['status']],
        [['urn:ietf:params:scim:api:messages:2.0:Error'], String(status)],
      )
      return [status, body.scimType]
    }
    assert.deepEqual(await of('POST', '/Users', '{'), [400, 'invalidSyntax'])
    assert.deepEqual(await of('POST', '/Users', '[]'), [400, 'invalidSyntax'])
    assert.deepEqual(await of('POST', '/Users'), [400, 'invalidSyntax'])
    assert.deepEqual(await of('POST', '/Users', { userName: 'x' }), [400, 'invalidSyntax'])
    assert.deepEqual(await of('POST', '/Users', '{"__proto__":{}}'), [400, 'invalidSyntax'])
    assert.deepEqual(await of('POST', '/Users', `${'['.repeat(50_000)}${']'.repeat(50_000)}`), [400, 'invalidSyntax'])
    assert.deepEqual(await of('PATCH', '/Users/x', { schemas: [patchUrn], Operations: [] }), [404, undefined])
    assert.deepEqual(await of('POST', '/Users', 'x', { 'content-type': 'text/xml' }), [415, undefined])
    assert.deepEqual(await of('POST', '/Users', 'x'.repeat(1024 * 1024 + 1)), [413, undefined])
  })
})

describeService('the tokens of a connection', (service) => {
  it('are shown once, two at most, each with an event, and stored in no form that works', async () => {
    const { tenant, connectionId, directory } = await scimWorld(service())
    const second = await createScimToken(service(), connectionId, { name: 'Second' })
    assert.match(second.token, /^scim_[0-9A-Za-z]+$/)
    const params = { id: connectionId }
    await service().refused('createScimToken', 'scim_token_limit_reached', { params, body: { name: 'Third' } })
    const listed = await service().ok<ScimToken[]>('listScimTokens', { params })
    assert.deepEqual(
      listed.map(({ name, last4 }) => [name, last4]),
      [
        ['Second', second.token.slice(-4)],
        ['Directory', directory.token?.slice(-4)],
      ],
    )
    const dump = JSON.stringify([await dumpTables(service().deps.db), await storedEvents(service(), tenant.id), listed])
    assert.ok(!dump.includes(second.token.slice(0, -4)))
    await service().ok('deleteScimToken', { params: { ...params, tokenId: second.id } })
    await service().refused('deleteScimToken', 'not_found', { params: { ...params, tokenId: second.id } })
    await createScimToken(service(), connectionId)
    const types = (await storedEvents(service(), tenant.id)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'scim_token.revoked').length, 1)
  })

  it('do nothing while the connection is switched off', async () => {
    const { connectionId, directory } = await scimWorld(service())
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE connections SET state = 'off' WHERE id = ${connectionId}`),
    )
    assert.equal((await directory.call('GET', '/Users')).status, 403)
  })
})

describeService('the log of a directory', (service) => {
  it('says what was changed and what was refused, without a value of anybody', async () => {
    const { connectionId, directory, domain } = await scimWorld(service())
    const sent = person(domain)
    const { id } = await directory.createUser(sent)
    await directory.call('GET', '/Users')
    await directory.call('POST', '/Users', { schemas: [userUrn], ...sent })
    await directory.call('GET', `/Users/${encodeURIComponent(sent.userName)}`)
    await directory.ok(204, 'DELETE', `/Users/${id}`)
    const answer = await service().call<{ data: ScimLogEntry[] }>('listScimLog', { params: { id: connectionId } })
    assert.deepEqual(
      answer.body.data.map(({ method, resource, resourceId, status, reason }) => [
        method,
        resource,
        resourceId,
        status,
        reason,
      ]),
      [
        ['DELETE', 'Users', id, 204, null],
        ['GET', 'Users', null, 404, 'status_404'],
        ['POST', 'Users', null, 409, 'uniqueness'],
        ['POST', 'Users', id, 201, null],
      ],
    )
    assert.ok(!answer.text.includes(sent.userName) && !answer.text.includes('Ada'))
  })
})
