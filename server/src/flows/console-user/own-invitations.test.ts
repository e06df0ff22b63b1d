import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type TenantInvitation, type TenantMember, type RoleFlag, roleFlags } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { type SignedIn, flagsOf, signInConsoleUser } from '../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

const invite = (service: TestService, tenantId: string, email: string, ...flags: RoleFlag[]) =>
  service.ok<TenantInvitation>('inviteTenantMember', { body: { tenantId, email, ...flagsOf(...flags) } })
const listed = async (service: TestService, { token }: SignedIn) =>
  (await service.ok<TenantInvitation[]>('listOwnInvitations', { token })).map(({ id }) => id)
const shownFlags = (of: TenantMember) => roleFlags.filter((flag) => of[flag])

describeService("a console user's own invitations", (service) => {
  const newTenantId = async () => (await createTenant(service())).tenant.id

  it('are those to the verified addresses of the user, newest first', async () => {
    const user = await signInConsoleUser(service())
    const [one, two] = [await newTenantId(), await newTenantId()]
    const first = await invite(service(), one, user.email.toUpperCase(), 'roleViewUsers')
    const second = await invite(service(), two, user.email)
    await invite(service(), one, `${unique()}@console.example`)
    const shown = await service().ok<TenantInvitation[]>('listOwnInvitations', { token: user.token })
    assert.deepEqual(
      shown.map(({ id }) => id),
      [second.id, first.id],
    )
    assert.deepEqual([shown[1]?.tenant.id, shown[1]?.userId, shown[1]?.roleViewUsers], [one, user.user.id, true])
  })

  it('make the user a member with the flags of the invitation, once', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const { id } = await invite(service(), tenantId, user.email, 'roleViewUsers', 'roleEditConfig')
    const call = { params: { id }, token: user.token }
    const member = await service().ok<TenantMember>('acceptOwnInvitation', call)
    assert.deepEqual([member.tenantId, member.userId], [tenantId, user.user.id])
    assert.deepEqual(shownFlags(member), ['roleEditConfig', 'roleViewUsers'])
    await service().ok('listRoles', { params: { tenantId }, token: user.token })
    await service().refused('acceptOwnInvitation', 'not_found', call)
    await service().refused('declineOwnInvitation', 'not_found', call)
    assert.deepEqual(await listed(service(), user), [])
    assert.equal(await storedCounter(service(), tenantId, 'invitations'), 0)
    assert.equal(await storedCounter(service(), tenantId, 'members'), 1)
    const [accepted] = await storedEvents(service(), tenantId, 'tenant_invitation.accepted')
    assert.deepEqual([accepted?.subject_id, accepted?.actor_type], [id, 'console_user'])
    assert.equal((await storedEvents(service(), tenantId, 'tenant_membership.created')).length, 1)
  })

  it('are accepted exactly once by fifty simultaneous requests', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const { id } = await invite(service(), tenantId, user.email)
    const answers = await atOnce(50, () => service().call('acceptOwnInvitation', { params: { id }, token: user.token }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 404: 49 })
    assert.equal(await storedCounter(service(), tenantId, 'members'), 1)
    assert.equal(await storedCounter(service(), tenantId, 'invitations'), 0)
  })

  it('are either accepted, declined or revoked if all is tried at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await signInConsoleUser(service())
      const tenantId = await newTenantId()
      const { id } = await invite(service(), tenantId, user.email)
      const call = { params: { id }, token: user.token }
      const ways = [
        () => service().call('acceptOwnInvitation', call),
        () => service().call('declineOwnInvitation', call),
        () => service().call('deleteTenantInvitation', { params: { id } }),
      ] as const
      const answers = await atOnce(15, (n) => (ways[n % ways.length] ?? ways[0])())
      assert.deepEqual(statusCounts(answers), { 200: 1, 404: 14 })
      assert.equal(await storedCounter(service(), tenantId, 'invitations'), 0)
    }
  })

  it('give the flags that they have when they are accepted', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const { id } = await invite(service(), tenantId, user.email, 'roleAdmin')
    await service().ok('updateTenantInvitation', { params: { id }, body: { roleViewBilling: true } })
    const member = await service().ok<TenantMember>('acceptOwnInvitation', { params: { id }, token: user.token })
    assert.deepEqual(shownFlags(member), ['roleViewBilling'])
  })

  it('give rights with the end that they have when they are accepted, and are over when it comes', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const soon = new Date(Date.now() + 60_000).toISOString()
    const body = { tenantId, email: user.email, roleViewUsers: true, expiresAt: soon }
    const { id, expiresAt } = await service().ok<TenantInvitation>('inviteTenantMember', { body })
    assert.equal(Date.parse(expiresAt ?? ''), Date.parse(soon))
    const stored = await service().deps.db.first<{ expires_at: string }>(
      sql`SELECT expires_at FROM tenant_invitations WHERE id = ${id}`,
    )
    assert.equal(stored?.expires_at, expiresAt)
    const past = { roleViewUsers: true, expiresAt: '2020-01-01T00:00:00Z' }
    const { issues } = await service().refused('updateTenantInvitation', 'validation_failed', {
      params: { id },
      body: past,
    })
    assert.equal(issues?.[0]?.path, '/expiresAt')
    const later = new Date(Date.now() + 90 * 24 * 3_600_000).toISOString()
    await service().ok('updateTenantInvitation', { params: { id }, body: { roleViewUsers: true, expiresAt: later } })
    const kept = await service().ok<TenantInvitation>('updateTenantInvitation', {
      params: { id },
      body: { roleEditUsers: true },
    })
    assert.equal(Date.parse(kept.expiresAt ?? ''), Date.parse(later))
    const member = await service().ok<TenantMember>('acceptOwnInvitation', { params: { id }, token: user.token })
    assert.deepEqual([shownFlags(member), member.expiresAt], [['roleEditUsers'], kept.expiresAt])
  })

  // Guards: invitations
  it('are not found if they belong to another user, to an unverified address or to one that the user no longer has', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const consoleTenantId = await getConsoleTenantId(service().deps.db)
    const address = async (isVerified: boolean) => {
      const body = { tenantId: consoleTenantId, userId: user.user.id, email: `${unique()}@console.example` }
      const created = await service().ok<{ id: string; email: string }>('createEmailAddress', { body })
      if (isVerified) await service().ok('verifyEmailAddress', { body: { id: created.id } })
      return created
    }
    const stranger = await invite(service(), tenantId, `${unique()}@console.example`)
    const unverified = await invite(service(), tenantId, (await address(false)).email)
    const second = await address(true)
    const givenUp = await invite(service(), tenantId, second.email)
    assert.deepEqual(await listed(service(), user), [givenUp.id])
    await service().ok('deleteEmailAddress', { query: { id: second.id } })
    assert.deepEqual(await listed(service(), user), [])
    for (const { id } of [stranger, unverified, givenUp]) {
      for (const operation of ['acceptOwnInvitation', 'declineOwnInvitation'] as const) {
        await service().refused(operation, 'not_found', { params: { id }, token: user.token })
      }
    }
    assert.equal(await storedCounter(service(), tenantId, 'members'), 0)
    assert.equal(await storedCounter(service(), tenantId, 'invitations'), 3)
  })

  // Guards: invitations
  it('are not found once they have expired', async () => {
    const user = await signInConsoleUser(service())
    const { id } = await invite(service(), await newTenantId(), user.email)
    const past = '2020-01-01T00:00:00.000000Z'
    await service().deps.db.transaction((tx) =>
      tx.run(sql`UPDATE tenant_invitations SET expires_at = ${past} WHERE id = ${id}`),
    )
    assert.deepEqual(await listed(service(), user), [])
    await service().refused('acceptOwnInvitation', 'not_found', { params: { id }, token: user.token })
  })

  it('are not found once their tenant is deleted', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const { id } = await invite(service(), tenantId, user.email)
    await service().ok('deleteTenant', { params: { id: tenantId } })
    assert.deepEqual(await listed(service(), user), [])
    await service().refused('acceptOwnInvitation', 'not_found', { params: { id }, token: user.token })
  })

  it('cannot be accepted by a user who has become a member meanwhile, but can still be declined', async () => {
    const user = await signInConsoleUser(service())
    const tenantId = await newTenantId()
    const { id } = await invite(service(), tenantId, user.email, 'roleAdmin')
    await service().ok('createTenantMember', { body: { tenantId, email: user.email } })
    await service().refused('acceptOwnInvitation', 'member_exists', { params: { id }, token: user.token })
    assert.deepEqual(await listed(service(), user), [id])
    assert.equal(await service().ok('declineOwnInvitation', { params: { id }, token: user.token }), true)
    assert.equal(await storedCounter(service(), tenantId, 'invitations'), 0)
    assert.equal((await storedEvents(service(), tenantId, 'tenant_invitation.declined')).length, 1)
  })
})
