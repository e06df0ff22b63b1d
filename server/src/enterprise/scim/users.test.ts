// Users as a directory provisions them, through the SCIM interface.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OrganizationMember, UserDataExport, UserDetails } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createOrganization, createRole, createUser, unique } from '../../../test/harness/factories.ts'
import { type ScimWorld, person, proveDomain, scimWorld, userUrn } from '../../../test/harness/people/scim.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

type Page<Row> = { readonly data: readonly Row[]; readonly meta: { readonly total: number } }

const readMemberIds = async (service: TestService, organizationId: string) =>
  (await service.ok<Page<OrganizationMember>>('listOrganizationMembers', { params: { organizationId } })).data

const findUserBy = async (service: TestService, { tenant }: ScimWorld, email: string) => {
  const query = { tenantId: tenant.id, query: email }
  const [user] = (await service.ok<Page<UserDetails>>('listUsers', { query })).data
  assert.ok(user !== undefined, email)
  return user
}

const readUser = async (service: TestService, id: string) =>
  (await service.ok<{ data: UserDetails }>('getUser', { params: { id } })).data

const userNameIn = (body: object) => (body as { userName: string }).userName

describeService('POST /Users', (service) => {
  it('makes a user with a verified address and a membership, and one event of each', async () => {
    const world = await scimWorld(service())
    const sent = person(world.domain)
    const answer = await world.directory.call('POST', '/Users', { schemas: [userUrn], ...sent })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['location'], (answer.body['meta'] as { location: string }).location)
    assert.equal(answer.headers['etag'], 'W/"1"')
    const { id, meta: _meta, schemas, ...attributes } = answer.body
    assert.deepEqual([attributes, schemas], [sent, [userUrn]])
    const user = await findUserBy(service(), world, userNameIn(sent))
    assert.deepEqual([user.name, user.firstName, user.status], [sent.displayName, 'Ada', 'active'])
    const members = await readMemberIds(service(), world.organizationId)
    assert.deepEqual(
      members.map((member) => [member.user.id, member.role]),
      [[user.id, null]],
    )
    const types = (await storedEvents(service(), world.tenant.id)).map(({ type }) => type)
    for (const type of ['user.created', 'organization_membership.created', 'member.provisioned', 'scim_user.created'])
      assert.equal(types.filter((each) => each === type).length, 1, type)
    assert.deepEqual(await world.directory.ok(200, 'GET', `/Users/${id}`), answer.body)
  })

  it('refuses a name that is taken with 409 uniqueness, in either case of letters', async () => {
    const { directory, domain } = await scimWorld(service())
    const sent = person(domain)
    await directory.createUser(sent)
    const again = await directory.call('POST', '/Users', {
      schemas: [userUrn],
      ...sent,
      userName: sent.userName.toUpperCase(),
    })
    assert.deepEqual([again.status, again.body.scimType], [409, 'uniqueness'])
    const other = await directory.call('POST', '/Users', { schemas: [userUrn], ...sent, userName: unique() })
    assert.deepEqual([other.status, other.body.scimType], [409, 'uniqueness'])
  })

  // Guards: directory-adopts
  it('adopts an account only by an address of a domain that the organization has verified by DNS, and writes nothing to it', async () => {
    const world = await scimWorld(service())
    const { tenant, directory, domain } = world
    const own = `${unique()}@${domain}`
    const known = await createUser(service(), tenant.id, { email: own, name: 'Own Name' })
    await service().ok('verifyEmailAddress', { body: { id: known.primaryEmailId } })
    const before = await readUser(service(), known.id)
    await directory.createUser({ ...person(domain), emails: [{ value: own.toUpperCase(), primary: true }] })
    const after = await readUser(service(), known.id)
    assert.deepEqual([after.name, after.emailAddresses], [before.name, before.emailAddresses])
    assert.deepEqual(
      (await readMemberIds(service(), world.organizationId)).map((member) => member.user.id),
      [known.id],
    )
    const victim = await createUser(service(), tenant.id, { email: `${unique()}@elsewhere.example` })
    const address = victim.emailAddresses[0]?.email ?? ''
    const users = { schemas: [userUrn], userName: unique(), emails: [{ value: address, primary: true }] }
    const refused = await directory.call('POST', '/Users', users)
    assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue'])
    assert.match(refused.body.detail, /elsewhere\.example/)
    // A username that is an address is one.
    assert.equal((await directory.call('POST', '/Users', { schemas: [userUrn], userName: address })).status, 400)
    // The domain of another organization of the tenant is no better, and one that the tenant has only vouched for neither.
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const [proven, vouched] = [`${unique()}.example`, `${unique()}.example`]
    await proveDomain(service(), organizationId, proven)
    const params = { organizationId: world.organizationId }
    const { id } = await service().ok<{ id: string }>('createDomainOfOrganization', { params, body: { name: vouched } })
    await service().ok('verifyDomainOfOrganization', { params: { ...params, id } })
    for (const name of [proven, vouched]) {
      const answer = await directory.call('POST', '/Users', { schemas: [userUrn], ...person(name) })
      assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidValue'])
    }
    assert.equal((await readMemberIds(service(), world.organizationId)).length, 1)
  })

  // Guards: roles-from-directories
  it('gives no role and no right, whatever roles, entitlements and groups the directory names', async () => {
    const world = await scimWorld(service())
    const { id: roleId, name } = await createRole(service(), world.tenant.id, { permissions: ['org:members:manage'] })
    const sent = { ...person(world.domain), roles: [{ value: name, primary: true }, { value: roleId }] }
    const { id } = await world.directory.createUser({
      ...sent,
      roleId,
      entitlements: [roleId],
      groups: [{ value: roleId }],
      publicMeta: { admin: true },
    })
    await world.directory.patch(`/Users/${id}`, [{ op: 'add', path: 'roles', value: [{ value: 'super_admin' }] }])
    await world.directory.patch(`/Users/${id}`, [{ op: 'replace', value: { roleId, role: name } }])
    const [member] = await readMemberIds(service(), world.organizationId)
    assert.equal(member?.role, null)
    const user = await findUserBy(service(), world, sent.userName)
    assert.deepEqual([user.role ?? null, user.publicMeta], [null, {}])
  })
})

