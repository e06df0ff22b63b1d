// Test mode as an app's tests use it: fixed codes, the inbox, and a clock that moves what expires in one tenant.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { TenantClock, WebhookDelivery } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { Browser } from '../../test/harness/browser/frontend.ts'
import { fanOutEverything } from '../../test/harness/databases/event-log.ts'
import { storedEvents } from '../../test/harness/databases/stored.ts'
import { createRole, createUser, createWebhook, unique } from '../../test/harness/factories.ts'
import { messagesTo, sendMessages } from '../../test/harness/messages.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  relyingParty,
} from '../../test/harness/people/authorization.ts'
import { password } from '../../test/harness/people/people.ts'
import { signedInUser, tenantWith } from '../../test/harness/people/signed-in-user.ts'
import { type TestTenant, testModeSteps } from '../../test/harness/people/test-mode.ts'
import { describeNodesInTurn } from '../../test/harness/service.ts'
import type { CodePurpose } from '../identity/one-time-codes/one-time-codes.ts'
import { endExpiredRoles } from '../identity/people/user-changes.ts'
import { hasChannel } from '../messaging/notifications/channels/find-channel.ts'
import { emptyInboxes } from '../messaging/notifications/inbox/inbox.ts'
import { takeSendQuota } from '../messaging/notifications/messages/send-quota.ts'
import { deliverHandler } from '../messaging/webhooks/deliver.ts'
import { deliverJobKind } from '../messaging/webhooks/schedule.ts'
import { addMilliseconds, fromMs, toMs, aheadBy } from '../platform/clock.ts'
import { sql } from '../platform/db/sql.ts'
import type { TenantId } from '../platform/ids.ts'
import { createJobRunner } from '../platform/jobs/runner.ts'
import { readClock } from '../tenancy/test-mode/clock.ts'
import { testCode } from '../tenancy/test-mode/test-addresses.ts'
import { isCaught, isInTestMode, msAheadAt } from '../tenancy/test-mode/test-mode.ts'

const day = 24 * 60 * 60
const dayMs = day * 1000
const testAddress = () => `${unique()}+test@example.com`

