import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type TenantInvitation, type TenantMember, roleFlags } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  serviceInTheFuture,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { removeExpiredInvitations } from './expired-invitations.ts'

const dayMs = 24 * 3_600_000
const newEmail = () => `${unique()}@console.example`
const noFlags = Object.fromEntries(roleFlags.map((flag) => [flag, false]))

const invite = (service: TestService, tenantId: string, body: object) =>
  service.ok<TenantInvitation>('inviteTenantMember', { body: { tenantId, ...body } })
const addMember = (service: TestService, tenantId: string, email: string) =>
  service.ok<TenantMember>('createTenantMember', { body: { tenantId, email } })

async function list(service: TestService, tenantId: string): Promise<TenantInvitation[]> {
  const { data } = await service.ok<{ data: TenantInvitation[] }>('listTenantInvitations', { params: { tenantId } })
  return data
}

describeService('POST /tenants/members/invite and GET /tenants/{tenantId}/invitations', (service) => {
  it('shows the tenant, the address and flags that default to false', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const invitation = await invite(service(), tenant.id, { email, roleEditUsers: true })
    const { id, createdAt, updatedAt, ...rest } = invitation
    assert.deepEqual(rest, {
      tenantId: tenant.id,
      tenant: {
        id: tenant.id,
        name: tenant.name,
        slug: tenant.slug,
        logoId: null,
        iconId: null,
        environment: tenant.environment,
        createdAt: tenant.createdAt,
      },
      email,
      userId: null,
      user: null,
      ...noFlags,
      roleEditUsers: true,
      expiresAt: null,
    })
    assert.ok(id.startsWith('c') && createdAt === updatedAt)
    assert.deepEqual(await list(service(), tenant.id), [invitation])
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 1)
  })

  it('refuses the address of a member with 409 member_exists, in upper or lower case', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    await addMember(service(), tenant.id, email)
    const before = await rowCounts(service())
    for (const again of [email, email.toUpperCase()]) {
      await service().refused('inviteTenantMember', 'member_exists', { body: { tenantId: tenant.id, email: again } })
    }
    assert.deepEqual(await rowCounts(service()), before)
  })

  it('refuses a second open invitation of the same address with 409 invitation_exists, in upper or lower case', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const email = newEmail()
    await invite(service(), one.tenant.id, { email })
    const before = await rowCounts(service())
    for (const again of [email, email.toUpperCase()]) {
      await service().refused('inviteTenantMember', 'invitation_exists', {
        body: { tenantId: one.tenant.id, email: again },
      })
    }
    assert.deepEqual(await rowCounts(service()), before)
    await invite(service(), other.tenant.id, { email })
  })

  it('keeps an invitation open for seven days, then lets a new one replace it', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const first = await invite(service(), tenant.id, { email, roleAdmin: true })
    const [before, after] = [
      await serviceInTheFuture(service(), 7 * dayMs - 60_000),
      await serviceInTheFuture(service(), 7 * dayMs + 1000),
    ]
    try {
      await before.refused('inviteTenantMember', 'invitation_exists', { body: { tenantId: tenant.id, email } })
      const second = await invite(after, tenant.id, { email: email.toUpperCase() })
      assert.notEqual(second.id, first.id)
      assert.equal(second.roleAdmin, false)
      assert.deepEqual(
        (await list(after, tenant.id)).map(({ id }) => id),
        [second.id],
      )
      assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 1)
      await after.refused('inviteTenantMember', 'invitation_exists', { body: { tenantId: tenant.id, email } })
    } finally {
      await Promise.all([before.app.close(), after.app.close()])
    }
  })

  it('keeps one of two hundred simultaneous invitations of the same address', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const before = await rowCounts(service())
    const answers = await atOnce(200, (n) =>
      service().call('inviteTenantMember', {
        body: { tenantId: tenant.id, email: n % 2 === 0 ? email : email.toUpperCase() },
      }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { tenant_invitations: 1, events: 1, messages: 1 })
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 1)
  })

  it('appends one event, without the address and without a token', async () => {
    const { tenant } = await createTenant(service())
    const email = newEmail()
    const { id } = await invite(service(), tenant.id, { email, roleViewBilling: true })
    const events = await storedEvents(service(), tenant.id, 'tenant_invitation.created')
    assert.deepEqual(
      events.map(({ subject_id, data }) => [subject_id, data['flags']]),
      [[id, { ...noFlags, roleViewBilling: true }]],
    )
    const row = await service().deps.db.first<{ token_hash: string }>(
      sql`SELECT token_hash FROM tenant_invitations WHERE tenant_id = ${tenant.id}`,
    )
    assert.ok(row)
    const text = JSON.stringify(events)
    assert.ok(!text.includes(email) && !text.includes(row.token_hash))
  })

  it('names every broken rule', async () => {
    const body = { tenantId: 5, email: 'x@', roleAdmin: 'true', name: 'Ada' }
    const { issues = [] } = await service().refused('inviteTenantMember', 'validation_failed', { body })
    assert.deepEqual([...new Set(issues.map(({ path }) => path))].toSorted(), [
      '/email',
      '/name',
      '/roleAdmin',
      '/tenantId',
    ])
    await service().refused('inviteTenantMember', 'not_found', { body: { tenantId: newId(), email: newEmail() } })
  })
  it('is forgotten 90 days after it has expired', async () => {
    const { deps } = service()
    const [{ tenant }, { tenant: other }] = [await createTenant(service()), await createTenant(service())]
    for (const { id } of [tenant, other]) await invite(service(), id, { email: newEmail() })
    const { id: recent } = await invite(service(), tenant.id, { email: newEmail() })
    const ago = (days: number) => addMilliseconds(deps.clock.now(), -days * dayMs)
    const expire = (days: number, condition: Fragment) =>
      deps.db.write(() => [
        sql`UPDATE tenant_invitations SET expires_at = ${ago(days)} WHERE tenant_id = ${tenant.id} AND ${condition}`,
      ])
    await expire(91, sql`id <> ${recent}`)
    await expire(89, sql`id = ${recent}`)
    while (await removeExpiredInvitations(deps));
    assert.deepEqual(
      (await list(service(), tenant.id)).map(({ id }) => id),
      [recent],
    )
    assert.equal(await storedCounter(service(), tenant.id, 'invitations'), 1)
    assert.equal((await list(service(), other.id)).length, 1)
  })
})
