import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type TenantMember, type User, roleFlags } from '@bailiwick/contract'
import { useApiKey } from '../../../test/harness/api-keys.ts'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createApiKey, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { signInConsoleUser, useSession } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { findConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { insertMember } from './queries.ts'
import { memberRow } from './tenant-members.ts'

const newEmail = () => `${unique()}@console.example`
const noFlags = Object.fromEntries(roleFlags.map((flag) => [flag, false]))
const allFlags = Object.fromEntries(roleFlags.map((flag) => [flag, true]))

const readFlags = (member: TenantMember) => Object.fromEntries(roleFlags.map((flag) => [flag, member[flag]]))

const add = (service: TestService, tenantId: string, body: object) =>
  service.ok<TenantMember>('createTenantMember', { body: { tenantId, ...body } })

async function createConsoleUser(service: TestService, body: object): Promise<User> {
  const consoleTenantId = await findConsoleTenantId(service.deps.db)
  assert.ok(consoleTenantId)
  return createUser(service, consoleTenantId, body)
}

describeService('POST /tenants/members', (service) => {
  it('makes a new person a console user with a verified e-mail, and a member at once', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const before = await rowCounts(service())
    const member = await add(service(), tenant.id, { email, name: 'Ada', password: 'correct horse battery' })
    assert.equal(member.tenantId, tenant.id)
    assert.equal(member.userId, member.user.id)
    assert.equal(member.user.name, 'Ada')
    assert.deepEqual(
      member.user.emailAddresses.map((each) => [each.email, each.id, each.verifiedAt !== null]),
      [[email, member.user.primaryEmailId, true]],
    )
    const grown = { users: 1, email_addresses: 1, passwords: 1, tenant_members: 1, events: 2 }
    assert.deepEqual(await newRows(service(), before), grown)
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
    const row = await service().deps.db.first<{ tenant_id: string; hash: string }>(
      sql`SELECT tenant_id, hash FROM passwords WHERE user_id = ${member.userId}`,
    )
    assert.ok(row)
    assert.equal(row.tenant_id, await findConsoleTenantId(service().deps.db))
    const { passwordPool } = service().deps
    const stored = { kind: 'own', encoded: row.hash } as const
    assert.equal(await passwordPool.verify(row.tenant_id, stored, 'correct horse battery'), true)
  })

  it('sets the flags that are given; those left out are false', async () => {
    const { tenant } = await createTenant(service())
    assert.deepEqual(readFlags(await add(service(), tenant.id, { email: newEmail() })), noFlags)
    assert.deepEqual(readFlags(await add(service(), tenant.id, { email: newEmail(), ...allFlags })), allFlags)
    for (const flag of roleFlags) {
      const member = await add(service(), tenant.id, { email: newEmail(), [flag]: true })
      assert.deepEqual(readFlags(member), { ...noFlags, [flag]: true })
    }
  })

  it('finds the console user by e-mail, in upper or lower case, and makes no second one', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const email = newEmail()
    const first = await add(service(), one.tenant.id, { email })
    const before = await rowCounts(service())
    const second = await add(service(), other.tenant.id, { email: email.toUpperCase() })
    assert.equal(second.userId, first.userId)
    assert.notEqual(second.id, first.id)
    assert.deepEqual(await newRows(service(), before), { tenant_members: 1, events: 1 })
  })

  // Guards: agreed-membership
  it('is only for the operator: all other callers are told to send an invitation, whether or not the account exists', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const administrator = await signInConsoleUser(service())
    await add(service(), tenant.id, { email: administrator.email, roleAdmin: true })
    const apiKey = await createApiKey(service(), tenant.id, ['admin'])
    const known = newEmail()
    await createConsoleUser(service(), { email: known })
    await useSession(service(), administrator.token)
    await useApiKey(service(), apiKey.key)
    await assertWritesNothing(service().deps.db, async () => {
      for (const token of [secretKey, apiKey.key, administrator.token]) {
        for (const email of [known, newEmail()]) {
          const body = { tenantId: tenant.id, email, roleAdmin: true }
          const { message } = await service().refused('createTenantMember', 'forbidden', { body, token })
          assert.match(message, /POST \/tenants\/members\/invite/)
        }
      }
    })
  })

  it('refuses the address of a member with 409 member_exists, in upper or lower case', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    await add(service(), tenant.id, { email })
    const before = await rowCounts(service())
    for (const again of [email, email.toUpperCase()]) {
      await service().refused('createTenantMember', 'member_exists', { body: { tenantId: tenant.id, email: again } })
    }
    assert.deepEqual(await rowCounts(service()), before)
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
  })

  it('never changes the name or password of an existing console user, and refuses both', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    await createConsoleUser(service(), { email, name: 'Ada' })
    const body = { tenantId: tenant.id, email, name: 'Eve', password: 'correct horse battery' }
    const { issues = [] } = await service().refused('createTenantMember', 'validation_failed', { body })
    assert.deepEqual(
      issues.map(({ path }) => path),
      ['/name', '/password'],
    )
    assert.equal((await add(service(), tenant.id, { email })).user.name, 'Ada')
  })

  it('makes one member of two hundred requests for the same person at once', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const before = await rowCounts(service())
    const answers = await atOnce(200, (n) =>
      service().call('createTenantMember', {
        body: { tenantId: tenant.id, email: n % 2 === 0 ? email : email.toUpperCase() },
      }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { users: 1, email_addresses: 1, tenant_members: 1, events: 2 })
    assert.equal(await storedCounter(service(), tenant.id, 'members'), 1)
  })

  it('appends one event to the tenant, with the flags and without the e-mail address', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const member = await add(service(), tenant.id, { email, roleAdmin: true })
    const events = await storedEvents(service(), tenant.id, 'tenant_membership.created')
    assert.deepEqual(
      events.map(({ subject_id, data }) => [subject_id, data]),
      [[member.id, { userId: member.userId, flags: { ...noFlags, roleAdmin: true }, expiresAt: null }]],
    )
    assert.ok(!JSON.stringify(await storedEvents(service(), tenant.id)).includes(email))
  })

  it('names every broken rule', async () => {
    const body = {
      tenantId: 'x',
      email: 'x',
      name: '',
      password: 'elevenchars',
      roleAdmin: 1,
      roleRoot: true,
      userId: 'x',
    }
    const { issues = [] } = await service().refused('createTenantMember', 'validation_failed', { body })
    assert.deepEqual([...new Set(issues.map(({ path }) => path))].toSorted(), [
      '/email',
      '/name',
      '/password',
      '/roleAdmin',
      '/roleRoot',
      '/tenantId',
      '/userId',
    ])
    await service().refused('createTenantMember', 'not_found', { body: { tenantId: newId(), email: newEmail() } })
  })
})

