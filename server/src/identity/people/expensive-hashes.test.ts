// How much an import may make this service compute, and who has to wait for it. The algorithms belong to the test: it sees what begins and
// decides when it ends. Regression: forty sign-ins with PBKDF2 of 5,000,000 rounds made everybody else wait for half a minute.
import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { exported, imported, inspected, newService } from '../../../test/harness/files/archives.ts'
import { type TestService, startTestService, testEnv } from '../../../test/harness/service.ts'
import { type HashParameters, parametersOf } from '../../platform/crypto/password-cost.ts'
import { type PasswordAlgorithms, type PasswordPool, createPasswordPool } from '../../platform/crypto/password-pool.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { sealImportedHash } from '../passwords/passwords.ts'

const password = 'correct horse battery staple'
const concurrency = 2

const pbkdf2 = (iterations: number) => ({
  algorithm: 'pbkdf2-sha256',
  hash: Buffer.alloc(32, 1).toString('base64'),
  salt: 'AAAA',
  params: { iterations },
})
const heavy = 3_000_000
const light = 600_000
/** More expensive than anything that can be imported today. */
const legacy = `$pbkdf2-sha256$i=5000000,l=32$AAAA$${Buffer.alloc(32, 1).toString('base64').replace('=', '')}`

/** Computes nothing: every password is right unless it is called wrong, and a verification ends at once or when the test says so. */
class Algorithms implements PasswordAlgorithms {
  readonly started: HashParameters[] = []
  readonly running: { readonly parameters: HashParameters; readonly end: () => void }[] = []
  isHeld = false
  #waiting: { readonly isSo: () => boolean; readonly resolve: () => void }[] = []
  submitted = 0

  readonly hash = hashPassword

  async verify({ encoded }: { encoded: string }, given: string): Promise<boolean> {
    const parameters = parametersOf(encoded)
    this.started.push(parameters)
    if (this.isHeld) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const entry = { parameters, end: resolve }
      this.running.push(entry)
      this.tell()
      await promise
      this.running.splice(this.running.indexOf(entry), 1)
    }
    return !given.startsWith('wrong')
  }

  /** Resolves as soon as the condition holds. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isSo, resolve })
      this.tell()
    })
  }

  tell() {
    for (const each of this.#waiting) if (each.isSo()) each.resolve()
    this.#waiting = this.#waiting.filter(({ isSo }) => !isSo())
  }

  /** Ends the verification that has been under way for longest, of these if any, and waits until another has begun in its place. */
  async endOne(which: (parameters: HashParameters) => boolean = () => true) {
    const count = this.started.length
    const entry = this.running.find(({ parameters }) => which(parameters)) ?? this.running[0]
    entry?.end()
    await this.until(() => this.started.length > count)
  }

  release() {
    this.isHeld = false
    for (const { end } of this.running) end()
  }
}

const iterationsOf = (parameters: HashParameters) => (parameters.algorithm === 'pbkdf2' ? parameters.iterations : 0)
const isOwn = ({ algorithm }: HashParameters) => algorithm === 'argon2id'

