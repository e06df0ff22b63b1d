import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Profile, SignInAnswer, UserDataExport } from '@bailiwick/contract'
import { atOnce, workAtOnce } from '../../../test/harness/at-once.ts'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { latestMessageTo, messagesTo } from '../../../test/harness/messages.ts'
import { type Person, password, signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession, startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { takeCodeQuota, useAuthenticatorCode } from './authenticator-codes.ts'
import { loadTotp } from './totp.ts'

const minuteMs = 60_000
const nobody = { type: 'system', id: null, ip: null, ua: null } as const

describeOnEachEngine('authenticator apps', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  let atOneMoment: (work: () => Promise<void>) => Promise<void>
  before(async () => {
    ;({ service, advance, atOneMoment } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const someone = () => signedInPerson(service)
  const toSecondFactor = async (person: Person, browser: Browser = person.elsewhere()) => {
    const { signInAttempt } = await person.begin(browser)
    assert.equal(signInAttempt.status, 'needs_factor_two')
    return {
      browser,
      step: (code: string) => ({
        params: { id: signInAttempt.id },
        body: { strategy: 'authenticator_code', code },
      }),
    }
  }
  /** Judges fifty uses at once, without the limit on guesses. */
  const timesTaken = async ({ tenantId, user }: Person, code: string) => {
    const owner = { tenantId: tenantId as TenantId, userId: user.id as UserId, actor: nobody }
    const { deps } = service
    const totp = await loadTotp()
    const taken = await workAtOnce(50, () =>
      deps.db.transaction((tx) => useAuthenticatorCode(deps, tx, totp, owner, code)),
    )
    return taken.filter(Boolean).length
  }
  const factorsOf = async ({ browser }: Person) =>
    (await browser.ok<{ user: Profile }>('getProfile')).user.secondFactors

  describe('being set up', () => {
    it('requires a code of the new secret, and then one at each sign-in', async () => {
      const person = await someone()
      assert.deepEqual(await factorsOf(person), [])
      const { secret, uri } = await person.browser.ok<{ secret: string; uri: string }>('createAuthenticatorCode')
      assert.equal(new URL(uri).searchParams.get('secret'), secret)
      assert.deepEqual(await factorsOf(person), [], 'it takes effect once it is confirmed')
      const wrong = person.codeOf(secret, 5)
      await person.browser.refused('confirmAuthenticatorCode', 'factor_refused', { body: { code: wrong } })
      const code = person.codeOf(secret)
      const { recoveryCodes } = await person.browser.ok<{ recoveryCodes: string[] }>('confirmAuthenticatorCode', {
        body: { code },
      })
      assert.equal(new Set(recoveryCodes).size, 10)
      assert.deepEqual(await factorsOf(person), ['authenticator_code'])
      const { browser, step } = await toSecondFactor(person)
      await browser.refused('getProfile', 'unauthenticated')
      await browser.refused('attemptSecondFactor', 'factor_refused', step(code))
      advance(30_000)
      const data = await browser.ok<SignInAnswer>('attemptSecondFactor', step(person.codeOf(secret)))
      assert.equal(data.signInAttempt.status, 'complete')
      await browser.ok('getProfile')
    })

    it('is refused in a session that began eleven minutes ago, and in one that impersonates the user', async () => {
      const person = await someone()
      const { tenantId, user } = person
      const { token } = await openSession(service, tenantId, user.id, { actor: nobody, reason: 'to help' })
      const headers = { authorization: `Bearer ${token}` }
      await person.elsewhere().refused('createAuthenticatorCode', 'reauthentication_required', { headers })
      await person.elsewhere().refused('createPasskeyOptions', 'reauthentication_required', { headers })
      await person.addApp()
      advance(11 * minuteMs)
      const { browser } = person
      const stale = [
        'createAuthenticatorCode',
        'deleteAuthenticatorCode',
        'createRecoveryCodes',
        'createPasskeyOptions',
        'deletePasskey',
      ] as const
      for (const id of stale) await browser.refused(id, 'reauthentication_required')
      assert.deepEqual(await factorsOf(person), ['authenticator_code'])
    })

    it('is confirmed in the session that began it, within ten minutes', async () => {
      const person = await someone()
      const { secret } = await person.browser.ok<{ secret: string }>('createAuthenticatorCode')
      const other = person.elsewhere()
      await person.begin(other)
      const confirm = () => ({ body: { code: person.codeOf(secret) } })
      await other.refused('confirmAuthenticatorCode', 'attempt_not_open', confirm())
      advance(11 * minuteMs)
      await person.browser.refused('confirmAuthenticatorCode', 'attempt_not_open', confirm())
      assert.deepEqual(await factorsOf(person), [])
    })

    it('keeps the current app until the next one is confirmed', async () => {
      const person = await someone()
      const first = await person.addApp()
      advance(30_000)
      const { secret } = await person.browser.ok<{ secret: string }>('createAuthenticatorCode')
      const one = await toSecondFactor(person)
      await one.browser.refused('attemptSecondFactor', 'factor_refused', one.step(person.codeOf(secret)))
      await one.browser.ok('attemptSecondFactor', one.step(person.codeOf(first.secret)))
      await person.browser.ok('confirmAuthenticatorCode', { body: { code: person.codeOf(secret) } })
      advance(30_000)
      const two = await toSecondFactor(person)
      await two.browser.refused('attemptSecondFactor', 'factor_refused', two.step(person.codeOf(first.secret)))
      await two.browser.refused('attemptSecondFactor', 'factor_refused', two.step(first.recoveryCodes[0] ?? ''))
      await two.browser.ok('attemptSecondFactor', two.step(person.codeOf(secret)))
    })

    it('is refused if the tenant has switched it off, as are its codes', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      advance(30_000)
      const { browser, step } = await toSecondFactor(person)
      const body = { strategyAuthenticatorCodeEnabled: false }
      await service.ok('putAuthTenant', { params: { id: person.tenantId }, body })
      await browser.refused('attemptSecondFactor', 'strategy_unavailable', step(person.codeOf(secret)))
      await person.browser.refused('createAuthenticatorCode', 'strategy_unavailable')
      await person.browser.refused('confirmAuthenticatorCode', 'strategy_unavailable', { body: { code: '123456' } })
      assert.equal((await person.begin(person.elsewhere())).signInAttempt.status, 'complete')
    })
  })

  describe('a code', () => {
    // Guards: authenticator-codes, asvs-used-once
    it('is accepted once, however often it is given at once', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      advance(30_000)
      assert.equal(await timesTaken(person, person.codeOf(secret)), 1)
    })

    // Guards: authenticator-codes
    it('signs in once, also in two sign-ins at once', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      advance(30_000)
      const flows = [await toSecondFactor(person), await toSecondFactor(person)]
      const code = person.codeOf(secret)
      const answers = await atOnce(50, (n) => {
        const { browser, step } = flows[n % flows.length] as (typeof flows)[number]
        return browser.call('attemptSecondFactor', step(code))
      })
      assert.equal(statusCounts(answers)[200], 1)
    })

    // Guards: authenticator-codes
    it('is not accepted again in the next step, nor is one of a step before the last accepted one', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      advance(60_000)
      const [earlier, now] = [person.codeOf(secret, -1), person.codeOf(secret)]
      const one = await toSecondFactor(person)
      await one.browser.ok('attemptSecondFactor', one.step(now))
      const two = await toSecondFactor(person)
      await two.browser.refused('attemptSecondFactor', 'factor_refused', two.step(now))
      await two.browser.refused('attemptSecondFactor', 'factor_refused', two.step(earlier))
      advance(30_000)
      await two.browser.refused('attemptSecondFactor', 'factor_refused', two.step(now))
      await two.browser.ok('attemptSecondFactor', two.step(person.codeOf(secret)))
    })

    it('is still accepted in the step after its own, because typing takes time', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      advance(60_000)
      const { browser, step } = await toSecondFactor(person)
      // Otherwise the next step could begin between a code and its use.
      await atOneMoment(async () => {
        await browser.refused('attemptSecondFactor', 'factor_refused', step(person.codeOf(secret, -2)))
        await browser.refused('attemptSecondFactor', 'factor_refused', step(person.codeOf(secret, 1)))
        await browser.ok('attemptSecondFactor', step(person.codeOf(secret, -1)))
      })
    })

    it('can be given five times in five minutes, right or wrong, in production', async () => {
      const { tenantId, user } = await someone()
      const { deps } = service
      const production = { ...deps, config: { ...deps.config, env: 'production' as const } }
      const take = () => takeCodeQuota(production, tenantId as TenantId, user.id)
      for (let times = 0; times < 5; times++) await take()
      await assert.rejects(take, { code: 'too_many_attempts' })
      advance(5 * minuteMs + 1)
      await take()
    })

    it('is no longer judged after five wrong ones in a row', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      const { browser, step } = await toSecondFactor(person)
      const wrong = step(person.codeOf(secret, 7))
      // Otherwise the wait for further guesses could be over.
      await atOneMoment(async () => {
        const answers = await atOnce(20, () => browser.call('attemptSecondFactor', wrong))
        const judged = statusCounts(answers)[401] ?? 0
        assert.ok(judged > 0 && judged <= 5, `${judged} guesses were judged`)
        await browser.refused('attemptSecondFactor', 'too_many_attempts', step(person.codeOf(secret)))
      })
    })

    // Guards: counted-guesses
    it('does not become guessable by proving the password again and again', async () => {
      const person = await someone()
      const { secret } = await person.addApp()
      advance(30_000)
      const wrong = person.codeOf(secret, 7)
      let judged = 0
      for (let times = 0; times < 8; times++) {
        const browser = person.elsewhere()
        const begun = await browser.call<SignInAnswer>('createSignIn', {
          body: { identifier: person.email, strategy: 'email_password', password },
        })
        if (begun.status !== 200) continue
        const { status } = await browser.call('attemptSecondFactor', {
          params: { id: begun.body.data.signInAttempt.id },
          body: { strategy: 'authenticator_code', code: wrong },
        })
        if (status === 401) judged++
      }
      assert.ok(judged > 0 && judged <= 5, `${judged} guesses were judged`)
    })
  })

  describe('a recovery code', () => {
    it('is accepted once in place of a code, however often it is given at once', async () => {
      const person = await someone()
      const { recoveryCodes } = await person.addApp()
      const { browser, step } = await toSecondFactor(person)
      const [one = '', two = ''] = recoveryCodes
      assert.equal(await timesTaken(person, one), 1)
      await browser.refused('attemptSecondFactor', 'factor_refused', step(one))
      await browser.ok('attemptSecondFactor', step(two.toUpperCase().replaceAll('-', ' ')))
      const [, used, another] = await storedEvents(service, person.tenantId, 'recovery_codes.used')
      assert.deepEqual(used?.data, { left: 8 })
      assert.equal(another, undefined)
      const [notice] = await messagesTo(service.deps, person.email)
      assert.equal(notice?.template_type, 'recovery-code-used')
    })

    it('is refused for another user', async () => {
      const tenant = await someone()
      const other = await signedInPerson(service, { id: tenant.tenantId, publicKey: tenant.publicKey })
      const { recoveryCodes } = await tenant.addApp()
      await other.addApp()
      const { browser, step } = await toSecondFactor(other)
      await browser.refused('attemptSecondFactor', 'factor_refused', step(recoveryCodes[0] ?? ''))
    })

    it('is replaced by new ones, which exist only with a second factor', async () => {
      const person = await someone()
      await person.browser.refused('createRecoveryCodes', 'second_factor_missing')
      const { recoveryCodes: old } = await person.addApp()
      const { recoveryCodes } = await person.browser.ok<{ recoveryCodes: string[] }>('createRecoveryCodes')
      const { browser, step } = await toSecondFactor(person)
      await browser.refused('attemptSecondFactor', 'factor_refused', step(old[0] ?? ''))
      await browser.ok('attemptSecondFactor', step(recoveryCodes[0] ?? ''))
    })
  })

  it('asks for the second factor, whatever the first one was', async () => {
    const person = await someone()
    await person.addApp()
    const page = 'http://localhost:3000/in'
    const body = { strategyEmailLinkEnabled: true, redirectUris: [page] }
    await service.ok('putAuthTenant', { params: { id: person.tenantId }, body })
    const byCode = person.elsewhere()
    const { signInAttempt } = await byCode.ok<SignInAnswer>('createSignIn', {
      body: { identifier: person.email, strategy: 'email_code' },
    })
    const { code } = await latestMessageTo(service.deps, person.email)
    const coded = await byCode.ok<SignInAnswer>('attemptFirstFactor', {
      params: { id: signInAttempt.id },
      body: { strategy: 'email_code', code },
    })
    advance(minuteMs)
    const byLink = person.elsewhere()
    const begun = await byLink.ok<SignInAnswer>('createSignIn', {
      body: { identifier: person.email, strategy: 'email_link', redirectUri: page },
    })
    const { link } = await latestMessageTo(service.deps, person.email)
    const linked = await byLink.ok<SignInAnswer>('attemptFirstFactor', {
      params: { id: begun.signInAttempt.id },
      body: { strategy: 'email_link', code: new URL(link ?? '').hash.replace('#token=', '') },
    })
    for (const [browser, answer] of [
      [byCode, coded],
      [byLink, linked],
    ] as const) {
      assert.equal(answer.signInAttempt.status, 'needs_factor_two')
      assert.deepEqual(answer.signInAttempt.supportedSecondFactors, ['authenticator_code'])
      assert.equal(answer.session, undefined)
      await browser.refused('getProfile', 'unauthenticated')
    }
  })

  // Guards: asvs-notices
  it('are removed with their recovery codes, and a mail says so', async () => {
    const person = await someone()
    await person.addApp()
    assert.deepEqual(await factorsOf(person), ['authenticator_code'])
    await person.browser.ok('deleteAuthenticatorCode')
    await person.browser.refused('deleteAuthenticatorCode', 'not_found')
    assert.deepEqual(await factorsOf(person), [])
    assert.equal((await person.begin(person.elsewhere())).signInAttempt.status, 'complete')
    const rows = await service.deps.db.all(sql`SELECT 1 FROM recovery_codes WHERE user_id = ${person.user.id}`)
    assert.deepEqual(rows, [])
    const types = (await storedEvents(service, person.tenantId)).map(({ type }) => type)
    assert.deepEqual(
      types.filter((type) => /^(authenticator|recovery)/.test(type)),
      ['authenticator.created', 'recovery_codes.created', 'authenticator.deleted'],
    )
    const notices = await messagesTo(service.deps, person.email)
    assert.deepEqual(
      notices.map(({ template_type: type }) => type),
      ['factor-removed', 'factor-added'],
    )
  })

  // Guards: asvs-stored-secrets
  it('are stored in a form that is useless to a thief, exported without secrets, and erased with the user', async () => {
    const person = await someone()
    const { secret, recoveryCodes } = await person.addApp()
    const params = { id: person.user.id }
    const data = await service.ok<UserDataExport>('exportUserData', { params })
    assert.deepEqual(
      data.authenticators.map(({ kind, left }) => [kind, left]),
      [
        ['authenticator_code', undefined],
        ['recovery_codes', 10],
      ],
    )
    const stored = JSON.stringify(await dumpTables(service.deps.db))
    const plain = recoveryCodes.map((code) => code.replaceAll('-', ''))
    for (const text of [stored, JSON.stringify(data)]) {
      for (const hint of [secret, ...recoveryCodes, ...plain]) assert.ok(!text.includes(hint))
    }
    await service.ok('deleteUser', { params })
    const left = await dumpTables(service.deps.db)
    for (const table of ['authenticator_codes', 'recovery_codes', 'passkeys', 'passkey_challenges']) {
      assert.ok(!left[table]?.some((row) => row.includes(person.user.id)), table)
    }
  })
})
