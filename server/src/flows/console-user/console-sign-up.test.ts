// Who can create an account at the console: the deployment decides.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import {
  type OwnOrganization,
  type PublicTenant,
  type RoleFlag,
  type SignUpAnswer,
  type Tenant,
  type TenantInvitation,
  type TenantMember,
  roleFlags,
} from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import {
  newRows,
  rowCounts,
  serviceInTheFuture,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import { createSocialProvider, createTenant, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { flagsOf } from '../../../test/harness/people/sessions.ts'
import { begin, errorOf, locationOf, page, person, signInAs } from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'
import { storedConsoleSignUp } from '../../tenancy/auth-configuration/read-settings.ts'

const dayMs = 24 * 3_600_000
const password = 'correct horse battery staple'
const newEmail = () => `${unique()}@console.example`

interface Meta {
  readonly consolePublicKey: string
  readonly consoleSignUpEnabled: boolean
}

async function consoleOf(service: TestService) {
  const meta = await service.ok<Meta & Record<string, unknown>>('getMeta', { token: null })
  const tenant = await service.ok<Tenant>('getTenantByPublicKey', { params: { publicKey: meta.consolePublicKey } })
  return { meta, tenant, browser: () => new Browser(service, meta.consolePublicKey) }
}

async function shownToPages(browser: Browser) {
  const params = { publicKey: browser.publicKey }
  const { tenant } = await browser.ok<{ tenant: PublicTenant }>('getPublicTenantByKey', { params })
  return tenant.auth['signUpEnabled']
}

/** An invitation to administer a new tenant, with the token that was sent. */
async function invited(service: TestService, ...flags: readonly RoleFlag[]) {
  const { tenant } = await createTenant(service)
  const email = newEmail()
  const body = { tenantId: tenant.id, email, ...flagsOf(...flags) }
  const { id } = await service.ok<TenantInvitation>('inviteTenantMember', { body })
  return { tenantId: tenant.id, email, id, invitationToken: await invitationTokenTo(service.deps, email) }
}

const membersOf = async (service: TestService, tenantId: string) =>
  (await service.ok<{ data: TenantMember[] }>('listTenantMembers', { params: { tenantId } })).data

describeService('closed sign-up at the console, the default of a deployment', (service) => {
  const idp = new FakeIdentityProvider()
  before(async () => {
    await idp.start()
    const { tenant } = await consoleOf(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: [page] } })
    await createSocialProvider(service(), tenant.id, {
      providerKey: 'google',
      useCustomCredentials: true,
      clientId: idp.clientId,
      clientSecret: randomBytes(16).toString('hex'),
      config: { issuer: idp.issuer, trustEmails: true },
    })
  })
  after(() => idp.stop())

  // Guards: console-accounts
  it('is reported by /meta, the public tenant and the tenant, whatever setting is stored', async () => {
    const { meta, tenant, browser } = await consoleOf(service())
    assert.equal(await storedConsoleSignUp(service().deps.db), true)
    assert.equal(meta.consoleSignUpEnabled, false)
    assert.equal(tenant.auth?.signUpEnabled, false)
    assert.equal(await shownToPages(browser()), false)
  })

  // Guards: console-accounts
  it('creates no user by the form, a social provider, or an invitation to an organization of the console', async () => {
    const { tenant, browser } = await consoleOf(service())
    const email = newEmail()

    const organization = await service().ok<{ id: string }>('createOrganization', {
      body: { tenantId: tenant.id, name: 'Relay' },
    })
    const body = { organizationId: organization.id, email }
    await service().ok('createOrganizationInvitation', { body })
    const invitationToken = await invitationTokenTo(service().deps, email)
    const users = await storedCounter(service(), tenant.id, 'users')
    const redirectUri = page
    for (const attempt of [
      { email, password },
      { email, name: 'Ada' },
      { providerKey: 'google', redirectUri },
      { invitationToken, password },
      { invitationToken, providerKey: 'google', redirectUri },
    ]) {
      await browser().refused('createSignUp', 'sign_up_disabled', { body: attempt })
    }
    assert.equal(errorOf(await signInAs(browser(), idp, person({ email }))), 'sign_up_disabled')
    assert.equal(await storedCounter(service(), tenant.id, 'users'), users)
  })

  // Guards: console-accounts
  it('cannot be changed by the settings of its tenant', async () => {
    const { tenant, browser } = await consoleOf(service())
    const params = { id: tenant.id }
    const body = { signUpEnabled: true, nameRequired: false }
    const { issues } = await service().refused('putAuthTenant', 'validation_failed', { params, body })
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['/signUpEnabled'],
    )
    await service().ok('putAuthTenant', { params, body: { signUpEnabled: false, signInEnabled: true } })
    await service().ok('putAuthTenant', { params, body: { sessionInactivityTimeout: 3600 } })
    await browser().refused('createSignUp', 'sign_up_disabled', { body: { email: newEmail(), password } })
  })

  // Guards: console-accounts
  it('admits people who are invited to a tenant, with the invited address alone, as members with a verified address', async () => {
    const { browser } = await consoleOf(service())
    const { tenantId, email, id, invitationToken } = await invited(service(), 'roleViewUsers', 'roleEditConfig')
    const other = { invitationToken, email: newEmail(), password }
    await browser().refused('createSignUp', 'validation_failed', { body: other })
    const counted = await rowCounts(service())
    const answer = await browser().ok<SignUpAnswer>('createSignUp', { body: { invitationToken, password } })
    assert.equal(answer.signUpAttempt.status, 'complete')
    const [address] = answer.sessionUser?.emails ?? []
    assert.deepEqual([address?.email, address?.verifiedAt === null], [email, false])
    const grown = await newRows(service(), counted)
    assert.deepEqual([grown['users'], grown['tenant_members']], [1, 1])
    const [member] = await membersOf(service(), tenantId)
    assert.equal(member?.userId, answer.sessionUser?.id)
    assert.deepEqual(
      roleFlags.filter((flag) => member?.[flag] === true),
      ['roleEditConfig', 'roleViewUsers'],
    )
    assert.equal(await storedCounter(service(), tenantId, 'invitations'), 0)
    const [accepted] = await storedEvents(service(), tenantId, 'tenant_invitation.accepted')
    assert.equal(accepted?.subject_id, id)
    await browser().refused('createSignUp', 'invitation_invalid', { body: { invitationToken, password } })
  })

  it('admits invited people through a social provider, and keeps the invited address', async () => {
    const { browser } = await consoleOf(service())
    const { tenantId, email, invitationToken } = await invited(service())
    const mine = browser()
    const { authorizeUri } = await mine.ok<SignUpAnswer>('createSignUp', {
      body: { invitationToken, providerKey: 'google', redirectUri: page },
    })
    assert.ok(authorizeUri !== undefined)
    assert.equal(errorOf(locationOf(await mine.visit(idp.agree(authorizeUri, person())))), null)
    const [member] = await membersOf(service(), tenantId)
    assert.deepEqual(
      member?.user.emailAddresses.map((each) => each.email),
      [email],
    )
    assert.ok((await begin(mine)).authorizeUri)
  })

  // Guards: console-accounts
  it('accepts no token that was used, revoked or altered, has expired, or belongs to a deleted tenant', async () => {
    const { browser } = await consoleOf(service())
    const refuse = (invitationToken: string, at = service()) =>
      new Browser(at, browser().publicKey).refused('createSignUp', 'invitation_invalid', {
        body: { invitationToken, password },
      })
    const takenBack = await invited(service())
    await service().ok('deleteTenantInvitation', { params: { id: takenBack.id } })
    await refuse(takenBack.invitationToken)
    const ofDeleted = await invited(service())
    await service().ok('deleteTenant', { params: { id: ofDeleted.tenantId } })
    await refuse(ofDeleted.invitationToken)
    const open = await invited(service())
    await refuse(`${open.invitationToken.slice(0, -1)}${open.invitationToken.endsWith('0') ? '1' : '0'}`)
    const later = await serviceInTheFuture(service(), 7 * dayMs + 1000)
    try {
      await refuse(open.invitationToken, later)
    } finally {
      await later.app.close()
    }
    const elsewhere = await createTenant(service())
    await new Browser(service(), elsewhere.tenant.publicKey).refused('createSignUp', 'invitation_invalid', {
      body: { invitationToken: open.invitationToken, password },
    })
    await browser().ok('createSignUp', { body: { invitationToken: open.invitationToken, password } })
  })

  it('creates no user if the invitation is revoked before the last step, and otherwise gives the flags of that moment', async () => {
    const { tenant, browser } = await consoleOf(service())
    const start = async () => {
      const invitation = await invited(service(), 'roleAdmin')
      const mine = browser()
      const { signUpAttempt } = await mine.ok<SignUpAnswer>('createSignUp', {
        body: { invitationToken: invitation.invitationToken },
      })
      const finish = { params: { id: signUpAttempt.id }, body: { password } }
      return { ...invitation, mine, finish }
    }
    const late = await start()
    await service().ok('deleteTenantInvitation', { params: { id: late.id } })
    const users = await storedCounter(service(), tenant.id, 'users')
    await late.mine.refused('updateSignUp', 'invitation_invalid', late.finish)
    assert.equal(await storedCounter(service(), tenant.id, 'users'), users)

    const changed = await start()
    await service().ok('updateTenantInvitation', { params: { id: changed.id }, body: { roleViewBilling: true } })
    await changed.mine.ok('updateSignUp', changed.finish)
    const [member] = await membersOf(service(), changed.tenantId)
    assert.deepEqual([member?.roleAdmin, member?.roleViewBilling], [false, true])
  })

  it('creates one account for one token, however many requests arrive at once', async () => {
    const { browser } = await consoleOf(service())
    const { tenantId, invitationToken } = await invited(service())
    const answers = await atOnce(10, () => browser().call('createSignUp', { body: { invitationToken, password } }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 9 })
    assert.equal((await membersOf(service(), tenantId)).length, 1)
    assert.equal(await storedCounter(service(), tenantId, 'invitations'), 0)
  })
})

