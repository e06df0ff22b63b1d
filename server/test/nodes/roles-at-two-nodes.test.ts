// A role that is deleted at the moment in which it is given: either it is gone and nobody has it, or it is in use. There is never an
// internal error.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EvaluationAnswer, OrganizationInvitation, OrganizationMember, Role } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { roleMembersCounter, roleUsersCounter } from '../../src/tenancy/roles/roles.ts'
import { atOnce } from '../harness/at-once.ts'
import { storedCounter } from '../harness/databases/stored.ts'
import { createOrganization, createRole, createUser, unique } from '../harness/factories.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import type { Answer, TestService } from '../harness/service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

const times = 40
const rounds = 8
type Ask = (node: TestService) => Promise<Answer>

describeOnTwoNodes('a role that is deleted while it is given', (nodes) => {
  /** Everybody who holds it or is about to. */
  async function holders(tenantId: string, roleId: string) {
    const { db } = nodes().one.deps
    const counts = ['users', 'organization_members', 'organization_invitations'].map(async (table) => {
      const rows = await db.all(
        sql`SELECT id FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND role_id = ${roleId} LIMIT 100`,
      )
      return rows.length
    })
    const [users = 0, members = 0, invitations = 0] = await Promise.all(counts)
    return { users, members, all: users + members + invitations }
  }

  async function assertSound(tenantId: string, roleId: string, answers: readonly Answer[]) {
    assert.deepEqual(
      answers.filter(({ status }) => status >= 500).map(({ text }) => text),
      [],
    )
    const { users, members, all } = await holders(tenantId, roleId)
    const isGone = (await nodes().other.call('getRole', { params: { id: roleId } })).status === 404
    if (isGone) assert.equal(all, 0)
    assert.equal(await storedCounter(nodes().one, tenantId, roleUsersCounter(roleId)), users)
    assert.equal(await storedCounter(nodes().one, tenantId, roleMembersCounter(roleId)), members)
    return isGone
  }

  it('by the tenant, to users, members and invited people', async () => {
    const tenant = await tenantWith(nodes().one)
    const tenantId = tenant.id
    const { id: organizationId } = await createOrganization(nodes().one, tenantId)
    const gone = new Set<boolean>()
    for (let round = 0; round < rounds; round++) {
      const { id: roleId } = await createRole(nodes().one, tenantId)
      const newUser = async () => (await createUser(nodes().one, tenantId)).id
      const ways: (() => Promise<Ask>)[] = [
        async () => (node) => node.call('deleteRole', { params: { id: roleId } }),
        async () => (node) => node.call('createUser', { body: { tenantId, email: `${unique()}@example.com`, roleId } }),
        async () => {
          const id = await newUser()
          return (node) => node.call('updateUser', { params: { id }, body: { roleId } })
        },
        async () => {
          const userId = await newUser()
          return (node) => node.call('createOrganizationMember', { body: { organizationId, userId, roleId } })
        },
        async () => {
          const body = { organizationId, userId: await newUser() }
          const { id } = await nodes().one.ok<OrganizationMember>('createOrganizationMember', { body })
          return (node) => node.call('updateOrganizationMember', { params: { id }, body: { roleId } })
        },
        async () => (node) =>
          node.call('createOrganizationInvitation', {
            body: { organizationId, email: `${unique()}@example.com`, roleId },
          }),
        async () => {
          const body = { organizationId, email: `${unique()}@example.com` }
          const { id } = await nodes().one.ok<OrganizationInvitation>('createOrganizationInvitation', { body })
          return (node) => node.call('updateOrganizationInvitation', { params: { id }, body: { roleId } })
        },
      ]
      const asks: Ask[] = []
      // In some rounds the deletion comes first, in others between the requests.
      for (let n = 0; n < times; n++) {
        const way = ways[(n + round) % ways.length]
        if (way !== undefined) asks.push(await way())
      }
      const answers = await atOnce(times, async (n) => {
        const answer = await asks[n]?.(nodes().inTurn(n))
        if (answer === undefined) throw new Error('nobody asks')
        return answer
      })
      gone.add(await assertSound(tenantId, roleId, answers))
    }
    assert.ok(gone.size > 0)
  })

  it('to the creator of an organization, which is created with or without the role', async () => {
    for (let round = 0; round < rounds; round++) {
      const tenant = await tenantWith(nodes().one)
      const { data } = await nodes().one.ok<{ data: Role[] }>('listRoles', { params: { tenantId: tenant.id } })
      const roleId = data.find(({ name }) => name === 'admin')?.id ?? ''
      const { browser } = await signedInUser(nodes().one, tenant)
      const answers = await atOnce(times / 2, async (n): Promise<Answer> => {
        const node = nodes().inTurn(n)
        return n === round
          ? node.call('deleteRole', { params: { id: roleId } })
          : browserAt(node, browser).call('createOwnOrganization', { body: { name: unique() } })
      })
      await assertSound(tenant.id, roleId, answers)
      assert.equal(answers.filter(({ status }, n) => n !== round && status === 200).length, times / 2 - 1)
      assert.equal(await storedCounter(nodes().one, tenant.id, 'organizations'), times / 2 - 1)
    }
  })
})

describeOnTwoNodes('a permission that another node takes away', (nodes) => {
  // Guards: revoked-elsewhere
  it('ends at both nodes: with the role, with its name and permissions, and with the user', async () => {
    const { one, other } = nodes()
    const tenant = await tenantWith(one)
    const role = await createRole(one, tenant.id, { name: 'author', permissions: ['articles:write'] })
    const lesser = await createRole(one, tenant.id, { name: 'reader' })
    const { id } = await createUser(one, tenant.id, { roleId: role.id })
    const question = { subject: { type: 'user', id }, action: { name: 'write' }, resource: { type: 'articles' } }
    const body = { ...question, context: { explain: true } }
    const answerAt = async (node: TestService) => {
      const { context } = await node.ok<EvaluationAnswer>('evaluate', { query: { tenantId: tenant.id }, body })
      return [context?.reason, context?.role].join(' ').trim()
    }
    const changeUser = (change: object) => () => one.ok('updateUser', { params: { id }, body: change })
    const changeRole = (change: object) => () => one.ok('updateRole', { params: { id: role.id }, body: change })
    const act = (name: 'suspendUser' | 'unsuspendUser' | 'deleteUser') => () => one.ok(name, { params: { id } })
    const changes: [does: () => Promise<unknown>, answer: string][] = [
      [async () => undefined, 'permitted author'],
      [changeUser({ roleId: lesser.id }), 'not_in_role reader'],
      [changeUser({ roleId: role.id }), 'permitted author'],
      [changeRole({ name: 'writer' }), 'permitted writer'],
      [changeRole({ permissions: [] }), 'not_in_role writer'],
      [changeRole({ permissions: ['articles:write'] }), 'permitted writer'],
      [act('suspendUser'), 'subject_not_active'],
      [act('unsuspendUser'), 'permitted writer'],
      [act('deleteUser'), 'unknown_subject'],
    ]
    for (const [does, answer] of changes) {
      await does()
      assert.equal(await answerAt(one), answer)
      // It is told within a second. A slow machine has 20, after which memory would soon forget the user anyway.
      for (let tries = 0; (await answerAt(other)) !== answer; tries++) {
        assert.ok(tries < 400, 'the other node has not heard of it')
        await sleep(50)
      }
    }
  })
})
