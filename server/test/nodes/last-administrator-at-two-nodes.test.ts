// An administrator always remains: if all of them leave at the same moment, in whatever way and at whichever node, one stays.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FellowMember, OwnOrganization, Role, TenantMember } from '@bailiwick/contract'
import { getConsoleTenantId } from '../../src/tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../src/tenancy/tenants/tenants.ts'
import { atOnce } from '../harness/at-once.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { statusCounts, storedCounter } from '../harness/databases/stored.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { type SignedIn, addMember, signInConsoleUser } from '../harness/people/sessions.ts'
import { type SignedInUser, signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import type { Answer } from '../harness/service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

const times = 40
const rounds = 4
const codesOf = (answers: readonly Answer[]) =>
  new Set(answers.flatMap(({ status, body }) => (status === 200 ? [] : [(body as { code?: string }).code])))

describeOnTwoNodes('the last administrator', (nodes) => {
  interface Administrator extends SignedIn {
    readonly memberId: string
    readonly browser: Browser
  }

  async function administrators(count: number) {
    const { one } = nodes()
    const { tenant } = await createTenant(one)
    const console_ = await getTenant(one.deps, await getConsoleTenantId(one.deps.db))
    const admins: Administrator[] = []
    for (let n = 0; n < count; n++) {
      const user = await signInConsoleUser(one)
      const { id } = await addMember(one, tenant.id, user, 'roleAdmin')
      const browser = new Browser(one, console_.row.public_key, { authorization: `Bearer ${user.token}` })
      admins.push({ ...user, memberId: id, browser })
    }
    return { tenantId: tenant.id, admins }
  }

  const adminsOf = async (tenantId: string) => {
    const { data } = await nodes().other.ok<{ data: TenantMember[] }>('listTenantMembers', { params: { tenantId } })
    return data.filter((member) => member.roleAdmin)
  }

  type Way = (admin: Administrator, n: number) => Promise<Answer>
  const demote: Way = ({ memberId }, n) =>
    nodes()
      .inTurn(n)
      .call('updateTenantMember', { params: { id: memberId }, body: { roleViewUsers: true } })
  const remove: Way = ({ memberId }, n) =>
    nodes()
      .inTurn(n)
      .call('deleteTenantMember', { params: { id: memberId } })
  const erase: Way = ({ user }, n) =>
    nodes()
      .inTurn(n)
      .call('deleteUser', { params: { id: user.id } })
  const leave: Way = ({ browser }, n) => browserAt(nodes().inTurn(n), browser).call('deleteOwnUser')
  const ways = { demote, remove, erase, leave }

  for (const [name, way] of Object.entries(ways)) {
    it(`is one of two if forty requests ${name} both`, async () => {
      for (let round = 0; round < rounds; round++) {
        const { tenantId, admins } = await administrators(2)
        const answers = await atOnce(times, (n) => way(admins[n % 2] as Administrator, n >> 1))
        assert.equal((await adminsOf(tenantId)).length, 1)
        assert.ok(codesOf(answers).has('last_admin'))
        assert.ok(answers.every(({ status }) => status < 500))
      }
    })
  }

  // Guards: limits-in-database
  it('is one of four if each is demoted, removed and erased, and leaves', async () => {
    const all = Object.values(ways)
    for (let round = 0; round < rounds; round++) {
      const { tenantId, admins } = await administrators(4)
      const answers = await atOnce(times, (n) => {
        const way = all[(n + (n >> 2)) % all.length] as Way
        return way(admins[n % admins.length] as Administrator, n >> 3)
      })
      const left = await adminsOf(tenantId)
      assert.equal(left.length, 1)
      assert.ok(codesOf(answers).has('last_admin'))
      assert.ok(answers.every(({ status }) => status < 500))
      const { meta } = await nodes().one.ok<{ meta: { total: number; count: number } }>('listTenantMembers', {
        params: { tenantId },
      })
      assert.equal(meta.count, meta.total)
      assert.equal(await storedCounter(nodes().one, tenantId, 'members'), meta.count)
    }
  })

  it('is not a suspended one: the only active one stays', async () => {
    for (const [name, way] of Object.entries(ways)) {
      const { tenantId, admins } = await administrators(2)
      const [active, suspended] = admins as [Administrator, Administrator]
      await nodes().one.ok('suspendUser', { params: { id: suspended.user.id } })
      const answers = await atOnce(times, (n) => way(active, n))
      assert.deepEqual([...codesOf(answers)], ['last_admin'], name)
      assert.deepEqual(statusCounts(answers), { 409: times }, name)
      assert.equal((await nodes().one.call('deleteTenantMember', { params: { id: suspended.memberId } })).status, 200)
      assert.deepEqual(
        (await adminsOf(tenantId)).map(({ id }) => id),
        [active.memberId],
      )
    }
  })

  it('may be suspended, because the creator of a tenant is its only administrator', async () => {
    const { tenantId, admins } = await administrators(1)
    const [only] = admins as [Administrator]
    await nodes().one.ok('suspendUser', { params: { id: only.user.id } })
    await nodes().one.refused('deleteTenantMember', 'last_admin', { params: { id: only.memberId } })
    const successor = await signInConsoleUser(nodes().one)
    await addMember(nodes().one, tenantId, successor, 'roleAdmin')
    await nodes().one.ok('deleteTenantMember', { params: { id: only.memberId } })
  })

  it('is kept if one of two is suspended while the other leaves', async () => {
    const goes = Object.values(ways)
    for (let round = 0; round < rounds * 2; round++) {
      const { tenantId, admins } = await administrators(2)
      const [going, other] = admins as [Administrator, Administrator]
      const way = goes[round % goes.length] as Way
      await atOnce(times, (n) =>
        n % 2 === 0
          ? way(going, n >> 1)
          : nodes()
              .inTurn(n >> 1)
              .call('suspendUser', { params: { id: other.user.id } }),
      )
      assert.notEqual((await adminsOf(tenantId)).length, 0)
    }
  })
})

describeOnTwoNodes('the last manager of an organization', (nodes) => {
  async function managers(count: number) {
    const { one } = nodes()
    const tenant = await tenantWith(one)
    const all: SignedInUser[] = []
    for (let n = 0; n < count; n++) all.push(await signedInUser(one, tenant))
    const [first] = all as [SignedInUser]
    const body = { name: unique() }
    const { organization } = await first.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body,
    })
    const { data } = await one.ok<{ data: Role[] }>('listRoles', { params: { tenantId: tenant.id } })
    const roleId = data.find((role) => role.name === 'admin')?.id
    const params = { id: organization.id }
    for (const { user } of all.slice(1)) {
      await first.browser.ok('addFellowMember', { params, body: { userId: user.id, roleId } })
    }
    const { members } = await first.browser.ok<{ members: FellowMember[] }>('listFellowMembers', { params })
    const memberIds = all.map(({ user }) => members.find(({ userId }) => userId === user.id)?.id ?? '')
    return { id: organization.id, all, memberIds, roleId }
  }
  const tenantOf = async (organizationId: string) => {
    const { tenantId } = await nodes().one.ok<{ tenantId: string }>('getOrganization', {
      params: { id: organizationId },
    })
    return nodes().one.ok<{ id: string; publicKey: string }>('getTenant', { params: { id: tenantId } })
  }

  const managersOf = async (organizationId: string) => {
    const { data } = await nodes().other.ok<{ data: { role: Role | null }[] }>('listOrganizationMembers', {
      params: { organizationId },
    })
    return data.filter(({ role }) => role?.name === 'admin').length
  }

  it('is one of four if each leaves, steps down, and is removed and demoted by the next', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id, all, memberIds } = await managers(4)
      const answers = await atOnce(times, (n) => {
        const whom = n % 4
        const by = (n >> 2) % 2 === 0 ? whom : (whom + 1) % 4
        const { browser } = all[by] as SignedInUser
        const at = browserAt(nodes().inTurn(n >> 4), browser)
        const params = { id, memberId: memberIds[whom] ?? '' }
        return (n >> 3) % 2 === 0
          ? at.call('removeFellowMember', { params })
          : at.call('updateFellowMember', { params, body: { roleId: null } })
      })
      assert.equal(await managersOf(id), 1, JSON.stringify(statusCounts(answers)))
      assert.ok(answers.every(({ status }) => status < 500))
    }
  })

  it('is one of four if all erase their accounts', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id, all } = await managers(4)
      const member = await signedInUser(nodes().one, await tenantOf(id))
      await nodes().one.ok('createOrganizationMember', { body: { organizationId: id, userId: member.user.id } })
      const answers = await atOnce(4, (n) =>
        browserAt(nodes().inTurn(n), (all[n] as SignedInUser).browser).call('deleteOwnUser'),
      )
      assert.deepEqual(statusCounts(answers), { 200: 3, 409: 1 })
      assert.deepEqual([...codesOf(answers)], ['last_manager'])
      assert.equal(await managersOf(id), 1)
    }
  })

  it('is one of two if one leaves, or steps down, while the other erases the account', async () => {
    for (let round = 0; round < rounds * 2; round++) {
      const { id, all, memberIds } = await managers(2)
      const member = await signedInUser(nodes().one, await tenantOf(id))
      await nodes().one.ok('createOrganizationMember', { body: { organizationId: id, userId: member.user.id } })
      const [one, other] = all as [SignedInUser, SignedInUser]
      const params = { id, memberId: memberIds[1] ?? '' }
      const leaving = browserAt(nodes().other, other.browser)
      const answers = await atOnce(2, (n) => {
        if (n === 0) return one.browser.call('deleteOwnUser')
        return round % 2 === 0
          ? leaving.call('removeFellowMember', { params })
          : leaving.call('updateFellowMember', { params, body: { roleId: null } })
      })
      assert.equal(await managersOf(id), 1, JSON.stringify(statusCounts(answers)))
    }
  })

  it('is not a suspended one', async () => {
    const { id, all, memberIds } = await managers(2)
    const [active, suspended] = all as [SignedInUser, SignedInUser]
    await nodes().one.ok('suspendUser', { params: { id: suspended.user.id } })
    const params = { id, memberId: memberIds[0] ?? '' }
    await active.browser.refused('removeFellowMember', 'last_manager', { params })
    await active.browser.refused('updateFellowMember', 'last_manager', { params, body: { roleId: null } })
    await nodes().one.ok('unsuspendUser', { params: { id: suspended.user.id } })
    await active.browser.ok('removeFellowMember', { params })
  })
})