describeService('a user whom a directory changes', (service) => {
  it('has another address only if both domains are verified by DNS', async () => {
    const world = await scimWorld(service())
    const { directory, organizationId } = world
    const sent = person(world.domain)
    const { id } = await directory.createUser(sent)
    const replace = (value: string) =>
      directory.patch(`/Users/${id}`, [{ op: 'Replace', path: 'emails[type eq "work"].value', value }])
    const elsewhere = await replace(`${unique()}@elsewhere.example`)
    assert.deepEqual([elsewhere.status, elsewhere.body.scimType], [400, 'invalidValue'])
    const second = `${unique()}.example`
    await proveDomain(service(), organizationId, second)
    const taken = await createUser(service(), world.tenant.id, { email: `${unique()}@${second}` })
    const other = await replace(taken.emailAddresses[0]?.email ?? '')
    assert.deepEqual([other.status, other.body.scimType], [409, 'uniqueness'])
    const address = `${unique()}@${second}`
    assert.equal((await replace(address)).status, 200)
    const user = await findUserBy(service(), world, address)
    assert.deepEqual(
      user.emailAddresses.map(({ email, verifiedAt }) => [email, verifiedAt !== null]),
      [[address, true]],
    )
    assert.equal((await directory.find(`emails.value eq "${address.toUpperCase()}"`)).totalResults, 1)
    assert.equal((await directory.find(`emails[type eq "work"].value eq "${sent.userName}"`)).totalResults, 0)
  })

  it('keeps the names of an account that the directory has not made', async () => {
    const world = await scimWorld(service())
    const { directory, domain } = world
    const email = `${unique()}@${domain}`
    const known = await createUser(service(), world.tenant.id, { email, name: 'Own Name' })
    await service().ok('verifyEmailAddress', { body: { id: known.primaryEmailId } })
    const { id } = await directory.createUser({ ...person(domain), userName: email, emails: [{ value: email }] })
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'displayName', value: 'Other' }])
    assert.equal((await findUserBy(service(), world, email)).name, 'Own Name')
    const made = person(domain)
    const own = await directory.createUser(made)
    await directory.patch(`/Users/${own.id}`, [{ op: 'replace', path: 'displayName', value: 'Other' }])
    assert.equal((await findUserBy(service(), world, made.userName)).name, 'Other')
  })

  it('answers by version: 412 for an old one, 304 for the present one, and the same version if nothing changes', async () => {
    const { directory, domain } = await scimWorld(service())
    const sent = person(domain)
    const { id } = await directory.createUser(sent)
    const title = [{ op: 'add', path: 'title', value: 'Countess' }]
    const first = await directory.patch(`/Users/${id}`, title, { 'if-match': 'W/"1"' })
    assert.deepEqual([first.status, first.headers['etag']], [200, 'W/"2"'])
    assert.equal((await directory.patch(`/Users/${id}`, title, { 'if-match': 'W/"1"' })).status, 412)
    assert.equal((await directory.patch(`/Users/${id}`, title)).headers['etag'], 'W/"2"')
    const read = await directory.call('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"2"' })
    assert.equal(read.status, 304)
    const put = await directory.call('PUT', `/Users/${id}`, { schemas: [userUrn], ...sent }, { 'if-match': '"2"' })
    assert.deepEqual([put.status, put.body['title']], [200, undefined])
    assert.equal((await directory.call('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"2"' })).status, 412)
  })
})

