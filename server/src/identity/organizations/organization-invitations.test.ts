import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OrganizationInvitation } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  serviceInTheFuture,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { removeExpiredInvitations } from './membership-ends.ts'

const dayMs = 24 * 3_600_000
const newEmail = () => `${unique()}@x.example`

async function newOrganization(service: TestService) {
  const { tenant } = await createTenant(service)
  const organization = await createOrganization(service, tenant.id)
  return { tenantId: tenant.id, organizationId: organization.id }
}

const invite = (service: TestService, body: object) =>
  service.ok<OrganizationInvitation>('createOrganizationInvitation', { body })

async function issues(service: TestService, body: object): Promise<string[]> {
  const refused = await service.refused('createOrganizationInvitation', 'validation_failed', { body })
  return (refused.issues ?? []).map(({ path, code }) => `${path} ${code}`)
}

describeService('POST /auth/organization-invitations', (service) => {
  it('invites an address that no user has yet', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const { assignableBy: _, requiresSecondFactor: _rule, ...role } = await createRole(service(), tenantId)
    const email = newEmail()
    const { id, createdAt, updatedAt, ...rest } = await invite(service(), { organizationId, email, roleId: role.id })
    assert.deepEqual(rest, {
      organizationId,
      email,
      roleId: role.id,
      role,
      membershipLifetime: null,
      acceptedAt: null,
      declinedAt: null,
      user: null,
      publicMeta: {},
      privateMeta: {},
    })
    assert.ok(id.startsWith('c') && createdAt === updatedAt)
  })

  it('shows the user of the tenant who has the address, in upper or lower case', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const email = newEmail()
    const user = await createUser(service(), tenantId, { email, name: 'Ada' })
    const invitation = await invite(service(), { organizationId, email: email.toUpperCase(), userId: user.id })
    const { id, createdAt, updatedAt } = user
    assert.deepEqual(invitation.user, { id, name: 'Ada', identifier: email, imageUri: null, createdAt, updatedAt })
  })

  it('refuses a userId that is not the user who has the e-mail address, at /userId', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const other = await createTenant(service())
    const email = newEmail()
    const [user, foreign] = [
      await createUser(service(), tenantId),
      await createUser(service(), other.tenant.id, { email }),
    ]
    const before = await rowCounts(service())
    for (const userId of [user.id, foreign.id, newId(), 'x']) {
      assert.deepEqual(await issues(service(), { organizationId, email, userId }), ['/userId contradicts'])
    }
    assert.deepEqual(await rowCounts(service()), before)
    await invite(service(), { organizationId, email, userId: null })
  })

  it('refuses a role of another tenant at /roleId, together with what else is wrong', async () => {
    const { organizationId } = await newOrganization(service())
    const other = await createTenant(service())
    const foreign = await createRole(service(), other.tenant.id)
    const body = { organizationId, email: newEmail(), roleId: foreign.id }
    assert.deepEqual(await issues(service(), body), ['/roleId unknown_reference'])
    assert.deepEqual(await issues(service(), { ...body, userId: newId() }), [
      '/userId contradicts',
      '/roleId unknown_reference',
    ])
  })

  it('refuses the address of a member with 409 member_exists, in upper or lower case', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const email = newEmail()
    const user = await createUser(service(), tenantId, { email })
    await service().ok('createOrganizationMember', { body: { organizationId, userId: user.id } })
    for (const invited of [email, email.toUpperCase()]) {
      await service().refused('createOrganizationInvitation', 'member_exists', {
        body: { organizationId, email: invited },
      })
    }
  })

  it('refuses a second open invitation of an address with 409 invitation_exists, in upper or lower case', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const email = newEmail()
    await invite(service(), { organizationId, email })
    const before = await rowCounts(service())
    for (const again of [email, email.toUpperCase()]) {
      await service().refused('createOrganizationInvitation', 'invitation_exists', {
        body: { organizationId, email: again },
      })
    }
    assert.deepEqual(await rowCounts(service()), before)
    const other = await createOrganization(service(), tenantId)
    await invite(service(), { organizationId: other.id, email })
  })

  it('lets an address be invited again once its invitation was declined', async () => {
    const { organizationId } = await newOrganization(service())
    const email = newEmail()
    const { id } = await invite(service(), { organizationId, email })
    await service().deps.db.write(() => [
      sql`UPDATE organization_invitations SET declined_at = created_at WHERE id = ${id}`,
    ])
    assert.notEqual((await invite(service(), { organizationId, email })).id, id)
  })

  it('keeps an invitation open for seven days, then lets a new one replace it', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const email = newEmail()
    const first = await invite(service(), { organizationId, email })
    const counter = `organization_invitations:${organizationId}`
    const [before, after] = [
      await serviceInTheFuture(service(), 7 * dayMs - 60_000),
      await serviceInTheFuture(service(), 7 * dayMs + 1000),
    ]
    try {
      await before.refused('createOrganizationInvitation', 'invitation_exists', { body: { organizationId, email } })
      const rows = await rowCounts(service())
      const second = await invite(after, { organizationId, email })
      assert.notEqual(second.id, first.id)
      assert.deepEqual(await newRows(service(), rows), { events: 1, messages: 1 })
      assert.equal(await storedCounter(service(), tenantId, counter), 1)
    } finally {
      await Promise.all([before.app.close(), after.app.close()])
    }
  })

  it('keeps one of two hundred simultaneous invitations of the same address', async () => {
    const { organizationId } = await newOrganization(service())
    const email = newEmail()
    const before = await rowCounts(service())
    const answers = await atOnce(200, (n) =>
      service().call('createOrganizationInvitation', {
        body: { organizationId, email: n % 2 === 0 ? email : email.toUpperCase() },
      }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { organization_invitations: 1, events: 1, messages: 1 })
  })

  it('appends one event without the address, and stores only a hash of its token', async () => {
    const { tenantId, organizationId } = await newOrganization(service())
    const email = newEmail()
    const answer = await service().call<OrganizationInvitation>('createOrganizationInvitation', {
      body: { organizationId, email },
    })
    const events = await storedEvents(service(), tenantId, 'organization_invitation.created')
    assert.deepEqual(
      events.map(({ subject_id }) => subject_id),
      [answer.body.id],
    )
    const row = await service().deps.db.first<{ token_hash: string }>(
      sql`SELECT token_hash FROM organization_invitations WHERE id = ${answer.body.id}`,
    )
    assert.ok(row)
    assert.ok(!JSON.stringify(events).includes(email))
    assert.ok(!answer.text.includes('oi_') && !answer.text.includes(row.token_hash))
  })

  it('answers 404 for an organization that does not exist, and names every broken rule', async () => {
    await service().refused('createOrganizationInvitation', 'not_found', {
      body: { organizationId: newId(), email: newEmail() },
    })
    assert.deepEqual((await issues(service(), { email: 'x', roleId: 5, userId: '', publicMeta: {} })).toSorted(), [
      '/email invalid_format',
      '/organizationId required',
      '/publicMeta unknown_property',
      '/roleId invalid_type',
      '/userId too_short',
    ])
  })
  it('is forgotten 90 days after it has expired, unless it was answered', async () => {
    const { deps } = service()
    const { tenantId, organizationId } = await newOrganization(service())
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await invite(service(), { organizationId, email: newEmail() })).id)
    const [old = '', declined = '', recent = ''] = ids
    const ago = (days: number) => addMilliseconds(deps.clock.now(), -days * dayMs)
    const set = (id: string, what: Fragment) =>
      deps.db.write(() => [
        sql`UPDATE organization_invitations SET ${what} WHERE tenant_id = ${tenantId} AND id = ${id}`,
      ])
    await set(old, sql`expires_at = ${ago(91)}`)
    await set(declined, sql`expires_at = ${ago(91)}, declined_at = ${ago(95)}`)
    await set(recent, sql`expires_at = ${ago(89)}`)
    while (await removeExpiredInvitations(deps));
    const { data, meta } = await service().ok<{ data: { id: string }[]; meta: { total: number } }>(
      'listOrganizationInvitations',
      { params: { organizationId } },
    )
    assert.deepEqual(data.map(({ id }) => id).toSorted(), ids.filter((id) => id !== old).toSorted())
    assert.equal(meta.total, 3)
  })
})
