// For an identifier that nobody has, and for a user without a password, the service computes as much as for other users of the tenant,
// whose passwords may be imported from another service. No time is measured: the tests record what is computed.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { exported, imported, newService } from '../../../test/harness/files/archives.ts'
import { browserOf, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, startTestService, testEnv } from '../../../test/harness/service.ts'
import { parametersOf } from '../../platform/crypto/password-cost.ts'
import { createPasswordPool } from '../../platform/crypto/password-pool.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { sql } from '../../platform/db/sql.ts'

const password = 'correct horse battery staple'
const own = JSON.stringify({ verified: parametersOf(`$argon2id$v=19$m=19456,t=2,p=1$`) })
const bcrypt = (cost: string) => ({
  algorithm: 'bcrypt',
  hash: `$2b$${cost}$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a`,
})
const pbkdf2 = {
  algorithm: 'pbkdf2-sha512',
  hash: Buffer.alloc(64, 1).toString('base64'),
  salt: 'AAAA',
  params: { iterations: 210_000 },
}
const verified = (parameters: object) => JSON.stringify({ verified: parameters })
const ofBcrypt = (cost: number) => verified({ algorithm: 'bcrypt', cost })
const ofPbkdf2 = verified({ algorithm: 'pbkdf2', digest: 'sha512', iterations: 210_000, keyBytes: 64 })

describeOnEachEngine('an identifier without a password', (open) => {
  let service: TestService
  let computed: string[] = []
  const passwordPool = createPasswordPool({
    concurrency: 2,
    queueMax: 64,
    algorithms: {
      hash: (given) => {
        computed.push('hashed')
        return hashPassword(given)
      },
      verify: async ({ encoded }) => {
        computed.push(verified(parametersOf(encoded)))
        return false
      },
    },
  })
  before(async () => {
    service = await startTestService((await open()).database, testEnv, () => ({ passwordPool }))
  })
  after(() => service.app.close())

  const newTenant = () => tenantWith(service, { usernameSignInEnabled: true, strategyUsernamePasswordEnabled: true })

  async function importPeople(tenantId: string, count: number, passwordHash: object) {
    const emails = Array.from({ length: count }, () => `${unique()}@example.com`)
    const body = emails.map((email) => ({ email, emailVerified: true, passwordHash }))
    await service.ok('importUsers', { query: { tenantId }, body })
    return emails
  }

  async function recorded(run: () => Promise<unknown>): Promise<string[]> {
    computed = []
    await run()
    return computed
  }

  const signIn = (publicKey: string, identifier: string, to: TestService = service) =>
    recorded(() =>
      new Browser(to, publicKey).refused('createSignIn', 'factor_refused', {
        body: { identifier, strategy: identifier.includes('@') ? 'email_password' : 'username_password', password },
      }),
    )
  const nobodies = (count: number) => Array.from({ length: count }, () => `${unique()}@example.com`)

  // Guards: unknown-users
  it('costs as much as a hash of this service if the tenant has no others, or none at all', async () => {
    const tenant = await newTenant()
    for (const email of nobodies(3)) assert.deepEqual(await signIn(tenant.publicKey, email), [own])
    const user = await createUser(service, tenant.id, { password })
    assert.deepEqual(await signIn(tenant.publicKey, String(user.emailAddresses[0]?.email)), [own])
    for (const email of nobodies(3)) assert.deepEqual(await signIn(tenant.publicKey, email), [own])
  })

  // Guards: unknown-users
  it('costs as much as every hash of the tenant if all are alike, also for a username, and for a user without a password', async () => {
    for (const [given, expected] of [
      [bcrypt('12'), ofBcrypt(12)],
      [pbkdf2, ofPbkdf2],
    ] as const) {
      const tenant = await newTenant()
      const [known = ''] = await importPeople(tenant.id, 3, given)
      const without = await createUser(service, tenant.id)
      const identifiers = [known, ...nobodies(5), unique(), String(without.emailAddresses[0]?.email)]
      for (const each of identifiers) assert.deepEqual(await signIn(tenant.publicKey, each), [expected], each)
    }
  })

  // Guards: unknown-users
  it('costs the same each time, and in a tenant with several kinds of hash as much as one of them, each as often as it occurs', async () => {
    const tenant = await newTenant()
    await importPeople(tenant.id, 30, bcrypt('10'))
    await importPeople(tenant.id, 30, pbkdf2)
    const emails = nobodies(60)
    const costs: string[] = []
    for (const email of emails) costs.push(...(await signIn(tenant.publicKey, email)))
    assert.equal(costs.length, emails.length)
    for (const [index, email] of emails.entries()) {
      if (index < 10) assert.deepEqual(await signIn(tenant.publicKey, email), [costs[index]])
    }
    const shares = [ofBcrypt(10), ofPbkdf2].map((kind) => costs.filter((each) => each === kind).length)
    assert.equal(shares[0]! + shares[1]!, emails.length)
    // Half of them each, apart from chance.
    assert.ok(
      shares.every((share) => share >= 6),
      shares.join(),
    )
  })

  // Guards: unknown-users
  it('draws among the passwords evenly, whenever they were set and wherever they come from', async () => {
    const tenant = await newTenant()
    await importPeople(tenant.id, 40, bcrypt('10'))
    for (let n = 0; n < 3; n++) await createUser(service, tenant.id, { password })
    const draws = await service.deps.db.all<{ draw: number }>(
      sql`SELECT draw FROM passwords WHERE tenant_id = ${tenant.id}`,
    )
    assert.equal(new Set(draws.map(({ draw }) => draw)).size, draws.length)
    assert.ok(draws.every(({ draw }) => draw >= 0 && draw < 2 ** 31))
    const path = await exported(service, tenant.id)
    const target = await newService(service.deps.db.engine, () => ({ passwordPool }))
    await imported(target, path)
    const there = await target.deps.db.all<{ draw: number }>(sql`SELECT draw FROM passwords`)
    assert.equal(new Set(there.map(({ draw }) => draw)).size, draws.length)
    const costs: string[] = []
    for (const email of nobodies(12)) costs.push(...(await signIn(tenant.publicKey, email, target)))
    assert.ok(costs.includes(ofBcrypt(10)))
  })

  // Guards: unknown-users
  it('costs as much as an existing one in a sign-up and a reset, and as much as the own password in a change of password', async () => {
    const tenant = await newTenant()
    const [taken = ''] = await importPeople(tenant.id, 3, bcrypt('12'))
    const signUp = (email: string) =>
      recorded(() => new Browser(service, tenant.publicKey).ok('createSignUp', { body: { email, password } }))
    assert.deepEqual([await signUp(taken), await signUp(`${unique()}@example.com`)], [['hashed'], ['hashed']])
    const reset = (identifier: string) =>
      recorded(async () => {
        const browser = new Browser(service, tenant.publicKey)
        const body = { identifier }
        const { passwordReset } = await browser.ok<{ passwordReset: { id: string } }>('createPasswordReset', { body })
        await browser.refused('attemptPasswordReset', 'factor_refused', {
          params: { id: passwordReset.id },
          body: { code: 'no code', password },
        })
      })
    assert.deepEqual([await reset(taken), await reset(`${unique()}@example.com`)], [['hashed'], ['hashed']])
    const user = await createUser(service, tenant.id, { password })
    const { browser } = await browserOf(service, tenant, user.id)
    const body = { oldPassword: 'wrong', password: `another ${password}` }
    assert.deepEqual(await recorded(() => browser.refused('updateOwnPassword', 'factor_refused', { body })), [own])
  })
})
