// Back-channel logout: each application that has signed a user in by a session is notified of its end.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { WebhookReceiver, answer } from '../../../test/harness/outside/webhook-receiver.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  issuerOf,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { type SignedInUser, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { untilWaitedFor } from '../../../test/harness/waited-for.ts'
import { cleanUpSessions } from '../../identity/sessions/clean-up.ts'
import { sessionEndedJobKind } from '../../identity/sessions/followers.ts'
import { fromMs } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { createJobRunner } from '../../platform/jobs/runner.ts'
import { logoutHandler } from './back-channel.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const invalidGrant = (error: unknown) => error instanceof client.ResponseBodyError && error.error === 'invalid_grant'

describeService('back-channel logout', (service) => {
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await WebhookReceiver.start()
  })
  after(() => receiver.stop())

  const world = async () => {
    const tenant = await tenantWith(service())
    const [told, silent] = await Promise.all([
      createApplication(service(), tenant.id, { backchannelLogoutUri: `${receiver.url}?of=${tenant.id}` }),
      createApplication(service(), tenant.id),
    ])
    const [rp, silentRp] = await Promise.all([told, silent].map((each) => relyingParty(service(), tenant.id, each)))
    assert.ok(rp !== undefined && silentRp !== undefined)
    return { tenant, told, rp, silentRp }
  }
  type World = Awaited<ReturnType<typeof world>>

  const signedInAt = async (rp: client.Configuration, user: SignedInUser, visiting: VisitingBrowser, scope: string) => {
    const isOffline = scope.includes('offline_access')
    const authorization = await beginAuthorization(rp, { scope, ...(isOffline ? { prompt: 'consent' } : {}) })
    const back = await authorize(visiting, user.browser, authorization, { scopes: scope.split(' ') })
    return client.authorizationCodeGrant(rp, back, authorization.checks)
  }

  /** Runs all due jobs of that kind. */
  const tellAll = async () => {
    const runner = createJobRunner(service().deps, { [sessionEndedJobKind]: logoutHandler(service().deps) })
    while ((await runner.claim()) > 0) await runner.idle()
  }
  const toldOf = ({ tenant }: World) =>
    receiver.received
      .filter(({ url }) => url.endsWith(tenant.id))
      .map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '')

  const ends: Readonly<Record<string, (user: SignedInUser) => Promise<unknown>>> = {
    'the user signs out': ({ browser }) => browser.ok('endOwnSessions'),
    'an administrator ends the session': ({ sessionId }) =>
      service().ok('deleteSession', { params: { id: sessionId } }),
    'the user is suspended': ({ user }) => service().ok('suspendUser', { params: { id: user.id } }),
    'the user is deleted': ({ user }) => service().ok('deleteUser', { params: { id: user.id } }),
    'an administrator changes the password': ({ user }) =>
      service().ok('changeUserPassword', {
        params: { id: user.id },
        body: { password: 'correct horse battery staple' },
      }),
    'the session expires': async ({ sessionId }) => {
      const { deps } = service()
      const past = fromMs(deps.clock.nowMs() - 1000)
      await deps.db.write(() => [sql`UPDATE sessions SET expires_at = ${past} WHERE id = ${sessionId}`])
      while (await cleanUpSessions(deps)) {
        // Other tests of this database may have left more.
      }
    },
  }
  for (const [title, end] of Object.entries(ends)) {
    it(`notifies the application once, and ends its tokens at once, when ${title}`, async () => {
      const of = await world()
      const user = await signedInUser(service(), of.tenant)
      const visiting = new VisitingBrowser(service())
      const tokens = await signedInAt(of.rp, user, visiting, 'openid')
      const offline = await signedInAt(of.rp, user, new VisitingBrowser(service()), 'openid offline_access')
      await signedInAt(of.silentRp, user, visiting, 'openid')
      await tellAll()
      assert.deepEqual(toldOf(of), [])

      await end(user)
      await assert.rejects(client.refreshTokenGrant(of.rp, tokens.refresh_token ?? ''), invalidGrant)
      const silent = await visiting.visit((await beginAuthorization(of.rp, { prompt: 'none' })).url)
      assert.match(String(silent.headers['location']), /error=login_required/)
      const refreshed = client.refreshTokenGrant(of.rp, offline.refresh_token ?? '')
      if (title.includes('suspended') || title.includes('deleted')) await assert.rejects(refreshed, invalidGrant)
      else await refreshed

      await tellAll()
      const keys = await service().request({
        url: new URL(of.rp.serverMetadata().jwks_uri ?? '').pathname,
        headers: { host: 'id.test' },
      })
      const keySet = createLocalJWKSet(JSON.parse(keys.text) as Parameters<typeof createLocalJWKSet>[0])
      const sids = await Promise.all(
        toldOf(of).map(async (token) => {
          const { payload } = await jwtVerify(token, keySet, {
            typ: 'logout+jwt',
            issuer: issuerOf(service(), of.tenant.id),
            audience: of.told.clientId,
            subject: user.user.id,
            requiredClaims: ['iat', 'exp', 'jti'],
          })
          assert.deepEqual(payload['events'], { [logoutEvent]: {} })
          assert.equal('nonce' in payload, false)
          return payload['sid']
        }),
      )
      // Two browsers have continued with the same session, and each has its own name for it.
      const expected = [tokens, offline].map((each) => each.claims()?.['sid'])
      assert.deepEqual([sids.length, new Set(sids)], [2, new Set(expected)])
      const left = await service().deps.db.all(sql`SELECT id FROM jobs WHERE tenant_id = ${of.tenant.id}
        AND kind = ${sessionEndedJobKind}`)
      assert.deepEqual(left, [])
    })
  }

  it('tries again with a new token if the application does not accept one', async () => {
    const of = await world()
    const user = await signedInUser(service(), of.tenant)
    await signedInAt(of.rp, user, new VisitingBrowser(service()), 'openid')
    await user.browser.ok('endOwnSessions')
    receiver.behaviour = answer(503)
    await tellAll()
    receiver.behaviour = answer(204)
    assert.equal(toldOf(of).length, 1)
    const { db, clock } = service().deps
    await db.write(() => [sql`UPDATE jobs SET run_at = ${clock.now()} WHERE tenant_id = ${of.tenant.id}`])
    await tellAll()
    const ids = toldOf(of).map((token) => decodeJwt(token).jti)
    assert.equal(new Set(ids).size, 2)
  })

  it('issues no code for a session that ends at the same moment, so that every application is notified', async () => {
    const of = await world()
    const user = await signedInUser(service(), of.tenant)
    const visiting = new VisitingBrowser(service())
    await signedInAt(of.silentRp, user, visiting, 'openid')
    const { url } = await beginAuthorization(of.rp, { scope: 'openid', prompt: 'none' })
    const { db, clock } = service().deps
    const late = await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE sessions SET ended_at = ${clock.now()} WHERE id = ${user.sessionId}`)
      const visit = visiting.visit(url)
      await untilWaitedFor(tx)
      return { visit }
    })
    const answered = await late.visit
    const { headers } = answered
    // On SQLite the engine may have read the session only after its end.
    if (answered.statusCode === 303) assert.match(String(headers['location']), /error=login_required/)
    else assert.deepEqual([answered.statusCode, headers['location']], [403, undefined])
  })

  it('refuses an address that can never be called', async () => {
    const { tenant } = await world()
    const body = { tenantId: tenant.id, name: 'Shop', type: 'web', redirectUris: ['https://shop.example/callback'] }
    const refused = await service().refused('createApplication', 'validation_failed', {
      body: { ...body, backchannelLogoutUri: 'http://user:pass@shop.example/logout' },
    })
    assert.match(JSON.stringify(refused), /backchannelLogoutUri/)
  })
})