describeService(
  'open sign-up at the console',
  (service) => {
    it('is reported to pages, and admits everybody', async () => {
      const { meta, tenant, browser } = await consoleOf(service())
      assert.deepEqual([meta.consoleSignUpEnabled, tenant.auth?.signUpEnabled], [true, true])
      assert.equal(await shownToPages(browser()), true)
      const { signUpAttempt } = await browser().ok<SignUpAnswer>('createSignUp', {
        body: { email: newEmail(), password },
      })
      assert.equal(signUpAttempt.status, 'needs_verification')
    })

    it('cannot be closed by the settings of its tenant either', async () => {
      const { tenant } = await consoleOf(service())
      const change = { params: { id: tenant.id }, body: { signUpEnabled: false } }
      await service().refused('putAuthTenant', 'validation_failed', change)
    })

    it('makes invited people members of tenants and of organizations of the console', async () => {
      const { tenant, browser } = await consoleOf(service())
      const { tenantId, invitationToken } = await invited(service())
      await browser().ok('createSignUp', { body: { invitationToken, password } })
      assert.equal((await membersOf(service(), tenantId)).length, 1)
      const { id: organizationId } = await service().ok<{ id: string }>('createOrganization', {
        body: { tenantId: tenant.id, name: 'Friends' },
      })
      const email = newEmail()
      await service().ok('createOrganizationInvitation', { body: { organizationId, email } })
      const code = await invitationTokenTo(service().deps, email)
      const mine = browser()
      await mine.ok('createSignUp', { body: { invitationToken: code, password } })
      const { organizations } = await mine.ok<{ organizations: OwnOrganization[] }>('listOwnOrganizations')
      assert.deepEqual(
        organizations.map(({ id }) => id),
        [organizationId],
      )
    })
  },
  { ...testEnv, BAILIWICK_CONSOLE_SIGN_UP: 'open' },
)
