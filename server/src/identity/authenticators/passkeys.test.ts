import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Authenticator, Passkey, PasskeySignals, Profile, SignInAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import {
  type CreationOptions,
  type RequestOptions,
  SoftwareAuthenticator,
  flag,
} from '../../../test/harness/browser/software-authenticator.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { type Person, preparePasskey, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const { present, verified, backupEligible, backedUp } = flag

describeOnEachEngine('passkeys', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  let atOneMoment: (work: () => Promise<void>) => Promise<void>
  before(async () => {
    ;({ service, advance, atOneMoment } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const someone = () => signedInPerson(service)
  const neighbourOf = ({ tenantId, publicKey }: Person) => signedInPerson(service, { id: tenantId, publicKey })
  const list = async ({ browser }: Person) => (await browser.ok<{ passkeys: Passkey[] }>('listPasskeys')).passkeys

  describe('being added', () => {
    it('are requested with safe options, and appear in the list and the profile', async () => {
      const person = await someone()
      const options = (await person.passkeyOptions()) as unknown as Record<string, unknown>
      assert.equal((options['rp'] as { id: string }).id, 'localhost')
      assert.equal(options['attestation'], 'none')
      assert.equal(Buffer.from(String(options['challenge']), 'base64url').length, 32)
      assert.deepEqual(
        (options['pubKeyCredParams'] as { alg: number }[]).map(({ alg }) => alg),
        [-8, -7, -257],
      )
      const { key, passkey, recoveryCodes } = await person.addPasskey()
      assert.equal(recoveryCodes?.length, 10, 'a user without recovery codes is given some')
      const [listed] = await list(person)
      assert.equal(listed?.id, passkey.id)
      assert.equal(listed.name, 'Laptop')
      assert.ok(!JSON.stringify(listed).includes(key.credentialId))
      const { user } = await person.browser.ok<{ user: Profile }>('getProfile')
      assert.deepEqual(user.secondFactors, ['security_key'])
      const { excludeCredentials } = (await person.passkeyOptions()) as unknown as {
        excludeCredentials: { id: string }[]
      }
      assert.deepEqual(
        excludeCredentials.map(({ id }) => id),
        [key.credentialId],
      )
      const [event] = await storedEvents(service, person.tenantId, 'authenticator.created')
      assert.deepEqual(event?.data, { userId: person.user.id, kind: 'security_key' })
      const [notice] = await messagesTo(service.deps, person.email)
      assert.equal(notice?.template_type, 'factor-added')
    })

    it('answer a challenge once, within five minutes, in the session it was issued to', async () => {
      const person = await someone()
      const key = new SoftwareAuthenticator()
      const credential = key.create(await person.passkeyOptions())
      const other = person.elsewhere()
      await person.begin(other)
      await other.refused('createPasskey', 'passkey_refused', { body: { credential } })
      advance(5 * 60_000)
      await person.browser.refused('createPasskey', 'passkey_refused', { body: { credential } })
      const body = { credential: key.create(await person.passkeyOptions()) }
      const answers = await atOnce(10, () => person.browser.call('createPasskey', { body }))
      assert.deepEqual(statusCounts(answers), { 200: 1, 400: 9 })
      const later = key.create(await person.passkeyOptions())
      await person.browser.refused('createPasskey', 'passkey_exists', { body: { credential: later } })
      assert.equal((await list(person)).length, 1)
    })

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
        (await list(person)).map(({ provider, backupEligible }) => [provider, backupEligible]),
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
      const after = await signals(again)
      assert.deepEqual([after.offered, after.signals?.allAcceptedCredentialIds], [false, [key.credentialId]])
      assert.deepEqual((await signals((await neighbourOf(person)).browser)).signals?.allAcceptedCredentialIds, [])
      await service.ok('putAuthTenant', { params, body: { strategySecurityKeyEnabled: false } })
      assert.deepEqual(await signals(again), { offered: false, signals: null })
    })

    it('are at most twenty, also where several are added at once', async () => {
      const person = await someone()
      for (let count = 0; count < 18; count++) await person.addPasskey()
      const pages = [person.browser, person.elsewhere(), person.elsewhere()]
      const { recoveryCodes } = await person.browser.ok<{ recoveryCodes: string[] }>('createRecoveryCodes')
      const asked: { browser: Browser; credential: unknown }[] = []
      for (const [n, browser] of pages.entries()) {
        if (n > 0) {
          const { signInAttempt } = await person.begin(browser)
          const body = { strategy: 'authenticator_code', code: recoveryCodes[n] }
          await browser.ok('attemptSecondFactor', { params: { id: signInAttempt.id }, body })
        }
        asked.push({ browser, credential: new SoftwareAuthenticator().create(await person.passkeyOptions(browser)) })
      }
      const answers = await Promise.all(
        asked.map(({ browser, credential }) => browser.call('createPasskey', { body: { credential } })),
      )
      assert.deepEqual(statusCounts(answers), { 200: 2, 409: 1 })
      assert.equal((await list(person)).length, 20)
      await person.browser.refused('createPasskeyOptions', 'passkey_limit_reached')
    })

    it('are refused if the tenant has switched them off, as are their sign-ins', async () => {
      const person = await someone()
      const { key } = await person.addPasskey()
      const browser = person.elsewhere()
      const { id, options } = await preparePasskey(browser)
      const credential = key.create(await person.passkeyOptions())
      const body = { strategySecurityKeyEnabled: false }
      await service.ok('putAuthTenant', { params: { id: person.tenantId }, body })
      await person.browser.refused('createPasskeyOptions', 'strategy_unavailable')
      await person.browser.refused('createPasskey', 'strategy_unavailable', { body: { credential } })
      await browser.refused('attemptFirstFactor', 'strategy_unavailable', {
        params: { id },
        body: { strategy: 'security_key', credential: key.get(options) },
      })
      await browser.refused('createSignIn', 'strategy_unavailable', { body: { strategy: 'security_key' } })
    })
  })

  describe('as the first factor', () => {
    it('sign in without an identifier, and count as two factors', async () => {
      const person = await someone()
      const { key } = await person.addPasskey()
      await person.addApp()
      const browser = person.elsewhere()
      const { status, body } = await signInWithPasskey(browser, key)
      assert.equal(status, 200)
      assert.equal(body.data.session?.userId, person.user.id)
      await browser.ok('getProfile')
      const [passkey] = await list(person)
      assert.notEqual(passkey?.lastUsedAt, null)
    })

    it('are requested in the same way, whoever has the identifier', async () => {
      const person = await someone()
      await person.addPasskey()
      const shapes: unknown[] = []
      for (const identifier of [undefined, person.email, `${unique()}@example.com`]) {
        const { options } = await preparePasskey(person.elsewhere(), identifier === undefined ? {} : { identifier })
        const { challenge, ...rest } = options
        assert.equal(Buffer.from(challenge, 'base64url').length, 32)
        shapes.push(rest)
      }
      assert.deepEqual(shapes[1], shapes[0])
      assert.deepEqual(shapes[2], shapes[0])
      assert.deepEqual((shapes[0] as { allowCredentials: unknown }).allowCredentials, [])
    })

    it('are refused for the identifier of another user, and for an unknown one', async () => {
      const person = await someone()
      const other = await neighbourOf(person)
      const { key } = await person.addPasskey()
      for (const identifier of [other.email, `${unique()}@example.com`]) {
        const browser = person.elsewhere()
        const { id, options } = await preparePasskey(browser, { identifier })
        await browser.refused('attemptFirstFactor', 'factor_refused', {
          params: { id },
          body: { strategy: 'security_key', credential: key.get(options) },
        })
      }
      const browser = person.elsewhere()
      const { id, options } = await preparePasskey(browser, { identifier: person.email })
      await browser.ok('attemptFirstFactor', {
        params: { id },
        body: { strategy: 'security_key', credential: key.get(options) },
      })
    })

    it('are refused for a suspended user, once removed, and at another tenant', async () => {
      const person = await someone()
      const { key, passkey } = await person.addPasskey()
      const elsewhere = await someone()
      assert.equal((await signInWithPasskey(elsewhere.elsewhere(), key)).status, 401)
      await service.ok('suspendUser', { params: { id: person.user.id } })
      assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 401)
      await service.ok('unsuspendUser', { params: { id: person.user.id } })
      const browser = person.elsewhere()
      assert.equal((await signInWithPasskey(browser, key)).status, 200)
      await browser.ok('deletePasskey', { params: { id: passkey.id } })
      assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 401)
    })

    it('sign in their user while others guess at the password', async () => {
      const person = await someone()
      const { key } = await person.addPasskey()
      const guess = { identifier: person.email, strategy: 'email_password', password: 'not the right one' }
      // Otherwise the wait for further guesses could be over.
      await atOneMoment(async () => {
        for (let times = 0; times < 8; times++) await person.elsewhere().call('createSignIn', { body: guess })
        await person.elsewhere().refused('createSignIn', 'too_many_attempts', { body: guess })
        assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 200)
      })
    })

    it('answer their challenge once, within five minutes, in the browser that asked for it', async () => {
      const person = await someone()
      const { key } = await person.addPasskey()
      const browser = person.elsewhere()
      const { id, options } = await preparePasskey(browser)
      const step = { params: { id }, body: { strategy: 'security_key', credential: key.get(options) } }
      await person.elsewhere().refused('attemptFirstFactor', 'not_found', step)
      const answers = await Promise.all(Array.from({ length: 10 }, () => browser.call('attemptFirstFactor', step)))
      assert.equal(statusCounts(answers)[200], 1)
      const late = await preparePasskey(browser)
      advance(5 * 60_000)
      await browser.refused('attemptFirstFactor', 'factor_refused', {
        params: { id: late.id },
        body: { strategy: 'security_key', credential: key.get(late.options) },
      })
    })
  })

  describe('as the second factor', () => {
    it('are required after the password, and no session is opened without them', async () => {
      const person = await someone()
      const { key } = await person.addPasskey(new SoftwareAuthenticator(present))
      const browser = person.elsewhere()
      const { signInAttempt } = await person.begin(browser)
      assert.deepEqual(signInAttempt.supportedSecondFactors, ['authenticator_code', 'security_key'])
      await browser.refused('getProfile', 'unauthenticated')
      const params = { id: signInAttempt.id }
      const data = await browser.ok<SignInAnswer>('prepareSecondFactor', { params, body: { strategy: 'security_key' } })
      const options = data.publicKeyOptions as RequestOptions & { allowCredentials: { id: string }[] }
      assert.deepEqual(
        options.allowCredentials.map(({ id }) => id),
        [key.credentialId],
      )
      const { body } = await browser.call<SignInAnswer>('attemptSecondFactor', {
        params,
        body: { strategy: 'security_key', credential: key.get(options, { userHandle: null }) },
      })
      assert.equal(body.data.signInAttempt.status, 'complete')
      assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 401, 'touching is not enough by itself')
    })

    it('are refused if they belong to another user', async () => {
      const person = await someone()
      const other = await neighbourOf(person)
      await person.addPasskey()
      const { key } = await other.addPasskey()
      const browser = person.elsewhere()
      const { signInAttempt } = await person.begin(browser)
      const params = { id: signInAttempt.id }
      for (const userHandle of [undefined, null]) {
        const body = { strategy: 'security_key' }
        const { publicKeyOptions } = await browser.ok<SignInAnswer>('prepareSecondFactor', { params, body })
        const answer = userHandle === undefined ? {} : { userHandle }
        const credential = key.get(publicKeyOptions as RequestOptions, answer)
        await browser.refused('attemptSecondFactor', 'factor_refused', { params, body: { ...body, credential } })
      }
    })

    it('can be replaced by a recovery code', async () => {
      const person = await someone()
      const { recoveryCodes } = await person.addPasskey()
      const browser = person.elsewhere()
      const { signInAttempt } = await person.begin(browser)
      await browser.ok('attemptSecondFactor', {
        params: { id: signInAttempt.id },
        body: { strategy: 'authenticator_code', code: recoveryCodes?.[0] },
      })
    })

    it('do not answer the challenge of the first factor', async () => {
      const person = await someone()
      const { key } = await person.addPasskey()
      const browser = person.elsewhere()
      const { id, options } = await preparePasskey(browser, { identifier: person.email })
      await browser.ok('prepareFirstFactor', { params: { id }, body: { strategy: 'email_code' } })
      const { code } = await latestMessageTo(service.deps, person.email)
      await browser.ok('attemptFirstFactor', { params: { id }, body: { strategy: 'email_code', code } })
      await browser.refused('attemptSecondFactor', 'factor_refused', {
        params: { id },
        body: { strategy: 'security_key', credential: key.get(options) },
      })
    })
  })

  it('are refused and flagged if their counter goes back', async () => {
    const person = await someone()
    const { key } = await person.addPasskey()
    assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 200)
    const { counter } = key
    assert.equal((await signInWithPasskey(person.elsewhere(), key, { counter })).status, 401)
    assert.equal((await signInWithPasskey(person.elsewhere(), key, { counter: 0 })).status, 401)
    const [passkey] = await list(person)
    assert.notEqual(passkey?.flaggedAt, null)
    assert.equal((await storedEvents(service, person.tenantId, 'authenticator.flagged')).length, 2)
    assert.equal((await signInWithPasskey(person.elsewhere(), key, { counter: counter + 1 })).status, 200)
  })

  it('are accepted without a counter if they never had one', async () => {
    const person = await someone()
    const key = new SoftwareAuthenticator()
    const credential = key.create(await person.passkeyOptions(), { counter: 0 })
    await person.browser.ok('createPasskey', { body: { credential } })
    for (let times = 0; times < 2; times++) {
      assert.equal((await signInWithPasskey(person.elsewhere(), key, { counter: 0 })).status, 200)
    }
  })

  it('say whether they are backed up, and must not change whether they can be', async () => {
    const person = await someone()
    const { key } = await person.addPasskey(new SoftwareAuthenticator(present | verified | backupEligible))
    assert.equal((await list(person))[0]?.backedUp, false)
    assert.equal((await signInWithPasskey(person.elsewhere(), key, { flip: backedUp })).status, 200)
    assert.equal((await list(person))[0]?.backedUp, true)
    assert.equal((await signInWithPasskey(person.elsewhere(), key, { flip: backupEligible })).status, 401)
  })

  // Guards: other-users-records
  it('can be named and removed by their owner alone', async () => {
    const person = await someone()
    const other = await neighbourOf(person)
    const { passkey } = await person.addPasskey()
    const params = { id: passkey.id }
    const elsewhere = await someone()
    for (const { browser } of [other, elsewhere]) {
      await browser.refused('updatePasskey', 'not_found', { params, body: { name: 'Mine' } })
      await browser.refused('deletePasskey', 'not_found', { params })
      assert.deepEqual((await browser.ok<{ passkeys: Passkey[] }>('listPasskeys')).passkeys, [])
    }
    const renamed = await person.browser.ok<{ passkey: Passkey }>('updatePasskey', { params, body: { name: 'Phone' } })
    assert.equal(renamed.passkey.name, 'Phone')
    await person.browser.ok('deletePasskey', { params })
    await person.browser.refused('deletePasskey', 'not_found', { params })
    assert.deepEqual(await list(person), [])
    const { signInAttempt } = await person.begin(person.elsewhere())
    assert.equal(signInAttempt.status, 'complete')
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
    const before = new Browser(service, person.publicKey, { origin: `https://${second}` })
    await person.begin(before)
    const first = await person.passkeyOptions(before)
    assert.equal(first.rp.id, second)
    const old = new SoftwareAuthenticator(present | verified, `https://${second}`)
    await before.ok('createPasskey', { body: { credential: old.create(first), secondFactor: true } })
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