describeService('GET /tenants/{tenantId}/members', (service) => {
  it('shows each member with flags and person, like the answer that created it', async () => {
    const { tenant } = await createTenant(service())
    const made = [
      await add(service(), tenant.id, { email: newEmail(), roleViewUsers: true }),
      await add(service(), tenant.id, { email: newEmail(), name: 'Ada', roleAdmin: true }),
    ]
    const { data } = await service().ok<{ data: TenantMember[] }>('listTenantMembers', {
      params: { tenantId: tenant.id },
    })
    assert.deepEqual(data, made.toReversed())
  })

  it('names a person without a name by username, else by e-mail', async () => {
    const { tenant } = await createTenant(service())
    const [plain, named] = [newEmail(), newEmail()]
    const username = unique()
    await createConsoleUser(service(), { email: named, username })
    await add(service(), tenant.id, { email: plain })
    await add(service(), tenant.id, { email: named })
    const { data } = await service().ok<{ data: TenantMember[] }>('listTenantMembers', {
      params: { tenantId: tenant.id },
    })
    assert.deepEqual(
      data.map(({ user }) => user.name),
      [username, plain],
    )
  })

  it('shows the addresses of each person oldest first, and counts people, however many addresses they have', async () => {
    const { tenant } = await createTenant(service())
    const consoleTenantId = await findConsoleTenantId(service().deps.db)
    const first = await add(service(), tenant.id, { email: newEmail() })
    const further = [newEmail(), newEmail(), newEmail()]
    for (const email of further) {
      const body = { tenantId: consoleTenantId, userId: first.userId, email }
      await service().ok('createEmailAddress', { body })
    }
    const second = await add(service(), tenant.id, { email: newEmail() })
    const read = (query: Record<string, string>) =>
      service().ok<{ data: TenantMember[]; meta: Record<string, unknown> }>('listTenantMembers', {
        params: { tenantId: tenant.id },
        query,
      })
    const addressesIn = (data: TenantMember[]) => data.map(({ user }) => user.emailAddresses.map((each) => each.email))
    const [ofFirst, ofSecond] = addressesIn([first, second])
    const whole = await read({})
    assert.deepEqual(addressesIn(whole.data), [ofSecond, [...(ofFirst ?? []), ...further]])
    assert.deepEqual([whole.meta['total'], whole.meta['count'], whole.meta['next']], [2, 2, null])
    const newest = await read({ perPage: '1' })
    assert.deepEqual(newest.data, whole.data.slice(0, 1))
    const oldest = await read({ perPage: '1', cursor: String(newest.meta['next']) })
    assert.deepEqual(oldest.data, whole.data.slice(1))
    assert.deepEqual([oldest.meta['total'], oldest.meta['prev']], [2, second.createdAt])
  })

  it('names a person who has neither name nor address by phone number', async () => {
    const { tenant } = await createTenant(service())
    const { deps } = service()
    const consoleTenantId = await findConsoleTenantId(deps.db)
    assert.ok(consoleTenantId)
    const phone = `+1202555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`
    const { id } = await service().ok<User>('createUser', { body: { tenantId: consoleTenantId, phone } })
    const row = memberRow(deps, tenant.id as TenantId, consoleTenantId, id as UserId, {})
    await deps.db.write(() => [insertMember(row)])
    const { data } = await service().ok<{ data: TenantMember[] }>('listTenantMembers', {
      params: { tenantId: tenant.id },
    })
    assert.deepEqual(
      data.map(({ user }) => [user.name, user.emailAddresses]),
      [[phone, []]],
    )
  })

  it("never shows another tenant's members", async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    await add(service(), one.tenant.id, { email: newEmail() })
    const { data, meta } = await service().ok<{ data: TenantMember[]; meta: { total: number } }>('listTenantMembers', {
      params: { tenantId: other.tenant.id },
    })
    assert.deepEqual([data, meta.total], [[], 0])
  })
})