describeService('a user whom a directory ends', (service) => {
  const readStatus = async (world: ScimWorld, email: string) => (await findUserBy(service(), world, email)).status

  it('is no member, has no session and is suspended, until the directory activates the user again', async () => {
    const world = await scimWorld(service())
    const sent = person(world.domain)
    const { id } = await world.directory.createUser(sent)
    const user = await findUserBy(service(), world, sent.userName)
    const session = await openSession(service(), world.tenant.id, user.id)
    const off = await world.directory.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])
    assert.deepEqual([off.status, off.body['active']], [200, false])
    assert.deepEqual(await readMemberIds(service(), world.organizationId), [])
    assert.equal(await readStatus(world, sent.userName), 'suspended')
    await service().refused('getSession', 'not_found', { params: { id: session.row.id } })
    const on = await world.directory.patch(`/Users/${id}`, [{ op: 'replace', value: { active: true } }])
    assert.equal(on.body['active'], true)
    assert.equal((await readMemberIds(service(), world.organizationId)).length, 1)
    assert.equal(await readStatus(world, sent.userName), 'active')
    const types = (await storedEvents(service(), world.tenant.id)).map(({ type }) => type)
    assert.deepEqual(
      types.filter((type) => /provisioned$|suspended$/.test(type)),
      ['member.provisioned', 'user.suspended', 'member.deprovisioned', 'user.unsuspended', 'member.provisioned'],
    )
  })

  it('stays active with another membership, a password, or an address elsewhere, and keeps the sessions there', async () => {
    const world = await scimWorld(service())
    const { tenant, directory } = world
    const others: ((userId: string) => Promise<unknown>)[] = [
      async (userId) =>
        service().ok('createOrganizationMember', {
          body: { organizationId: (await createOrganization(service(), tenant.id)).id, userId },
        }),
      (userId) =>
        service().ok('changeUserPassword', { params: { id: userId }, body: { password: `x9-${unique()}-Qz` } }),
      (userId) =>
        service().ok('createEmailAddress', {
          body: { tenantId: tenant.id, userId, email: `${unique()}@home.example` },
        }),
    ]
    for (const give of others) {
      const sent = person(world.domain)
      const { id } = await directory.createUser(sent)
      const user = await findUserBy(service(), world, sent.userName)
      await give(user.id)
      const session = await openSession(service(), tenant.id, user.id)
      await directory.ok(204, 'DELETE', `/Users/${id}`)
      assert.equal((await findUserBy(service(), world, sent.userName)).status, 'active')
      await service().ok('getSession', { params: { id: session.row.id } })
      assert.equal((await directory.call('GET', `/Users/${id}`)).status, 404)
    }
    assert.deepEqual(await readMemberIds(service(), world.organizationId), [])
  })

  // Guards: directory-ends-membership
  it('remains if nobody else could manage the organization, with 409 and a clear text', async () => {
    const world = await scimWorld(service())
    const sent = person(world.domain)
    const { id } = await world.directory.createUser(sent)
    const { id: roleId } = await createRole(service(), world.tenant.id, { permissions: ['org:members:manage'] })
    const [member] = await readMemberIds(service(), world.organizationId)
    await service().ok('updateOrganizationMember', { params: { id: member?.id ?? '' }, body: { roleId } })
    for (const answer of [
      await world.directory.call('DELETE', `/Users/${id}`),
      await world.directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]),
    ]) {
      assert.equal(answer.status, 409)
      assert.match(answer.body.detail, /last member who can manage/)
    }
    assert.equal((await world.directory.ok(200, 'GET', `/Users/${id}`))['active'], true)
    assert.equal((await readMemberIds(service(), world.organizationId)).length, 1)
  })

  it('is managed by the directory alone: elsewhere the membership cannot be ended, and the refusal names the directory', async () => {
    const world = await scimWorld(service())
    const { id } = await world.directory.createUser(person(world.domain))
    const [member] = await readMemberIds(service(), world.organizationId)
    const params = { id: member?.id ?? '' }
    const refused = await service().refused('deleteOrganizationMember', 'managed_by_directory', { params })
    assert.match(refused.message, /Acme staff/)
    await service().ok('updateOrganizationMember', { params, body: { publicMeta: { desk: 7 } } })
    await world.directory.ok(204, 'DELETE', `/Users/${id}`)
    assert.deepEqual(await readMemberIds(service(), world.organizationId), [])
  })

  it('leaves nothing of the person when the account is erased, and pages stay whole', async () => {
    const world = await scimWorld(service())
    const { directory } = world
    const sent = [person(world.domain), person(world.domain), person(world.domain), person(world.domain)]
    for (const each of sent) await directory.createUser(each)
    const user = await findUserBy(service(), world, sent[1]?.userName ?? '')
    const data = await service().ok<UserDataExport>('exportUserData', { params: { id: user.id } })
    assert.deepEqual(
      data.directories.map(({ active, connectionId }) => [active, connectionId]),
      [[true, world.connectionId]],
    )
    await service().ok('deleteUser', { params: { id: user.id } })
    const names: string[] = []
    for (let startIndex = 1; startIndex <= 3; startIndex += 2) {
      const page = await directory.ok(200, 'GET', `/Users?startIndex=${startIndex}&count=2`)
      assert.equal(page.totalResults, 3)
      names.push(...page.Resources.map((each) => String(each['userName'])))
    }
    assert.deepEqual(
      names.toSorted(),
      sent
        .map(userNameIn)
        .filter((name) => name !== sent[1]?.userName)
        .toSorted(),
    )
    await directory.createUser(sent[1])
    assert.equal((await directory.ok(200, 'GET', '/Users?count=0')).totalResults, 4)
  })
})
