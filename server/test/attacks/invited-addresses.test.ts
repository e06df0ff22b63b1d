// A person who invites an address learns nothing about the account that has it before the invitation is accepted: neither from an answer
// nor from the work it takes. For an address that nobody has, the database runs exactly the same statements.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OrganizationInvitation, OwnOrganization, TenantInvitation, TenantMember } from '@bailiwick/contract'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { recordStatements } from '../harness/databases/recorded-statements.ts'
import { createOrganization, createTenant, createUser, unique } from '../harness/factories.ts'
import { sendMessages } from '../harness/messages.ts'
import { addMember, signInConsoleUser, useSession } from '../harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { type TestService, startTestService } from '../harness/service.ts'

/** What differs in every answer. */
const varying = /^(id|email|requestId|.*At)$/

const shapeOf = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key: string, value: unknown) => (varying.test(key) && value !== null ? key : value)))

/** The tenant of a host is looked up before the address is read, and remembered for a while. */
const isOfAddress = (line: string) => !/^SELECT \S+( AS \w+)? FROM (domains|tenants) /.test(line)

describeOnEachEngine('who has an invited address', (open) => {
  let service: TestService
  let recorded: (run: () => Promise<unknown>) => Promise<string[]>
  before(async () => {
    const recording = recordStatements((await open()).database)
    ;({ recorded } = recording)
    service = await startTestService(recording.database)
  })
  after(() => service.app.close())

  const newEmail = () => `${unique()}@example.com`

  /** The answers of `step` for an address that somebody has and one that nobody has, with the database statements. */
  async function assertAlike(known: string, what: string, step: (email: string) => Promise<readonly unknown[]>) {
    // The process reads tenants and channels once and remembers them.
    await step(newEmail())
    const taken: { statements: string[]; answers: unknown }[] = []
    for (const email of [known, newEmail()]) {
      let answers: readonly unknown[] = []
      const statements = await recorded(async () => {
        answers = await step(email)
      })
      assert.ok(answers.length > 0)
      taken.push({ statements: statements.filter(isOfAddress), answers: answers.map(shapeOf) })
    }
    assert.deepEqual(taken[0], taken[1], what)
  }

  async function consoleUser() {
    const user = await signInConsoleUser(service)
    await service.ok('updateUser', { params: { id: user.user.id }, body: { name: 'Grace Hopper' } })
    return user
  }

  // Guards: invited-addresses
  it('is shown to no administrator of a tenant, by no operation on the invitation', async () => {
    const known = await consoleUser()
    const { tenant, secretKey } = await createTenant(service)
    const administrator = await signInConsoleUser(service)
    await addMember(service, tenant.id, administrator, 'roleAdmin')
    await useSession(service, administrator.token)
    for (const token of [secretKey, administrator.token]) {
      await assertAlike(known.email, 'invitations to a tenant', async (email) => {
        const invite = { body: { tenantId: tenant.id, email, roleViewUsers: true }, token }
        const sent = await service.ok<TenantInvitation>('inviteTenantMember', invite)
        const named = { params: { id: sent.id }, token }
        const again = await service.refused('inviteTenantMember', 'invitation_exists', invite)
        const list = await service.ok<{ data: TenantInvitation[] }>('listTenantInvitations', {
          params: { tenantId: tenant.id },
          query: { perPage: '1' },
          token,
        })
        const changed = await service.ok('updateTenantInvitation', { ...named, body: { roleAdmin: true } })
        const shown = [sent, list.data[0], changed]
        for (const each of shown) assert.deepEqual([each?.['userId'], each?.['user']], [null, null])
        await service.ok('deleteTenantInvitation', named)
        return [...shown, again]
      })
    }
  })

  // Guards: invited-addresses
  it('is shown to the tenant once the person has accepted, and to the person before', async () => {
    const known = await consoleUser()
    const { tenant, secretKey } = await createTenant(service)
    const body = { tenantId: tenant.id, email: known.email.toUpperCase() }
    const { id } = await service.ok<TenantInvitation>('inviteTenantMember', { body, token: secretKey })
    const [own] = await service.ok<TenantInvitation[]>('listOwnInvitations', { token: known.token })
    assert.deepEqual([own?.id, own?.userId, own?.user?.name], [id, known.user.id, 'Grace Hopper'])
    await service.ok('acceptOwnInvitation', { params: { id }, token: known.token })
    const { data } = await service.ok<{ data: TenantMember[] }>('listTenantMembers', {
      params: { tenantId: tenant.id },
      token: secretKey,
    })
    assert.deepEqual([data[0]?.userId, data[0]?.user.name], [known.user.id, 'Grace Hopper'])
  })

  // Guards: invited-addresses
  it('is shown to no administrator of organizations without the right to read users, unless the invitation is accepted', async () => {
    const { tenant } = await createTenant(service)
    const { id: organizationId } = await createOrganization(service, tenant.id)
    const email = newEmail()
    await createUser(service, tenant.id, { email, name: 'Grace Hopper' })
    const member = await signInConsoleUser(service)
    await addMember(service, tenant.id, member, 'roleEditOrganizations')
    await useSession(service, member.token)
    const { token } = member
    await assertAlike(email, 'invitations to an organization', async (address) => {
      const invite = { body: { organizationId, email: address }, token }
      const sent = await service.ok<OrganizationInvitation>('createOrganizationInvitation', invite)
      const named = { params: { id: sent.id }, token }
      const again = await service.refused('createOrganizationInvitation', 'invitation_exists', invite)
      const list = await service.ok<{ data: OrganizationInvitation[] }>('listOrganizationInvitations', {
        params: { organizationId },
        query: { perPage: '1' },
        token,
      })
      const read = await service.ok('getOrganizationInvitation', named)
      const changed = await service.ok('updateOrganizationInvitation', { ...named, body: { roleId: null } })
      const shown = [sent, list.data[0], read, changed, await service.ok('deleteOrganizationInvitation', named)]
      for (const each of shown) assert.equal(each?.['user'], null)
      return [...shown, again]
    })
    const reader = await signInConsoleUser(service)
    await addMember(service, tenant.id, reader, 'roleEditOrganizations', 'roleViewUsers')
    const body = { organizationId, email }
    const seen = await service.ok<OrganizationInvitation>('createOrganizationInvitation', { body, token: reader.token })
    assert.equal(seen.user?.name, 'Grace Hopper')
  })

  // Guards: invited-addresses
  it('is shown to no member of an organization who invites', async () => {
    const tenant = await tenantWith(service)
    const { browser } = await signedInUser(service, tenant)
    const { organization } = await browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    const email = newEmail()
    await createUser(service, tenant.id, { email, name: 'Grace Hopper' })
    const params = { id: organization.id }
    await assertAlike(email, 'invitations by members', async (address) => {
      const { invitation: sent } = await browser.ok<{ invitation: { id: string } }>('sendInvitation', {
        params,
        body: { email: address },
      })
      const named = { params: { ...params, invitationId: sent.id } }
      const list = await browser.ok<{ invitations: object[] }>('listSentInvitations', { params })
      const again = await browser.ok('resendInvitation', named)
      const gone = await browser.ok('revokeInvitation', named)
      return [sent, list.invitations[0], again, gone]
    })
    await sendMessages(service.deps)
  })
})