describeOnEachEngine('hashes that another service made', (open) => {
  let service: TestService
  const algorithms = new Algorithms()
  before(async () => {
    const pool = createPasswordPool({ concurrency, queueMax: 64, algorithms })
    const passwordPool: PasswordPool = {
      load: pool.load,
      hash: (...given) => pool.hash(...given),
      verify: (...given) => {
        const result = pool.verify(...given)
        algorithms.submitted++
        algorithms.tell()
        return result
      },
    }
    service = await startTestService((await open()).database, testEnv, () => ({ passwordPool }))
  })
  after(() => service.app.close())
  afterEach(() => algorithms.release())

  const importLines = (tenantId: string, lines: readonly object[]) =>
    service.ok<{ id: string; status?: string; issues?: unknown }[]>('importUsers', {
      query: { tenantId },
      body: lines,
    })

  /** As many people whose passwords another service has hashed. */
  async function importPeople(tenantId: string, count: number, iterations: number) {
    const emails = Array.from({ length: count }, () => `${unique()}@example.com`)
    const lines = emails.map((email) => ({ email, emailVerified: true, passwordHash: pbkdf2(iterations) }))
    const answers = await importLines(tenantId, lines)
    assert.ok(answers.slice(0, -1).every(({ status }) => status === 'created'))
    return emails.map((email, index) => ({ email, id: String(answers[index]?.id) }))
  }

  const signIn = (publicKey: string, identifier: string, given = password) =>
    new Browser(service, publicKey).call<SignInAnswer>('createSignIn', {
      body: { identifier, strategy: 'email_password', password: given },
    })

  // Guards: slow-hashes
  it('are refused at their line, with the parameter and its maximum, if verifying would take more than about a second', async () => {
    const { tenant } = await createTenant(service)
    const line = (passwordHash: object) => ({ email: `${unique()}@example.com`, passwordHash })
    const bcrypt = '$2b$15$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'
    const answers = await importLines(tenant.id, [
      line({ algorithm: 'bcrypt', hash: bcrypt }),
      line({ ...pbkdf2(2_000_001), algorithm: 'pbkdf2-sha512' }),
      line(pbkdf2(heavy)),
    ])
    const tooMuch = (path: string, rule: string) => [
      { path: `/passwordHash${path}`, code: 'hash_too_expensive', message: `takes too long to verify: ${rule}` },
    ]
    assert.deepEqual(
      answers.slice(0, -1).map(({ status, issues }) => [status, issues]),
      [
        ['error', tooMuch('/hash', 'cost must be at most 14')],
        ['error', tooMuch('/params', 'iterations must be at most 2000000')],
        ['created', undefined],
      ],
    )
  })

  // Guards: slow-hashes
  it('make no tenant wait for more than what is under way, however many expensive ones another tenant verifies at once', async () => {
    const [storm, quiet] = [(await createTenant(service)).tenant, (await createTenant(service)).tenant]
    const dear = [...(await importPeople(storm.id, 8, heavy)), ...(await importPeople(storm.id, 20, light))]
    const person = await createUser(service, quiet.id, { password })
    const email = String(person.emailAddresses[0]?.email)
    algorithms.isHeld = true
    algorithms.submitted = 0
    const storming = dear.map((each) => signIn(storm.publicKey, each.email, 'wrong'))
    await algorithms.until(() => algorithms.submitted === dear.length && algorithms.running.length === concurrency)
    const isHeavy = (each: HashParameters) => iterationsOf(each) === heavy
    assert.ok(algorithms.running.filter(({ parameters }) => isHeavy(parameters)).length <= 1)

    const ours = Array.from({ length: 20 }, () => signIn(quiet.publicKey, email, 'wrong'))
    await algorithms.until(() => algorithms.submitted >= dear.length + 4)
    const start = algorithms.started.length
    await algorithms.endOne((each) => iterationsOf(each) === light)
    assert.deepEqual(algorithms.started.slice(start).map(isOwn), [true], 'the first place that is free is ours')

    // One of ours costs a tenth of one of theirs: while four of ours run, at most one of theirs begins.
    let seen = 0
    while (seen < 3) {
      await algorithms.endOne(isOwn)
      seen = algorithms.started.slice(start + 1).filter(isOwn).length
      assert.ok(algorithms.started.length - start - 1 - seen <= 1, JSON.stringify(algorithms.started.slice(start)))
      assert.ok(algorithms.running.filter(({ parameters }) => isHeavy(parameters)).length <= 1)
    }
    algorithms.release()
    await Promise.all([...storming, ...ours])
  })

  // Guards: slow-hashes
  it('are hashed again at the first right password, without ending a session or a sign-in under way', async () => {
    const { tenant } = await createTenant(service)
    const [person] = await importPeople(tenant.id, 1, light)
    assert.ok(person)
    const stored = () =>
      service.deps.db.first<{ kind: string; hash: string; updated_at: string }>(
        sql`SELECT kind, hash, updated_at FROM passwords WHERE tenant_id = ${tenant.id} AND user_id = ${person.id}`,
      )
    const first = await stored()
    assert.equal((await signIn(tenant.publicKey, person.email, 'wrong')).status, 401)
    assert.deepEqual(await stored(), first)
    const browser = new Browser(service, tenant.publicKey)
    await browser.ok('createSignIn', { body: { identifier: person.email, strategy: 'email_password', password } })
    const own = await stored()
    assert.equal(own?.kind, 'own')
    assert.deepEqual(parametersOf(own.hash), { algorithm: 'argon2id', memoryKib: 19_456, passes: 2 })
    assert.equal(own.updated_at, first?.updated_at, 'it is the same password')
    const start = algorithms.started.length
    assert.equal((await signIn(tenant.publicKey, person.email)).status, 200)
    assert.ok(algorithms.started.slice(start).every(isOwn))
    await browser.ok('getProfile')
  })

  // Guards: slow-hashes
  it('let a sign-in continue whose password another sign-in hashes again meanwhile', async () => {
    const { tenant } = await createTenant(service)
    const [person] = await importPeople(tenant.id, 1, light)
    assert.ok(person)
    algorithms.isHeld = true
    algorithms.submitted = 0
    const both = [signIn(tenant.publicKey, person.email), signIn(tenant.publicKey, person.email)]
    await algorithms.until(() => algorithms.submitted === 2 && algorithms.running.length === 2)
    algorithms.release()
    assert.deepEqual(
      (await Promise.all(both)).map(({ status }) => status),
      [200, 200],
    )
  })

  /** A password as it was imported before there was a limit. */
  async function withLegacy() {
    const { tenant } = await createTenant(service)
    const [person] = await importPeople(tenant.id, 1, light)
    assert.ok(person)
    const hash = sealImportedHash(service.deps, tenant.id as TenantId, person.id as UserId, legacy)
    await service.deps.db.write(() => [
      sql`UPDATE passwords SET hash = ${hash} WHERE tenant_id = ${tenant.id} AND user_id = ${person.id}`,
    ])
    return { tenant, person }
  }

  // Guards: slow-hashes
  it('are still verified, one at a time, if they were imported before there was a limit', async () => {
    const all = [await withLegacy(), await withLegacy(), await withLegacy()]
    algorithms.isHeld = true
    algorithms.submitted = 0
    const start = algorithms.started.length
    const answers = all.map(({ tenant, person }) => signIn(tenant.publicKey, person.email))
    await algorithms.until(() => algorithms.submitted === 3)
    for (let n = 1; n <= 3; n++) {
      assert.equal(algorithms.started.length, start + n)
      if (n < 3) await algorithms.endOne()
    }
    algorithms.release()
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200, 200],
    )
  })

  // Guards: slow-hashes
  it('are refused in an archive if they are more expensive than that', async () => {
    const { tenant, person } = await withLegacy()
    const path = await exported(service, tenant.id)
    const target = await newService(service.deps.db.engine)
    const message = `the password of the user ${person.id} takes too long to verify: iterations must be at most 3000000`
    for (const use of [inspected, imported]) await assert.rejects(use(target, path), { name: 'ArchiveError', message })
    assert.equal((await target.call('getTenant', { params: { id: tenant.id } })).status, 404)
    assert.equal((await signIn(tenant.publicKey, person.email)).status, 200)
    assert.deepEqual((await imported(target, await exported(service, tenant.id))).conflicts, [])
  })
})