describeNodesInTurn('test mode', (service) => {
  const { move, inbox, makeProduction, askForCode, signedIn, issued } = testModeSteps(service)
  let tenant: TestTenant
  let other: TestTenant
  before(async () => {
    tenant = await tenantWith(service(), { signUpEnabled: true })
    other = await tenantWith(service())
  })

  it('gives test addresses one code for every purpose, and nothing is sent to them', async () => {
    const channel = await service().ok<{ id: string }>('createChannel', {
      body: {
        tenantId: tenant.id,
        name: 'Mail',
        key: 'mail',
        type: 'email',
        provider: 'webhook',
        enabled: true,
        providerSettings: { url: 'http://127.0.0.1:9/' },
      },
    })
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { emailChannelId: channel.id } })
    const email = testAddress()
    const { enter } = await askForCode(tenant, email)
    await sendMessages(service().deps)
    const [message] = await messagesTo(service().deps, email)
    assert.deepEqual([message?.provider, message?.status, message?.channel_id], ['dev_inbox', 'sent', null])
    assert.equal((await enter(testCode)).status, 200)
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { emailChannelId: null } })
    const purposes: CodePurpose[] = ['sign_in', 'sign_up_email', 'password_reset', 'own_email', 'enrolment', 'setup']
    for (const purpose of purposes) assert.equal(await issued(tenant, testAddress(), purpose), testCode)
    for (const purpose of ['sign_up_phone', 'own_phone', 'second_factor'] as const)
      assert.equal(await issued(tenant, '+12025550123', purpose), testCode)
    assert.match(await issued(tenant, testAddress(), 'sign_in', 'link'), /^\w{20}/)
  })

  // Guards: test-mode
  it('gives no other address that code', async () => {
    const others = [
      'ada@example.com',
      'ada+testimonials@example.com',
      'ada@+test.example.com',
      'test@example.com',
      'test+ada@example.com',
      'ada+test',
      '+12025551123',
      '+442025550123',
      '+120255501234',
    ]
    for (const address of others) assert.notEqual(await issued(tenant, address), testCode, address)
    const { enter } = await askForCode(tenant, `${unique()}@example.com`)
    assert.equal((await enter(testCode)).body.code, 'factor_refused')
  })

  // Guards: test-mode
  it('is effective in no production tenant, nor in that of the console, nor where the deployment forbids it', async () => {
    const at = await tenantWith(service())
    const person = await signedInUser(service(), at)
    await move(at.id, 400 * day)
    assert.equal((await person.browser.call('getProfile')).status, 401)
    await makeProduction(at)
    assert.equal((await person.browser.call('getProfile')).status, 200)
    assert.notEqual(await issued(at, testAddress()), testCode)
    const params = { id: at.id }
    await service().refused('getTenantClock', 'test_mode_unavailable', { params })
    await service().refused('putTenantClock', 'test_mode_unavailable', { params, body: { aheadSeconds: 401 * day } })
    await service().refused('resetTenantClock', 'test_mode_unavailable', { params })
    await service().refused('listInboxMessages', 'test_mode_unavailable', { params })

    const { deps } = service()
    await move(other.id, 1)
    const forbidding = { ...deps, config: { ...deps.config, isTestModeAllowed: false } }
    const id = other.id as TenantId
    assert.deepEqual([await msAheadAt(deps, id), await msAheadAt(forbidding, id)], [1000, 0])
    assert.deepEqual(
      [await isCaught(deps, id, testAddress()), await isCaught(forbidding, id, testAddress())],
      [true, false],
    )
    await assert.rejects(readClock(forbidding, id), { code: 'test_mode_unavailable' })
    await service().ok('resetTenantClock', { params: { id } })

    // Administrators sign in at the console's own tenant, whose environment is that of any new one.
    const row = { environment: 'development', kind: 'console' } as const
    assert.equal(isInTestMode({ isTestModeAllowed: true }, row), false)
  })

  it('lists what was caught, with its code and link, by address and for a day', async () => {
    const at = await tenantWith(service(), { strategyEmailLinkEnabled: true })
    const email = testAddress()
    await askForCode(at, email)
    await askForCode(at, testAddress())
    await sendMessages(service().deps)
    assert.equal((await inbox(at.id)).meta.total, 2)
    const { data } = await inbox(at.id, { to: email })
    assert.deepEqual(
      data.map(({ to, code, purpose, channelType }) => [to, code, purpose, channelType]),
      [[email, testCode, 'sign_in', 'email']],
    )
    assert.match(data[0]?.text ?? '', new RegExp(testCode))
    assert.equal((await inbox(at.id, { perPage: '1' })).data.length, 1)
    const { deps } = service()
    const yesterday = fromMs(Date.now() - dayMs - 60_000)
    await deps.db.write(() => [sql`UPDATE messages SET created_at = ${yesterday} WHERE recipient = ${email}`])
    assert.equal((await inbox(at.id)).meta.total, 1)
    await emptyInboxes({ ...deps, config: { ...deps.config, env: 'production' } })
    assert.deepEqual(
      (await messagesTo(deps, email)).map(({ sealed_content: content }) => content),
      [null],
    )
    assert.notEqual((await inbox(at.id)).data[0]?.code, undefined)
  })

  it('catches what no channel would send, in a production deployment that allows it, and nothing of other tenants', async () => {
    const { deps } = service()
    const config = { ...deps.config, env: 'production' as const }
    const production = { ...deps, config }
    const at = await tenantWith(service())
    const live = await tenantWith(service(), {}, { environment: 'production' })
    const ids = [at.id, live.id].map((id) => id as TenantId)
    assert.deepEqual(await Promise.all(ids.map((id) => hasChannel(production, id, 'sms'))), [true, false])
    const emails = [testAddress(), testAddress()] as const
    await askForCode(at, emails[0])
    await askForCode(live, emails[1])
    await sendMessages(production)
    const statuses = emails.map(async (email) => (await messagesTo(deps, email)).map(({ status }) => status))
    assert.deepEqual(await Promise.all(statuses), [['sent'], ['failed']])
    assert.equal((await inbox(at.id)).data[0]?.code, testCode)
  })

  it('moves the end of sessions, codes and tokens of one tenant alone', async () => {
    const at = await tenantWith(service(), { sessionInactivityTimeoutEnabled: false })
    const person = await signedInUser(service(), at)
    const neighbour = await signedInUser(service(), other)
    const startedAt = Date.now()
    const { now } = await move(at.id, 29 * day)
    assert.ok(Math.abs(toMs(now as never) - startedAt - 29 * dayMs) < dayMs / 2)
    const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
    const { iat = 0, exp = 0 } = decodeJwt(jwt)
    assert.ok(iat * 1000 > startedAt + 28 * dayMs && exp > iat)
    const byJwt = new Browser(service(), at.publicKey, { authorization: `Bearer ${jwt}` })
    assert.equal((await byJwt.call('getProfile')).status, 200)
    const email = testAddress()
    const { enter } = await askForCode(at, email)
    await move(at.id, 30 * day + 60)
    assert.equal((await person.browser.call('getProfile')).status, 401)
    assert.equal((await byJwt.call('getProfile')).status, 401)
    assert.equal((await enter(testCode)).status, 409)
    assert.equal((await neighbour.browser.call('getProfile')).status, 200)
    const again = await signedIn(at)
    assert.equal((await again.browser.call('getProfile')).status, 200)
    // Rows are listed by their real time.
    assert.ok(toMs(again.user.createdAt as never) < Date.now() + dayMs)
  })

  it('only goes forward, ten years at most, with an event for each move', async () => {
    const at = await tenantWith(service())
    const params = { id: at.id }
    await move(at.id, 2 * day)
    const { issues } = await service().refused('putTenantClock', 'validation_failed', {
      params,
      body: { aheadSeconds: day },
    })
    assert.deepEqual(issues, [
      {
        path: '/aheadSeconds',
        code: 'too_small',
        message: 'must be at least 172800: the clock only goes forward',
      },
    ])
    await service().refused('putTenantClock', 'validation_failed', { params, body: { aheadSeconds: 315_576_001 } })
    assert.equal((await move(at.id, 2 * day)).aheadSeconds, 2 * day)
    assert.equal((await service().ok<TenantClock>('getTenantClock', { params })).aheadSeconds, 2 * day)
    const reset = await service().ok<TenantClock>('resetTenantClock', { params })
    assert.ok(reset.aheadSeconds === 0 && toMs(reset.now as never) < Date.now() + dayMs)
    assert.equal((await storedEvents(service(), at.id, 'tenant.clock_moved')).length, 2)
  })

  it('ends lock-outs and limits of attempts', async () => {
    const at = await tenantWith(service())
    const email = `${unique()}@example.com`
    await createUser(service(), at.id, { email, password, emailVerified: true })
    const stranger = new Browser(service(), at.publicKey)
    const attempt = (text: string) =>
      stranger.call('createSignIn', { body: { identifier: email, strategy: 'email_password', password: text } })
    for (let tries = 0; tries < 5; tries++) await attempt('not the right one at all')
    assert.equal((await attempt(password)).body.code, 'too_many_attempts')
    await move(at.id, day)
    assert.equal((await attempt(password)).status, 200)
  })

  // Guards: test-mode
  it("does not get round the limits of the deployment's own channel", async () => {
    const { deps } = service()
    const sent = { tenant_id: tenant.id as TenantId, recipient: `${unique()}@example.com`, purpose: 'sign_in' }
    const sending = {
      ...deps.config.sending,
      perRecipientPerHour: 1,
      perRecipientPerDay: 1,
      perTenantPerDay: 1_000_000,
    }
    const limited = { ...deps, config: { ...deps.config, sending } }
    const take = () => deps.db.transaction((tx) => takeSendQuota(limited, tx, sent))
    const takeAll = async () => {
      for (let tries = 0; tries < 10; tries++) await take()
    }
    await assert.rejects(takeAll(), /limit of messages to this address/)
    await assert.rejects(aheadBy(40 * dayMs, take), /limit of messages to this address/)
  })

  it('expires the tokens of applications, which say the time of the tenant', async () => {
    const at = await tenantWith(service(), {
      sessionMaximumLifetimeEnabled: false,
      sessionInactivityTimeoutEnabled: false,
    })
    await move(at.id, 10 * day)
    const application = await createApplication(service(), at.id)
    const rp = await relyingParty(service(), at.id, application)
    const person = await signedIn(at)
    const begun = await beginAuthorization(rp, { scope: 'openid offline_access', prompt: 'consent' })
    const callback = await authorize(new VisitingBrowser(service()), person.browser, begun)
    // The library goes by the time of this machine.
    Object.assign(rp, { [client.clockSkew]: 10 * day })
    const tokens = await client.authorizationCodeGrant(rp, callback, begun.checks)
    const { iat = 0, exp = 0, auth_time: began = 0 } = decodeJwt<{ auth_time?: number }>(tokens.id_token ?? '')
    const expected = Date.now() / 1000 + 10 * day
    for (const time of [iat, began, exp]) assert.ok(Math.abs(time - expected) < 7200, String(time - expected))
    const userinfo = () => client.fetchUserInfo(rp, tokens.access_token, person.user.id)
    await userinfo()
    await move(at.id, 11 * day)
    await assert.rejects(userinfo())
    const renewed = await client.refreshTokenGrant(rp, tokens.refresh_token ?? '')
    await move(at.id, 400 * day)
    await assert.rejects(client.refreshTokenGrant(rp, renewed.refresh_token ?? ''), { error: 'invalid_grant' })
  })

  it('repeats at once what waited for a time that has come', async () => {
    const { deps } = service()
    const at = await tenantWith(service())
    await sendMessages(deps)
    const { id } = await createWebhook(service(), at.id, { url: 'http://127.0.0.1:9/', events: ['user.created'] })
    await createUser(service(), at.id)
    await fanOutEverything(deps)
    const handlers = { [deliverJobKind]: deliverHandler(deps) }
    const runner = createJobRunner(deps, handlers, { msAheadAt: (tenantId) => msAheadAt(deps, tenantId) })
    const attempts = async () => {
      while ((await runner.claim()) > 0) await runner.idle()
      const { data } = await service().ok<{ data: WebhookDelivery[] }>('listWebhookDeliveries', { params: { id } })
      return data.map((delivery) => delivery.attempts)
    }
    assert.deepEqual([await attempts(), await attempts()], [[1], [1]])
    await move(at.id, 60 * 60)
    assert.deepEqual(await attempts(), [2])
  })

  it('ends roles and memberships by the clock of the tenant, with their events', async () => {
    const { deps } = service()
    const [at, later] = [await tenantWith(service()), await tenantWith(service())]
    const roleExpiresAt = addMilliseconds(deps.clock.now(), 2 * dayMs)
    for (const { id } of [at, later]) {
      const role = await createRole(service(), id)
      await createUser(service(), id, { roleId: role.id, roleExpiresAt })
    }
    await move(at.id, day)
    while (await endExpiredRoles(deps));
    const ended = async ({ id }: TestTenant) => (await storedEvents(service(), id, 'user.role_expired')).length
    assert.deepEqual([await ended(at), await ended(later)], [0, 0])
    await move(at.id, 3 * day)
    while (await endExpiredRoles(deps));
    assert.deepEqual([await ended(at), await ended(later)], [1, 0])
  })

  it('keeps to the time of each tenant where the writes of several are committed together', async () => {
    const { db, clock } = service().deps
    const read = async () => {
      let written = ''
      const [, inBody] = await Promise.all([
        db.write(() => {
          written = clock.now()
          return [sql`UPDATE tenants SET name = name WHERE id = ${tenant.id}`]
        }),
        db.transaction(async (tx) => {
          await tx.first(sql`SELECT id FROM tenants WHERE id = ${tenant.id}`)
          return clock.now()
        }),
      ])
      return [written, inBody]
    }
    const [ahead, present, again] = await Promise.all([aheadBy(dayMs, read), read(), aheadBy(dayMs, read)])
    const middle = addMilliseconds(clock.now(), dayMs / 2)
    for (const time of [...ahead, ...again]) assert.ok(time > middle, time)
    for (const time of present) assert.ok(time < middle, time)
  })
})
