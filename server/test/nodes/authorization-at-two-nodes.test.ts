// What the authorization server gives once it gives once across all nodes, and what ends there ends everywhere. See docs/security-tests.md
// 2.3.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as client from 'openid-client'
import { paths } from '../../src/applications/engine/paths.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { atOnce } from '../harness/at-once.ts'
import { statusCounts, storedEvents } from '../harness/databases/stored.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  interactionOf,
  issuerOf,
  relyingParty,
} from '../harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import type { TestService } from '../harness/service.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A change is at the other node within a second; a slow machine has half a minute. */
const [triesMax, pauseMs] = [600, 50]

describeOnTwoNodes('the authorization server at two nodes', (nodes) => {
  const world = async (options: { isTrusted?: boolean } = {}) => {
    const { one } = nodes()
    const tenant = await tenantWith(one)
    const application = await createApplication(one, tenant.id, options)
    const rp = await relyingParty(one, tenant.id, application)
    const user = await signedInUser(one, tenant)
    const visiting = new VisitingBrowser(one)
    /** One request for tokens, at that node. */
    const ask = (node: TestService, form: Record<string, string>, by = application) => {
      const { host, pathname } = new URL(issuerOf(node, tenant.id) + paths.token)
      const secret = Buffer.from(`${by.clientId}:${by.secret}`).toString('base64')
      return node.request({
        method: 'POST',
        url: pathname,
        headers: { host, 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${secret}` },
        payload: new URLSearchParams(form).toString(),
      })
    }
    const redemption = async () => {
      const authorization = await beginAuthorization(rp)
      const back = await authorize(visiting, user.browser, authorization)
      return {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: callbackUri,
        code_verifier: authorization.checks.pkceCodeVerifier ?? '',
      }
    }
    const tokens = async () => (await ask(one, await redemption())).body as Tokens
    const refresh = (node: TestService, token: string) =>
      ask(node, { grant_type: 'refresh_token', refresh_token: token })
    return { tenant, application, rp, user, visiting, ask, redemption, tokens, refresh }
  }

  // Guards: stolen-codes
  it('redeems a code once of a hundred requests at once, and ends what it gave because the others had the code', async () => {
    const { tenant, ask, redemption, refresh } = await world()
    const form = await redemption()
    const answers = await atOnce(100, (n) => ask(nodes().inTurn(n), form))
    assert.deepEqual(statusCounts(answers), { 200: 1, 400: 99 })
    const won = answers.find(({ status }) => status === 200)?.body as Tokens
    assert.equal((await refresh(nodes().other, won.refresh_token)).status, 400)
    const { db } = nodes().one.deps
    const left = await db.all(sql`SELECT kind FROM oauth_tokens
      WHERE tenant_id = ${tenant.id} AND kind IN ('AccessToken', 'RefreshToken') LIMIT 10`)
    assert.deepEqual(left, [])
    assert.equal((await storedEvents(nodes().one, tenant.id, 'application.token_issued')).length, 1)
    assert.equal((await storedEvents(nodes().one, tenant.id, 'application.token_reused')).length, 1)
  })

  // Guards: stolen-codes
  it('rotates a refresh token once, answers alike for ten seconds, and then takes it for stolen', async () => {
    const { tenant, ask, tokens, refresh } = await world()
    const first = await tokens()
    nodes().stopClocks()
    const answers = await atOnce(40, (n) => refresh(nodes().inTurn(n), first.refresh_token))
    assert.deepEqual(statusCounts(answers), { 200: 40 })
    const [next = ''] = [...new Set(answers.map(({ body }) => (body as Tokens).refresh_token))]
    assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1)
    // The same moment gives it to no other client.
    const stranger = await createApplication(nodes().one, tenant.id)
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    assert.equal((await ask(nodes().other, form, stranger)).status, 400)
    nodes().advance(9000)
    assert.equal((await refresh(nodes().other, first.refresh_token)).status, 200)
    nodes().advance(2000)
    assert.equal((await refresh(nodes().other, first.refresh_token)).status, 400)
    assert.equal((await refresh(nodes().one, next)).status, 400)
    assert.equal((await storedEvents(nodes().one, tenant.id, 'application.token_reused')).length, 1)
  })

  // Guards: stolen-codes
  it('lets nothing of a family live that is revoked while it is rotated', async () => {
    const { rp, tokens, refresh } = await world()
    for (let round = 0; round < 5; round++) {
      const { refresh_token: token } = await tokens()
      const [rotated] = await Promise.all([
        refresh(nodes().other, token),
        client.tokenRevocation(rp, token, { token_type_hint: 'refresh_token' }),
      ])
      const next = rotated.status === 200 ? (rotated.body as Tokens).refresh_token : token
      for (const node of [nodes().one, nodes().other]) assert.equal((await refresh(node, next)).status, 400)
    }
  })

  // Guards: replaced-secrets
  it('refuses a replaced secret and a deleted application at the node that has not changed them', async () => {
    const { application, ask } = await world()
    /** An authenticated client learns that its token is unknown, anybody else that the client is. */
    const tell = async (node: TestService, secret: string) => {
      const form = { grant_type: 'refresh_token', refresh_token: 'unknown' }
      return ((await ask(node, form, { ...application, secret })).body as { error: string }).error
    }
    const become = async (secret: string, error: string) => {
      for (let tries = 0; (await tell(nodes().other, secret)) !== error; tries++) {
        assert.ok(tries < triesMax, `the other node does not answer ${error}`)
        await sleep(pauseMs)
      }
    }
    for (const node of [nodes().one, nodes().other]) {
      assert.equal(await tell(node, application.secret), 'invalid_grant')
    }
    const params = { id: application.id }
    const body = { graceSeconds: 0 }
    const { clientSecret } = await nodes().one.ok<{ clientSecret: string }>('rotateApplicationSecret', { params, body })
    await become(application.secret, 'invalid_client')
    assert.equal(await tell(nodes().other, clientSecret), 'invalid_grant')
    await nodes().one.ok('deleteApplication', { params })
    await become(clientSecret, 'invalid_client')
  })

  // Guards: revoked-elsewhere
  it('ends with the session, at the node that has not ended it', async () => {
    const { rp, tokens, refresh, user, visiting } = await world()
    const { refresh_token: token, access_token: access } = await tokens()
    await user.browser.ok('endOwnSessions')
    assert.equal((await refresh(nodes().other, token)).status, 400)
    const { host, pathname } = new URL(rp.serverMetadata().userinfo_endpoint ?? '')
    const headers = { host, authorization: `Bearer ${access}` }
    assert.equal((await nodes().other.request({ method: 'GET', url: pathname, headers })).status, 401)
    const silent = new VisitingBrowser(nodes().other)
    for (const [name, cookie] of visiting.cookies) silent.cookies.set(name, cookie)
    const answer = await silent.visit((await beginAuthorization(rp, { prompt: 'none' })).url)
    assert.match(String(answer.headers['location']), /error=login_required/)
  })

  /** Tabs of one user in browsers of their own, signed in and ready to go on. */
  const tabsOf = (
    { rp, user }: Awaited<ReturnType<typeof world>>,
    count: number,
    parametersOf: (n: number) => Record<string, string> = () => ({}),
  ) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const tab = new VisitingBrowser(nodes().inTurn(n))
        const begun = await tab.visit((await beginAuthorization(rp, parametersOf(n))).url)
        const params = { uid: interactionOf(begun.headers['location']) }
        return { tab, ...(await user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params })) }
      }),
    )

  // Guards: whole-exchanges
  it('lets one user begin in several tabs at once', async () => {
    const of = await world()
    const { user } = of
    const tabs = await tabsOf(of, 6)
    await Promise.all(
      tabs.map(async ({ tab, redirectUri }) => {
        const answer = await tab.visit(redirectUri)
        const { location } = answer.headers
        // One that was second begins again.
        const last = location === redirectUri ? await tab.visit(redirectUri) : answer
        assert.match(String(last.headers['location']), /callback\?code=/, last.body)
      }),
    )
    const { authorizations } = await user.browser.ok<{ authorizations: object[] }>('listOwnAuthorizations')
    assert.equal(authorizations.length, 1)
  })

  // Guards: whole-exchanges
  it('lets one user consent in several tabs at once', async () => {
    const of = await world({ isTrusted: false })
    const { user, tenant } = of
    const asked = await Promise.all(
      (await tabsOf(of, 4)).map(async ({ tab, redirectUri }) => {
        const answer = await tab.visit(redirectUri)
        return { tab, uid: interactionOf(answer.headers['location']) }
      }),
    )
    const answers = await atOnce(asked.length, (n) => {
      const body = { scopes: ['openid', 'email'] }
      return browserAt(nodes().inTurn(n), user.browser).call('consentOAuthInteraction', {
        params: { uid: asked[n]?.uid ?? '' },
        body,
      })
    })
    assert.deepEqual(statusCounts(answers), { 200: asked.length })
    assert.equal((await storedEvents(nodes().one, tenant.id, 'grant.created')).length, 1)
  })

  const scopes = ['profile', 'email', 'phone', 'offline_access']
  const allowedScopes = async ({ user }: Awaited<ReturnType<typeof world>>) => {
    const { authorizations } = await user.browser.ok<{ authorizations: { scopes: string[] }[] }>(
      'listOwnAuthorizations',
    )
    return authorizations.map((each) => each.scopes.toSorted())
  }

  // Guards: whole-exchanges
  it('keeps every scope that a user allows in several tabs at once', async () => {
    const of = await world({ isTrusted: false })
    for (let round = 0; round < 3; round++) {
      const asked = await Promise.all(
        (await tabsOf(of, 5, () => ({ scope: ['openid', ...scopes].join(' '), prompt: 'consent' }))).map(
          async ({ tab, redirectUri }) => interactionOf((await tab.visit(redirectUri)).headers['location']),
        ),
      )
      const allow = (n: number, given: readonly string[]) =>
        browserAt(nodes().inTurn(n), of.user.browser).call('consentOAuthInteraction', {
          params: { uid: asked[n] ?? '' },
          body: { scopes: given },
        })
      assert.equal((await allow(4, ['openid'])).status, 200)
      const answers = await atOnce(4, (n) => allow(n, [scopes[n] ?? '']))
      assert.deepEqual(statusCounts(answers), { 200: 4 })
      assert.deepEqual(await allowedScopes(of), [['openid', ...scopes].toSorted()])
      const [grant] = (await of.user.browser.ok<{ authorizations: { id: string }[] }>('listOwnAuthorizations'))
        .authorizations
      await of.user.browser.ok('deleteOwnAuthorization', { params: { id: grant?.id ?? '' } })
    }
  })

  // Guards: whole-exchanges
  it('keeps every scope that a trusted application gets in several tabs at once', async () => {
    const of = await world()
    for (let round = 0; round < 3; round++) {
      // The first tab makes the grant, to which the others add.
      const [first] = await tabsOf(of, 1, () => ({ scope: 'openid' }))
      await first?.tab.visit(first.redirectUri)
      const tabs = await tabsOf(of, 4, (n) => ({ scope: `openid ${scopes[n]}`, prompt: 'consent' }))
      await Promise.all(
        tabs.map(async ({ tab, redirectUri }) => {
          let answer = await tab.visit(redirectUri)
          for (let again = 0; again < 6 && answer.headers['location'] === redirectUri; again++) {
            answer = await tab.visit(redirectUri)
          }
          assert.match(String(answer.headers['location']), /callback\?code=|interaction=/, answer.body)
        }),
      )
      assert.deepEqual(await allowedScopes(of), [['openid', ...scopes].toSorted()])
      const [grant] = (await of.user.browser.ok<{ authorizations: { id: string }[] }>('listOwnAuthorizations'))
        .authorizations
      await of.user.browser.ok('deleteOwnAuthorization', { params: { id: grant?.id ?? '' } })
    }
  })
})
