// Each rule of sign-up against each way in which a user comes into being: docs/sign-up.md has the table, and this test tries every cell.
// Regression: sign-up that was off at the form alone (Zitadel CVE-2024-49757).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createOrganization, createSocialProvider, unique } from '../../../test/harness/factories.ts'
import { invitationTokenTo, latestMessageTo } from '../../../test/harness/messages.ts'
import { FakeIdentityProvider } from '../../../test/harness/outside/fake-identity-provider.ts'
import { connectedOrganization, signInAtWork, staff } from '../../../test/harness/people/enterprise.ts'
import { openDirectory } from '../../../test/harness/people/scim.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { errorOf, person, signInAs } from '../../../test/harness/people/social-sign-in.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'
import { convertBreachedPasswords } from '../../service/commands/conversions/convert-breached-passwords.ts'

const breached = 'Summer2024!?'
const folder = mkdtempSync(join(tmpdir(), 'bailiwick-rules-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const list = join(folder, 'list')
writeFileSync(list, `${createHash('sha1').update(breached).digest('hex').toUpperCase()}:9\r\n`)
const output = join(folder, 'list.bin')
await convertBreachedPasswords(list, { output, least: 1 }, () => {})

interface Newcomer {
  readonly service: TestService
  readonly tenant: Tenant
  readonly idp: FakeIdentityProvider
  readonly email: string
  readonly password: string
  /** Makes the rule, once everything is there that the way needs. @param domain that of the newcomer's address. */
  readonly begin: (domain?: string) => Promise<void>
}

/** Whether a sign-up with everything that the newcomer gives has no session. */
const isRefused = ({ body }: { readonly body: unknown }) =>
  (body as { data?: { session?: object } }).data?.session === undefined

/** The ways; each returns whether the newcomer was refused. */
const ways: Readonly<Record<string, (newcomer: Newcomer) => Promise<boolean>>> = {
  async form({ service, tenant, email, password, begin }) {
    await begin()
    return isRefused(await new Browser(service, tenant.publicKey).call('createSignUp', { body: { email, password } }))
  },
  async invitation({ service, tenant, email, password, begin }) {
    const { id: organizationId } = await createOrganization(service, tenant.id)
    await service.ok('createOrganizationInvitation', { body: { organizationId, email } })
    const invitationToken = await invitationTokenTo(service.deps, email)
    await begin()
    const body = { invitationToken, password }
    return isRefused(await new Browser(service, tenant.publicKey).call('createSignUp', { body }))
  },
  async 'social provider'({ service, tenant, idp, email, begin }) {
    await createSocialProvider(service, tenant.id, {
      providerKey: 'google',
      useCustomCredentials: true,
      clientId: idp.clientId,
      clientSecret: 'a secret of this test',
      config: { issuer: idp.issuer, trustEmails: true },
    })
    await begin()
    const end = await signInAs(new Browser(service, tenant.publicKey), idp, { ...person(), email })
    return errorOf(end) !== null || end.searchParams.get('purpose') === 'sign_up'
  },
  async connection({ service, tenant, idp, begin }) {
    const { domain } = await connectedOrganization(service, tenant.id, idp)
    await begin(domain)
    const browser = new Browser(service, tenant.publicKey)
    await signInAtWork(browser, idp, staff(domain))
    return (await browser.call('getProfile')).status !== 200
  },
  async SCIM({ service, tenant, idp, begin }) {
    const { connection, domain } = await connectedOrganization(service, tenant.id, idp)
    const directory = await openDirectory(service, connection.id)
    await begin(domain)
    const email = `${unique()}@${domain}`
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
    const body = { schemas, userName: email, emails: [{ value: email, primary: true }] }
    return (await directory.call('POST', '/Users', body)).status !== 201
  },
  async import({ service, tenant, email, begin }) {
    await begin()
    const query = { tenantId: tenant.id }
    const [line] = await service.ok<{ status?: string }[]>('importUsers', { query, body: [{ email }] })
    return line?.status === 'error'
  },
  async createUser({ service, tenant, email, password, begin }) {
    await begin()
    return (await service.call('createUser', { body: { tenantId: tenant.id, email, password } })).status !== 200
  },
  async 'anonymous user'({ service, tenant, email, begin }) {
    const browser = new Browser(service, tenant.publicKey)
    await browser.ok('createAnonymousUser')
    await begin()
    const added = await browser.ok<{ email: { id: string } }>('createOwnEmail', { body: { email } })
    const params = { id: added.email.id }
    await browser.ok('prepareOwnEmail', { params })
    const { code } = await latestMessageTo(service.deps, email)
    return (await browser.call('verifyOwnEmail', { params, body: { code } })).status !== 200
  },
}

interface Rule {
  readonly auth?: object
  readonly password?: string
  readonly isBlocking?: true
  /** Whether the tenant asks new users for an attribute that the newcomer does not give. */
  readonly isAsking?: true
}

/** The settings that refuse a newcomer. */
const rules: Readonly<Record<string, Rule>> = {
  'signUpEnabled: false': { auth: { signUpEnabled: false } },
  waitlistEnabled: { auth: { signUpEnabled: false, waitlistEnabled: true } },
  signUpDomains: { auth: { signUpDomains: ['acme.example'] } },
  signUpBlockedDomains: { isBlocking: true },
  passwordLengthMin: { auth: { passwordLengthMin: 32 } },
  breachedPasswordsRefused: { password: breached },
  challengeOnSignUp: { auth: { challengeOnSignUp: 'always' } },
  'required attributes': { isAsking: true },
}

const company = { key: 'company', type: 'text', label: { en: 'Company' }, required: true } as const
const asked = { ...company, writableBy: 'user', shownAt: 'sign_up' } as const

/** The cells of the table in the guide, by rule and way. */
function documented(): Readonly<Record<string, Readonly<Record<string, boolean>>>> {
  const guide = readFileSync(new URL('../../../../docs/sign-up.md', import.meta.url), 'utf8')
  const [head = [], , ...rows] = (guide.split('## Which rule holds for whom\n')[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  return Object.fromEntries(
    rows.map((cells) => [
      cells[1] ?? '',
      Object.fromEntries(cells.slice(2, -1).map((cell, index) => [head[index + 2] ?? '', cell === 'holds'])),
    ]),
  )
}

describeService(
  'each rule of sign-up',
  (service) => {
    const idp = new FakeIdentityProvider()
    before(() => idp.start())
    after(() => idp.stop())

    // Guards: switched-off
    it('holds for the ways in that the guide lists, and for no others', async () => {
      const found: Record<string, Record<string, boolean>> = {}
      for (const [rule, { auth, isBlocking, isAsking, password = 'correct horse battery' }] of Object.entries(rules)) {
        found[rule] = {}
        for (const [way, arrive] of Object.entries(ways)) {
          const tenant = await tenantWith(service(), { emailVerificationRequired: false, anonymousUsersEnabled: true })
          const begin = async (domain = 'spam.example') => {
            const body = { ...auth, ...(isBlocking === undefined ? {} : { signUpBlockedDomains: [domain] }) }
            const params = { id: tenant.id }
            await service().ok('putAuthTenant', { params, body })
            if (isAsking === true) await service().ok('putAttributes', { params, body: { attributes: [asked] } })
          }
          const email = `${unique()}@spam.example`
          found[rule][way] = await arrive({ service: service(), tenant, idp, email, password, begin })
        }
      }
      assert.deepEqual(documented(), found)
    })
  },
  { ...testEnv, BAILIWICK_BREACHED_PASSWORDS: output },
)
