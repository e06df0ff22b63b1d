import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Passkey, Profile, SignInAnswer } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import {
  type RequestOptions,
  SoftwareAuthenticator,
  flag,
} from '../../../test/harness/browser/software-authenticator.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { unique } from '../../../test/harness/factories.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { type Person, preparePasskey, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'

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

    it('are unknown to a sign-in once they are removed, and not before', async () => {
      const person = await someone()
      const { key, passkey } = await person.addPasskey()
      const readIssues = async () => {
        const { body } = await signInWithPasskey(person.elsewhere(), key)
        return (body as { issues?: { path: string; code: string }[] }).issues?.map(({ path, code }) => [path, code])
      }
      await service.ok('suspendUser', { params: { id: person.user.id } })
      assert.equal(await readIssues(), undefined)
      await service.ok('deleteUserAuthenticator', { params: { userId: person.user.id, id: passkey.id } })
      assert.deepEqual(await readIssues(), [['/credential', 'unknown_passkey']])
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

  // Guards: other-users-records, asvs-revocation
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
})
