// What each setting of organizations' domains does while the others are on, and which organizations are suggested to whom.
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { OrganizationSuggestion, TenantAuthSettings } from '@bailiwick/contract'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import {
  type TestOrganization,
  anotherOrganization,
  claim,
  newName,
  provenDomain,
  someOrganization,
} from '../../../test/harness/people/organization-domains.ts'
import { type SignedInUser, browserOf, signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

type BooleanName = {
  [K in keyof TenantAuthSettings]: TenantAuthSettings[K] extends boolean ? K : never
}[keyof TenantAuthSettings]
type DomainSetting = Extract<BooleanName, `organization${'CustomDomain' | 'AutomaticInvitation'}${string}`>

interface Scene extends TestOrganization {
  readonly name: string
  readonly fellow: SignedInUser
}

/** The outcome of a call in one word. */
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => body.code ?? String(status)

const rows: Readonly<
  Record<
    DomainSetting,
    { readonly see: (scene: Scene) => Promise<unknown>; readonly on: unknown; readonly off: unknown }
  >
> = {
  organizationCustomDomainManagementEnabled: {
    see: async ({ admin, organization }) => [
      outcome(await admin.browser.call('listOrganizationDomains', { params: { id: organization.id } })),
      outcome(
        await admin.browser.call('createOrganizationDomain', {
          params: { id: organization.id },
          body: { name: newName() },
        }),
      ),
    ],
    on: ['200', '200'],
    off: ['forbidden', 'forbidden'],
  },
  organizationAutomaticInvitationEnabled: {
    see: async ({ admin, organization, fellow }) => {
      const params = { id: organization.id }
      const { invitations } = await admin.browser.ok<{ invitations: unknown[] }>('listSentInvitations', { params })
      return [fellow.user.id.length > 0, invitations.length]
    },
    on: [true, 1],
    off: [true, 0],
  },
  organizationAutomaticInvitationSuggestionsEnabled: {
    see: async ({ fellow }) => {
      const answer = await fellow.browser.call<{ suggestions: unknown[] }>('listOrganizationSuggestions')
      return answer.body.code ?? answer.body.data.suggestions.length
    },
    on: 1,
    off: 'forbidden',
  },
}

const suite = (service: () => TestService) => {
  const suggestionsTo = async ({ browser }: Pick<SignedInUser, 'browser'>) =>
    (await browser.ok<{ suggestions: OrganizationSuggestion[] }>('listOrganizationSuggestions')).suggestions

  for (const [name, row] of Object.entries(rows)) {
    for (const value of [true, false]) {
      it(`${name} ${value ? 'on' : 'off'} does what it says`, async () => {
        const owner = await someOrganization(service())
        const domain = await provenDomain(names, owner)
        await service().ok('putAuthTenant', { params: { id: owner.tenant.id }, body: { [name]: value } })
        const fellow = await signedInUser(service(), owner.tenant, { email: `${unique()}@${domain.name}` })
        assert.deepEqual(await row.see({ ...owner, name: domain.name, fellow }), value ? row.on : row.off)
      })
    }
  }

  it('are off by default', async () => {
    const { tenant } = await createTenant(service())
    const { auth } = await service().ok<{ auth: TenantAuthSettings }>('getTenant', { params: { id: tenant.id } })
    for (const name of Object.keys(rows)) assert.equal(auth[name as DomainSetting], false, name)
  })

  // Guards: proven-domains
  it('suggest an organization by its verified domain to users with a verified address there who are not members', async () => {
    const owner = await someOrganization(service())
    const { name } = await provenDomain(names, owner)
    const other = await anotherOrganization(service(), owner.tenant)
    await claim(other.admin.browser, other.organization.id, name)
    const user = await createUser(service(), owner.tenant.id, { email: `${unique()}@${name}` })
    const fellow = await browserOf(service(), owner.tenant, user.id)
    assert.deepEqual(await suggestionsTo(fellow), [], 'the address is not verified')
    await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
    const { id: organizationId, name: title, slug } = owner.organization
    assert.deepEqual(await suggestionsTo(fellow), [{ organizationId, name: title, slug, imageUri: null, domain: name }])
    assert.deepEqual(await suggestionsTo(owner.admin), [])
    const below = await signedInUser(service(), owner.tenant, { email: `${unique()}@mail.${name}` })
    assert.deepEqual(await suggestionsTo(below), [])
    const elsewhere = await someOrganization(service())
    assert.deepEqual(
      await suggestionsTo(await signedInUser(service(), elsewhere.tenant, { email: `${unique()}@${name}` })),
      [],
    )
    await service().ok('createOrganizationMember', { body: { organizationId, userId: user.id } })
    assert.deepEqual(await suggestionsTo(fellow), [], 'a member by now')
  })

  it('suggest an organization once, even if a user has addresses at several of its domains', async () => {
    const owner = await someOrganization(service())
    const domains = [await provenDomain(names, owner), await provenDomain(names, owner)]
    const fellow = await signedInUser(service(), owner.tenant)
    for (const { name } of domains) {
      const { id } = await service().ok<{ id: string }>('createEmailAddress', {
        body: { tenantId: owner.tenant.id, userId: fellow.user.id, email: `${unique()}@${name}` },
      })
      await service().ok('verifyEmailAddress', { body: { id } })
    }
    assert.equal((await suggestionsTo(fellow)).length, 1)
  })
}

describeService("the settings of organizations' domains", suite, {
  ...testEnv,
  BAILIWICK_DNS_SERVERS: names.address,
})
