// Where passkeys work, what is known of them, and whom they are offered.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Authenticator, Passkey, PasskeySignals, Profile } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import {
  type CreationOptions,
  type RequestOptions,
  SoftwareAuthenticator,
  flag,
} from '../../../test/harness/browser/software-authenticator.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { unique } from '../../../test/harness/factories.ts'
import { type Person, preparePasskey, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const { present, verified, backupEligible, backedUp } = flag

describeOnEachEngine('passkeys kept up', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const someone = () => signedInPerson(service)
  const neighbourOf = ({ tenantId, publicKey }: Person) => signedInPerson(service, { id: tenantId, publicKey })
  const list = async ({ browser }: Person) => (await browser.ok<{ passkeys: Passkey[] }>('listPasskeys')).passkeys

  it('say which password manager keeps them, to the user and to administrators', async () => {
    const person = await someone()
    const synced = new SoftwareAuthenticator(present | verified | backupEligible | backedUp)
    const aaguid = 'fbfc3007154e4ecc8c0b6e020557d7bd'
    const credential = synced.create(await person.passkeyOptions(), { aaguid })
    const { passkey } = await person.browser.ok<{ passkey: Passkey }>('createPasskey', { body: { credential } })
    const facts = { provider: 'iCloud Keychain', backupEligible: true, backedUp: true, secondFactor: true }
    assert.deepEqual({ ...passkey, ...facts, name: null }, passkey)
    const unknown = new SoftwareAuthenticator().create(await person.passkeyOptions(), { aaguid: 'ab'.repeat(16) })
    await person.browser.ok('createPasskey', { body: { credential: unknown } })
    assert.deepEqual(
      (await list(person)).map(({ provider, backupEligible: canBeSynced }) => [provider, canBeSynced]),
      [
        ['iCloud Keychain', true],
        [null, false],
      ],
    )
    const params = { id: person.user.id }
    const [known, codes] = await service.ok<Authenticator[]>('listUserAuthenticators', { params })
    assert.deepEqual({ ...known, ...facts }, known)
    assert.equal(codes?.type, 'passkey')
  })

  it('made after a sign-in without asking the user sign in alone, and ask for no second factor', async () => {
    const person = await someone()
    const query = { mediation: 'conditional' }
    const options = async () =>
      (await person.browser.ok<{ publicKeyOptions: CreationOptions }>('createPasskeyOptions', { query }))
        .publicKeyOptions
    const key = new SoftwareAuthenticator(verified)
    const asked = { credential: key.create(await person.passkeyOptions()) }
    await person.browser.refused('createPasskey', 'passkey_refused', { body: asked })
    const other = { credential: key.create(await options()) }
    await person.browser.refused('createPasskey', 'passkey_refused', { body: other })
    const body = { credential: key.create(await options(), { flip: verified }), ...query }
    await person.browser.refused('createPasskey', 'validation_failed', { body: { ...body, secondFactor: true } })
    const added = await person.browser.ok<{ passkey: Passkey; recoveryCodes?: string[] }>('createPasskey', { body })
    assert.deepEqual([added.passkey.secondFactor, added.recoveryCodes], [false, undefined])
    const { user } = await person.browser.ok<{ user: Profile }>('getProfile')
    assert.deepEqual(user.secondFactors, [])
    const { signInAttempt } = await person.begin(person.elsewhere())
    assert.equal(signInAttempt.status, 'complete')
    const browser = person.elsewhere()
    const { id, options: wanted } = await preparePasskey(browser)
    const credential = key.get(wanted, { flip: present })
    await browser.ok('attemptFirstFactor', { params: { id }, body: { strategy: 'security_key', credential } })
  })

  it('are offered after a password alone, and never to somebody who acts as the user', async () => {
    const person = await someone()
    const signals = (browser: Browser) => browser.ok<PasskeySignals>('getPasskeySignals')
    const first = await signals(person.browser)
    assert.deepEqual(
      [first.offered, first.signals?.rpId, first.signals?.allAcceptedCredentialIds, first.signals?.name],
      [true, 'localhost', [], person.email],
    )
    const impersonated = person.elsewhere()
    const proof = { factors: ['email_password'], isTwoFactors: false } as const
    const acting = { reason: 'support', proof }
    const { token } = await openSession(service, person.tenantId, person.user.id, acting)
    impersonated.cookies.set(`__Host-sid-${person.tenantId}`, token)
    assert.deepEqual(await signals(impersonated), { offered: false, signals: null })
    const params = { id: person.tenantId }
    await service.ok('putAuthTenant', { params, body: { offerPasskeys: false } })
    assert.equal((await signals(person.browser)).offered, false)
    await service.ok('putAuthTenant', { params, body: { offerPasskeys: true } })
    advance(10 * 60_000 + 1)
    assert.equal((await signals(person.browser)).offered, false)
    const again = person.elsewhere()
    await person.begin(again)
    assert.equal((await signals(again)).offered, true)
    const key = new SoftwareAuthenticator()
    const body = { credential: key.create(await person.passkeyOptions(again)) }
    await again.ok('createPasskey', { body })
    const then = await signals(again)
    assert.deepEqual([then.offered, then.signals?.allAcceptedCredentialIds], [false, [key.credentialId]])
    assert.deepEqual((await signals((await neighbourOf(person)).browser)).signals?.allAcceptedCredentialIds, [])
    await service.ok('putAuthTenant', { params, body: { strategySecurityKeyEnabled: false } })
    assert.deepEqual(await signals(again), { offered: false, signals: null })
  })

  async function verifiedDomain({ tenantId }: Pick<Person, 'tenantId'>): Promise<string> {
    const name = `${unique()}.example`
    const { id } = await service.ok<{ id: string }>('createDomain', { body: { tenantId, name } })
    await service.deps.db.transaction((tx) => tx.run(sql`UPDATE domains SET verified_at = created_at WHERE id = ${id}`))
    service.deps.tenants.invalidate(tenantId)
    return name
  }

  it("belong to the tenant's own domain if the page is on it", async () => {
    const person = await someone()
    const name = await verifiedDomain(person)
    const origin = `https://app.${name}`
    await service.ok('putAuthTenant', { params: { id: person.tenantId }, body: { homeUri: `${origin}/` } })
    const page = new Browser(service, person.publicKey, { origin })
    await person.begin(page)
    const options = await person.passkeyOptions(page)
    assert.equal(options.rp.id, name)
    const key = new SoftwareAuthenticator(present | verified, origin)
    await page.ok('createPasskey', { body: { credential: key.create(options) } })
    assert.equal((await signInWithPasskey(new Browser(service, person.publicKey, { origin }), key)).status, 200)
    // Neither with an assertion that it would sign elsewhere, nor with one that no authenticator would sign.
    for (const rpId of [name, 'localhost']) {
      assert.equal((await signInWithPasskey(person.elsewhere(), key, { rpId, origin })).status, 401)
    }
  })

  // Guards: passkeys-of-other-origins
  it("work on the domains that share those of the primary one, and on no other tenant's", async () => {
    const person = await someone()
    const name = await verifiedDomain(person)
    const second = await verifiedDomain(person)
    const foreign = await verifiedDomain(await someone())
    const read = async (host: string) => {
      const { statusCode, body } = await service.app.inject({ url: '/.well-known/webauthn', headers: { host } })
      return statusCode === 200 ? (JSON.parse(body) as object) : statusCode
    }
    const earlier = new Browser(service, person.publicKey, { origin: `https://${second}` })
    await person.begin(earlier)
    const first = await person.passkeyOptions(earlier)
    assert.equal(first.rp.id, second)
    const old = new SoftwareAuthenticator(present | verified, `https://${second}`)
    await earlier.ok('createPasskey', { body: { credential: old.create(first), secondFactor: true } })
    assert.equal(await read(name), 404)

    const params = { id: person.tenantId }
    const app = `app.${unique()}.example`
    const body = { passkeyDomains: [second, app, foreign], homeUri: `https://${app}/` }
    await service.ok('putAuthTenant', { params, body })
    assert.deepEqual(await read(name), { origins: [`https://${second}`, `https://${app}`] })
    assert.deepEqual([await read(second), await read(foreign)], [404, 404])

    const page = new Browser(service, person.publicKey, { origin: `https://${app}` })
    const { signInAttempt } = await person.begin(page)
    assert.equal(signInAttempt.status, 'needs_factor_two')
    const onSecond = new Browser(service, person.publicKey, { origin: `https://${second}` })
    const begun = await person.begin(onSecond)
    const step = { params: { id: begun.signInAttempt.id }, body: { strategy: 'security_key' } }
    const { publicKeyOptions } = await onSecond.ok<{ publicKeyOptions: RequestOptions }>('prepareSecondFactor', step)
    assert.equal(publicKeyOptions.rpId, second, 'the passkey from before goes on working')
    const credential = old.get(publicKeyOptions)
    await onSecond.ok('attemptSecondFactor', { ...step, body: { ...step.body, credential } })

    const options = await person.passkeyOptions(onSecond)
    assert.equal(options.rp.id, name)
    const key = new SoftwareAuthenticator(present | verified, `https://${second}`)
    await onSecond.ok('createPasskey', { body: { credential: key.create(options) } })
    for (const [host, status] of [
      [name, 200],
      [app, 200],
      [foreign, 401],
      [`${second}.evil.example`, 401],
    ] as const) {
      const origin = `https://${host}`
      const from = status === 200 ? origin : `https://${name}`
      const browser = new Browser(service, person.publicKey, { origin: from })
      assert.equal((await signInWithPasskey(browser, key, { origin })).status, status, host)
    }
  })

  it('are shared with five names of domains at most, as browsers count them', async () => {
    const { tenantId } = await someone()
    const domains = ['a.example', 'login.a.example', 'a.co.uk', 'b.example', 'c.example', 'd.example', 'e.com.au']
    const params = { id: tenantId }
    await service.ok('putAuthTenant', { params, body: { passkeyDomains: domains } })
    const body = { passkeyDomains: [...domains, 'f.example'] }
    const { issues } = await service.refused('putAuthTenant', 'validation_failed', { params, body })
    const [issue] = issues ?? []
    assert.equal(issue?.path, '/passkeyDomains')
    assert.match(issue.message, /at most 5 names, but these domains have 6: a, b, c, d, e, f/)
  })
})
