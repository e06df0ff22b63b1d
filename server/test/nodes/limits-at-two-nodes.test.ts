// Limits are exact across all nodes, however many requests ask for the last place at the same moment. See docs/security-tests.md 2.3.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FellowMember, Organization, OwnOrganization } from '@bailiwick/contract'
import { membersCounter } from '../../src/identity/organizations/membership.ts'
import { hashToken } from '../../src/platform/crypto/tokens.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { roleMembersCounter } from '../../src/tenancy/roles/roles.ts'
import { atOnce } from '../harness/at-once.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { rowCounts, newRows, statusCounts, storedCounter, storedEvents } from '../harness/databases/stored.ts'
import { createOrganization, createRole, createUser, unique } from '../harness/factories.ts'
import { invitationTokenTo } from '../harness/messages.ts'
import { type SignedInUser, signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

const times = 40
type Tenant = Awaited<ReturnType<typeof tenantWith>>

describeOnTwoNodes('limits at two nodes', (nodes) => {
  const newOrganization = async ({ browser }: SignedInUser) =>
    (await browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', { body: { name: unique() } }))
      .organization.id

  /** An invited user, with the token of the message. */
  async function invited(organizationId: string, email: string) {
    await nodes().one.ok('createOrganizationInvitation', { body: { organizationId, email } })
    return { token: await invitationTokenTo(nodes().other.deps, email) }
  }

  /** The ways into an organization, each prepared for one more member, and then used at a node. */
  const ways = (tenant: Tenant, admin: SignedInUser, id: string) => [
    async () => {
      const { email, browser } = await signedInUser(nodes().one, tenant)
      const params = await invited(id, email)
      return { go: (n: number) => browserAt(nodes().inTurn(n), browser).call('acceptInvitation', { params }) }
    },
    async () => {
      const { token: invitationToken } = await invited(id, `${unique()}@example.com`)
      const body = { invitationToken }
      return { go: (n: number) => new Browser(nodes().inTurn(n), tenant.publicKey).call('createSignUp', { body }) }
    },
    async () => {
      const user = await createUser(nodes().one, tenant.id)
      const member = { params: { id }, body: { userId: user.id } }
      return { go: (n: number) => browserAt(nodes().inTurn(n), admin.browser).call('addFellowMember', member) }
    },
    async () => {
      const user = await createUser(nodes().one, tenant.id)
      const body = { organizationId: id, userId: user.id }
      return { go: (n: number) => nodes().inTurn(n).call('createOrganizationMember', { body }) }
    },
  ]

  /** An organization with eight members, all of them with one role. */
  async function fullOrganization() {
    const tenant = await tenantWith(nodes().one)
    const [organization, role] = [
      await createOrganization(nodes().one, tenant.id),
      await createRole(nodes().one, tenant.id),
    ]
    const join = async () => {
      const { id: userId } = await createUser(nodes().one, tenant.id)
      const body = { organizationId: organization.id, userId, roleId: role.id }
      return nodes().one.ok<{ id: string; userId: string }>('createOrganizationMember', { body })
    }
    const members = await Promise.all(Array.from({ length: 8 }, join))
    return { tenant, id: organization.id, role, members }
  }

  // Guards: limits-in-database
  it('an organization accepts as many members as it may have, whichever way they join', async () => {
    const limit = 10
    for (let round = 0; round < 3; round++) {
      const tenant = await tenantWith(nodes().one, { organizationMembershipLimit: limit, passwordsEnabled: false })
      const admin = await signedInUser(nodes().one, tenant)
      const id = await newOrganization(admin)
      const open = ways(tenant, admin, id)
      const comers: Awaited<ReturnType<(typeof open)[number]>>[] = []
      for (let n = 0; n < times; n++) {
        const make = open[n % open.length]
        if (make !== undefined) comers.push(await make())
      }
      const before = await rowCounts(nodes().one)
      // Each way at each node.
      const answers = await atOnce(times, async (n) => {
        const answer = await comers[n]?.go(Math.floor(n / open.length))
        if (answer === undefined) throw new Error('nobody comes')
        return answer
      })
      assert.deepEqual(statusCounts(answers), { 200: limit - 1, 409: times - limit + 1 })
      const refused = answers.flatMap(({ status, body }) => (status === 409 ? [(body as { code?: string }).code] : []))
      assert.deepEqual([...new Set(refused)], ['membership_limit_reached'])
      assert.equal((await newRows(nodes().one, before))['organization_members'], limit - 1)
      const { _count } = await nodes().other.ok<Organization>('getOrganization', { params: { id } })
      assert.equal(_count.members, limit)
      assert.equal(await storedCounter(nodes().one, tenant.id, membersCounter(id)), limit)
      const joined = await storedEvents(nodes().one, tenant.id, 'organization_membership.created')
      assert.equal(joined.length, limit)
    }
  })

  it('a place that becomes free is taken once', async () => {
    const tenant = await tenantWith(nodes().one, { organizationMembershipLimit: 3 })
    const admin = await signedInUser(nodes().one, tenant)
    const id = await newOrganization(admin)
    const leavers = await Promise.all([signedInUser(nodes().one, tenant), signedInUser(nodes().one, tenant)])
    for (const { user } of leavers) {
      await admin.browser.ok('addFellowMember', { params: { id }, body: { userId: user.id } })
    }
    const { members } = await admin.browser.ok<{ members: FellowMember[] }>('listFellowMembers', { params: { id } })
    const comers: { readonly id: string }[] = []
    for (let n = 0; n < times; n++) comers.push(await createUser(nodes().one, tenant.id))
    const join = (n: number) =>
      nodes()
        .inTurn(n)
        .call('createOrganizationMember', { body: { organizationId: id, userId: comers[n]?.id } })
    const leave = (n: number) => {
      const leaver = leavers[n % 2] ?? admin
      const memberId = members.find(({ userId }) => userId === leaver.user.id)?.id ?? ''
      return browserAt(nodes().inTurn(n), leaver.browser).call('removeFellowMember', { params: { id, memberId } })
    }
    await atOnce(times, async (n) => (n % 4 === 3 ? leave(n >> 2) : join(n)))
    const { meta } = await nodes().other.ok<{ meta: { total: number; count: number } }>('listOrganizationMembers', {
      params: { organizationId: id },
    })
    assert.deepEqual([meta.total <= 3, meta.total], [true, meta.count])
    await atOnce(times, (n) => join(n))
    assert.equal(await storedCounter(nodes().one, tenant.id, membersCounter(id)), 3)
  })

  // Guards: limits-in-database
  it('a member who is removed in two ways at once is subtracted once, and leaves one place', async () => {
    for (let round = 0; round < 4; round++) {
      const { tenant, id, role, members } = await fullOrganization()
      await atOnce(times, (n) => {
        const { id: memberId, userId } = members[n % members.length] ?? { id: '', userId: '' }
        const node = nodes().inTurn(n >> 3)
        const isErased = (n + (n >> 3)) % 2 === 0
        return isErased
          ? node.call('deleteUser', { params: { id: userId } })
          : node.call('deleteOrganizationMember', { params: { id: memberId } })
      })
      assert.equal(await storedCounter(nodes().one, tenant.id, membersCounter(id)), 0)
      assert.equal(await storedCounter(nodes().one, tenant.id, roleMembersCounter(role.id)), 0)
    }
  })

  it('a member who is removed together with the organization is subtracted once', async () => {
    for (let round = 0; round < 4; round++) {
      const { tenant, id, role, members } = await fullOrganization()
      await atOnce(members.length + 1, (n) => {
        const member = members[n]
        return member === undefined
          ? nodes().other.call('deleteOrganization', { params: { id } })
          : nodes()
              .inTurn(n)
              .call('deleteOrganizationMember', { params: { id: member.id } })
      })
      assert.equal(await storedCounter(nodes().one, tenant.id, 'organizations'), 0)
      assert.equal(await storedCounter(nodes().one, tenant.id, roleMembersCounter(role.id)), 0)
    }
  })

  it('a user creates no more organizations in a day than allowed', async () => {
    const tenant = await tenantWith(nodes().one)
    const maker = await signedInUser(nodes().one, tenant)
    await newOrganization(maker)
    // The daily limit in development, less ten.
    const left = 10
    await nodes().one.deps.db.write(() => [
      sql`UPDATE quotas SET used = ${2000 - left} WHERE tenant_id = ${tenant.id} AND name = ${'organizations:day'}
        AND subject = ${hashToken(maker.user.id)}`,
    ])
    const answers = await atOnce(times, (n) =>
      browserAt(nodes().inTurn(n), maker.browser).call('createOwnOrganization', { body: { name: unique() } }),
    )
    assert.deepEqual(statusCounts(answers), { 200: left, 429: times - left })
    assert.equal(await storedCounter(nodes().one, tenant.id, 'organizations'), left + 1)
  })
})
