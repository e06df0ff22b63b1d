// What only one may have: of all requests for it at the same moment, of whatever kind and at whichever node, one succeeds, and the others
// are told that it is taken. Constraints decide that, never a check before the write.
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { type OwnEmail, type OwnPhone, type SignUpAnswer, type TenantDomain, emailKey } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { atOnce } from '../harness/at-once.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { statusCounts, storedCounter } from '../harness/databases/stored.ts'
import { createOrganization, createTenant, createUser, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { startNameServer } from '../harness/outside/name-server.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { type Answer, type TestService, testEnv } from '../harness/service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

const times = 40
const rounds = 3
const password = 'correct horse battery staple'
type Tenant = Awaited<ReturnType<typeof tenantWith>>
/** One request that asks for it, at a node. */
type Ask = (node: TestService) => Promise<Answer>
/** Prepares a request for a value. */
type Way = (value: string) => Promise<Ask>

const names = await startNameServer()
after(() => names.close())

describeOnTwoNodes(
  'of forty simultaneous requests at two nodes one gets',
  (nodes) => {
    const newUser = async (tenant: Tenant) => createUser(nodes().one, tenant.id, { email: `${unique()}@example.com` })

    /** Each way in turn, and each of them at both nodes. */
    async function race(ways: readonly Way[], value: string, code: string, shown: (n: number) => string = () => value) {
      const asks: Ask[] = []
      for (let n = 0; n < times; n++) {
        const way = ways[n % ways.length]
        if (way !== undefined) asks.push(await way(shown(n)))
      }
      const answers = await atOnce(times, async (n) => {
        const answer = await asks[n]?.(nodes().inTurn(Math.floor(n / ways.length)))
        if (answer === undefined) throw new Error('nobody asks')
        return answer
      })
      assert.deepEqual(statusCounts(answers), { 200: 1, 409: times - 1 }, answers.map(({ text }) => text).join('\n'))
      for (const { status, text } of answers) if (status === 409) assert.match(text, new RegExp(`"code":"${code}"`))
    }

    const stored = async (tenantId: string, table: string, column: string, value: string) => {
      const rows = await nodes().one.deps.db.all(sql`SELECT id FROM ${sql.identifier(table)}
        WHERE tenant_id = ${tenantId} AND ${sql.identifier(column)} = ${value} LIMIT 10`)
      return rows.length
    }

    /** A sign-up that requires nothing but what is given. */
    const auth = {
      emailRequired: false,
      emailVerificationRequired: true,
      phoneVerificationCodeEnabled: true,
      strategyUsernamePasswordEnabled: true,
      strategyPhonePasswordEnabled: true,
      usernameSignInEnabled: true,
      phoneSignInEnabled: true,
    }

    // Guards: limits-in-database
    it('an e-mail address, by sign-up, by adding it to an account, and by the tenant', async () => {
      for (let round = 0; round < rounds; round++) {
        const tenant = await tenantWith(nodes().one, auth)
        const ways: Way[] = [
          async (email) => {
            const browser = new Browser(nodes().one, tenant.publicKey)
            const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
            const params = { id: signUpAttempt.id }
            await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
            const { code } = await latestMessageTo(nodes().one.deps, email)
            const body = { strategy: 'email_code', code }
            return (node) => browserAt(node, browser).call('attemptVerification', { params, body })
          },
          async (email) => {
            const { browser } = await signedInUser(nodes().one, tenant)
            const added = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email } })
            const params = { id: added.email.id }
            await browser.ok('prepareOwnEmail', { params })
            const { code } = await latestMessageTo(nodes().one.deps, email)
            return (node) => browserAt(node, browser).call('verifyOwnEmail', { params, body: { code } })
          },
          async (email) => (node) => node.call('createUser', { body: { tenantId: tenant.id, email } }),
          async (email) => {
            const { id } = await newUser(tenant)
            const body = { tenantId: tenant.id, userId: id, email }
            return (node) => node.call('createEmailAddress', { body })
          },
          async (email) => {
            const { primaryEmailId: id } = await newUser(tenant)
            return (node) => node.call('updateEmailAddress', { body: { id, email } })
          },
        ]
        const email = `${unique()}@example.com`
        await race(ways, email, 'email_taken')
        assert.equal(await stored(tenant.id, 'email_addresses', 'email_key', emailKey(email)), 1)
      }
    })

    it('a phone number, by sign-up, by adding it to an account, and by the tenant', async () => {
      for (let round = 0; round < rounds; round++) {
        const tenant = await tenantWith(nodes().one, auth)
        const ways: Way[] = [
          async (phone) => (node) =>
            new Browser(node, tenant.publicKey).call('createSignUp', { body: { phone, password } }),
          async (phone) => {
            const { browser } = await signedInUser(nodes().one, tenant)
            const added = await browser.ok<{ phone: OwnPhone }>('createOwnPhone', { body: { phone } })
            const params = { id: added.phone.id }
            await browser.ok('prepareOwnPhone', { params })
            const { code } = await latestMessageTo(nodes().one.deps, phone)
            return (node) => browserAt(node, browser).call('verifyOwnPhone', { params, body: { code } })
          },
          async (phone) => (node) => node.call('createUser', { body: { tenantId: tenant.id, phone } }),
          async (phone) => {
            const { id: userId } = await newUser(tenant)
            return (node) => node.call('createPhoneNumber', { body: { tenantId: tenant.id, userId, phone } })
          },
        ]
        const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
        await race(ways, phone, 'phone_taken')
        assert.equal(await stored(tenant.id, 'phone_numbers', 'phone', phone), 1)
      }
    })

    it('a username in any case, by sign-up, by the profile, and by the tenant', async () => {
      for (let round = 0; round < rounds; round++) {
        const tenant = await tenantWith(nodes().one, auth)
        const ways: Way[] = [
          async (username) => (node) =>
            new Browser(node, tenant.publicKey).call('createSignUp', { body: { username, password } }),
          async (username) => {
            const { browser } = await signedInUser(nodes().one, tenant)
            return (node) => browserAt(node, browser).call('updateProfile', { body: { username } })
          },
          async (username) => (node) => node.call('createUser', { body: { tenantId: tenant.id, username } }),
          async (username) => {
            const { id } = await newUser(tenant)
            return (node) => node.call('updateUser', { params: { id }, body: { username } })
          },
        ]
        const username = unique()
        await race(ways, username, 'username_taken', (n) => (n % 3 === 0 ? username.toUpperCase() : username))
        assert.equal(await stored(tenant.id, 'users', 'username_key', username), 1)
      }
    })

    it("an organization's slug, by creating one and by changing one", async () => {
      for (let round = 0; round < rounds; round++) {
        const tenant = await tenantWith(nodes().one)
        const ways: Way[] = [
          async (slug) => (node) =>
            node.call('createOrganization', { body: { tenantId: tenant.id, name: 'Research', slug } }),
          async (slug) => {
            const { browser } = await signedInUser(nodes().one, tenant)
            const body = { name: 'Research', slug }
            return (node) => browserAt(node, browser).call('createOwnOrganization', { body })
          },
          async (slug) => {
            const { id } = await createOrganization(nodes().one, tenant.id)
            return (node) => node.call('updateOrganization', { params: { id }, body: { slug } })
          },
          async (slug) => {
            const { browser } = await signedInUser(nodes().one, tenant)
            type Made = { organization: { id: string } }
            const made = await browser.ok<Made>('createOwnOrganization', { body: { name: unique() } })
            const change = { params: { id: made.organization.id }, body: { slug } }
            return (node) => browserAt(node, browser).call('updateOwnOrganization', change)
          },
        ]
        await race(ways, unique(), 'organization_slug_taken')
        const rows = await nodes().one.deps.db.all(
          sql`SELECT id FROM organizations WHERE tenant_id = ${tenant.id} LIMIT 100`,
        )
        assert.equal(await storedCounter(nodes().one, tenant.id, 'organizations'), rows.length)
      }
    })

    it("a tenant's slug, by creating one and by changing one", async () => {
      for (let round = 0; round < rounds; round++) {
        const ways: Way[] = [
          async (slug) => (node) =>
            node.call('createTenant', { body: { name: 'Acme', environment: 'development', slug } }),
          async (slug) => {
            const { tenant } = await createTenant(nodes().one)
            return (node) => node.call('updateTenant', { params: { id: tenant.id }, body: { slug } })
          },
        ]
        await race(ways, unique(), 'slug_taken')
      }
    })

    it("a place for a domain among a tenant's own", async () => {
      const { tenant } = await createTenant(nodes().one)
      const way: Way = async (name) => (node) => node.call('createDomain', { body: { tenantId: tenant.id, name } })
      await race([way], `${unique()}.example`, 'domain_exists')
      assert.equal((await nodes().other.ok<object[]>('listDomains', { query: { tenantId: tenant.id } })).length, 1)
    })

    it('the proof of a domain that all of them claim and have a record for', async () => {
      for (let round = 0; round < rounds; round++) {
        const name = `${unique()}.example`
        const claims: TenantDomain[] = []
        for (let n = 0; n < times; n++) {
          const { tenant } = await createTenant(nodes().one)
          claims.push(await nodes().one.ok<TenantDomain>('createDomain', { body: { tenantId: tenant.id, name } }))
        }
        const records = claims.map(({ verificationRecordValue: value }) => value ?? '')
        names.records.set(`_bailiwick.${name}`, records)
        let asked = 0
        const way: Way = async () => {
          const { id } = claims[asked++] as TenantDomain
          return (node) => node.call('verifyDomain', { params: { id } })
        }
        await race([way], name, 'domain_taken')
        const { tenant } = await createTenant(nodes().one)
        await nodes().other.refused('createDomain', 'domain_taken', { body: { tenantId: tenant.id, name } })
      }
    })
  },
  { ...testEnv, BAILIWICK_DNS_SERVERS: names.address },
)
