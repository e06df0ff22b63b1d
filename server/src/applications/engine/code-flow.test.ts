// The authorization code flow with an independent client, and its protections.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OAuthInteraction, SignUpAnswer } from '@bailiwick/contract'
import * as client from 'openid-client'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createOrganization, createRole, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  interactionOf,
  issuerOf,
  relyingParty,
  signedOutUri,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const allAtOnce = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

const oauthError = (code: string) => (error: unknown) =>
  error instanceof client.ResponseBodyError && error.error === code

describeService('the authorization code flow', (service) => {
  const world = async (options: Parameters<typeof createApplication>[2] = {}) => {
    const tenant = await tenantWith(service(), { organizationsEnabled: true })
    const application = await createApplication(service(), tenant.id, options)
    const rp = await relyingParty(service(), tenant.id, application)
    const user = await signedInUser(service(), tenant, { name: 'Grace Hopper' })
    return { tenant, application, rp, user, visiting: new VisitingBrowser(service()) }
  }
  type World = Awaited<ReturnType<typeof world>>
  const codeOf = async ({ rp, visiting, user }: World, parameters: Record<string, string> = {}) => {
    const authorization = await beginAuthorization(rp, parameters)
    return { authorization, back: await authorize(visiting, user.browser, authorization) }
  }
  const readTokens = async (of: World, parameters: Record<string, string> = {}) => {
    const { authorization, back } = await codeOf(of, parameters)
    return client.authorizationCodeGrant(of.rp, back, authorization.checks)
  }

  it('signs a user in at a trusted application without a question, and identifies the user', async () => {
    const of = await world()
    const { authorization, back } = await codeOf(of)
    assert.equal(back.searchParams.get('iss'), issuerOf(service(), of.tenant.id))
    const tokens = await client.authorizationCodeGrant(of.rp, back, authorization.checks)
    const claims = tokens.claims()
    assert.deepEqual([claims?.sub, claims?.aud], [of.user.user.id, of.application.clientId])
    assert.deepEqual([claims?.['email'], claims?.['email_verified']], [of.user.email, true])
    assert.equal(typeof claims?.auth_time, 'number')
    const info = await client.fetchUserInfo(of.rp, tokens.access_token, of.user.user.id)
    assert.equal(info.name, 'Grace Hopper')
    // The second time the session of the authorization server answers at once.
    const again = await of.visiting.visit((await beginAuthorization(of.rp, { prompt: 'none' })).url)
    assert.match(String(again.headers['location']), /^https:\/\/app\.example\/callback\?code=/)
    const { authorizations } = await of.user.browser.ok<{ authorizations: object[] }>('listOwnAuthorizations')
    assert.equal(authorizations.length, 1)
    const events = await storedEvents(service(), of.tenant.id, 'application.token_issued')
    assert.deepEqual(
      events.map(({ subject_id: id, actor_type: type, actor_id: actor }) => [id, type, actor]),
      [[of.application.id, 'application', of.application.id]],
    )
  })

  it('reports how a user has signed up', async () => {
    const of = await world()
    const browser = new Browser(service(), of.tenant.publicKey)
    const email = `${unique()}@example.com`
    const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
    const params = { id: signUpAttempt.id }
    await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service().deps, email)
    await browser.ok('attemptVerification', { params, body: { strategy: 'email_code', code } })
    const authorization = await beginAuthorization(of.rp)
    const back = await authorize(of.visiting, browser, authorization)
    const claims = (await client.authorizationCodeGrant(of.rp, back, authorization.checks)).claims()
    assert.deepEqual([claims?.['amr'], claims?.['acr']], [['pwd', 'otp'], 'urn:bailiwick:1fa'])
  })

  it('keeps the organization that the user chose, and asks again once the user has left it', async () => {
    const of = await world({ isTrusted: false })
    const organization = await createOrganization(service(), of.tenant.id)
    const member = { organizationId: organization.id, userId: of.user.user.id }
    const { id } = await service().ok<{ id: string }>('createOrganizationMember', { body: member })
    const consent = { scopes: ['openid'], organizationId: organization.id }
    await authorize(of.visiting, of.user.browser, await beginAuthorization(of.rp, { scope: 'openid' }), consent)
    /** Returns where the browser is sent after a sign-in elsewhere, whose session acts for no organization. */
    const later = async () => {
      const visiting = new VisitingBrowser(service())
      const authorization = await beginAuthorization(of.rp, { scope: 'openid' })
      const begun = await visiting.visit(authorization.url)
      const params = { uid: interactionOf(begun.headers['location']) }
      const { redirectUri } = await of.user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params })
      const address = new URL(String((await visiting.visit(redirectUri)).headers['location']))
      return { authorization, address }
    }
    const { authorization, address } = await later()
    const tokens = await client.authorizationCodeGrant(of.rp, address, authorization.checks)
    assert.equal(tokens.claims()?.['org_id'], organization.id)
    await service().ok('deleteOrganizationMember', { params: { id } })
    const asked = await later()
    assert.match(asked.address.pathname, /\/consent$/)
  })

  it('shows what the user has allowed before for the organization that the application acts for', async () => {
    const of = await world({ isTrusted: false })
    const organization = await createOrganization(service(), of.tenant.id)
    await service().ok('createOrganizationMember', {
      body: { organizationId: organization.id, userId: of.user.user.id },
    })
    const ask = async (scope: string) => {
      const begun = await of.visiting.visit((await beginAuthorization(of.rp, { scope, prompt: 'consent' })).url)
      const params = { uid: interactionOf(begun.headers['location']) }
      return (await of.user.browser.ok<{ interaction: OAuthInteraction }>('getOAuthInteraction', { params }))
        .interaction
    }
    const shown = async () => {
      const { organizationId, scopes } = await ask('openid profile email')
      return [organizationId, ...scopes.filter(({ isGranted }) => isGranted).map(({ name }) => name)]
    }
    const allow = async (scopes: string[], organizationId?: string) => {
      const authorization = await beginAuthorization(of.rp, { scope: scopes.join(' '), prompt: 'consent' })
      const consent = { scopes, ...(organizationId === undefined ? {} : { organizationId }) }
      await authorize(of.visiting, of.user.browser, authorization, consent)
    }
    assert.deepEqual(await shown(), [null])
    await allow(['openid', 'profile'], organization.id)
    assert.deepEqual(await shown(), [organization.id, 'openid', 'profile'])
    await allow(['openid', 'email'])
    assert.deepEqual(await shown(), [null, 'openid', 'email'])
    await of.user.browser.ok('setActiveOrganization', { body: { organizationId: organization.id } })
    assert.deepEqual(await shown(), [organization.id, 'openid', 'profile'])
  })

  it('leaves out how a user has signed in once the record of the sign-in is removed', async () => {
    const of = await world()
    const { db } = service().deps
    await db.write(() => [sql`DELETE FROM sign_in_attempts WHERE tenant_id = ${of.tenant.id}`])
    const claims = (await readTokens(of)).claims()
    assert.deepEqual([claims?.['amr'], claims?.['acr']], [undefined, 'urn:bailiwick:1fa'])
    assert.equal(claims !== undefined && 'amr' in claims, false)
  })

  // Guards: stored-hashes
  it('stores no code, token or cookie, only hashes', async () => {
    const of = await world()
    const { authorization, back } = await codeOf(of)
    const tokens = await client.authorizationCodeGrant(of.rp, back, authorization.checks)
    const secrets = [back.searchParams.get('code') ?? '', tokens.access_token, tokens.refresh_token ?? '']
    for (const { value } of of.visiting.cookies.values()) secrets.push(value)
    assert.ok(secrets.length >= 4 && secrets.every((secret) => secret.length > 20))
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.deepEqual(
      secrets.filter((secret) => stored.includes(secret)),
      [],
    )
  })

  // Guards: stolen-codes
  it('redeems a code for one of twenty concurrent requests, and a second use ends what the first has issued', async () => {
    const of = await world()
    const { authorization, back } = await codeOf(of)
    const results = await allAtOnce(20, () =>
      client.authorizationCodeGrant(of.rp, back, authorization.checks).then(
        (tokens) => tokens,
        (error: unknown) => (oauthError('invalid_grant')(error) ? undefined : Promise.reject(error as Error)),
      ),
    )
    const won = results.filter((each) => each !== undefined)
    assert.equal(won.length, 1)
    await assert.rejects(client.refreshTokenGrant(of.rp, won[0]?.refresh_token ?? ''), oauthError('invalid_grant'))
    const events = await storedEvents(service(), of.tenant.id, 'application.token_reused')
    assert.equal(events.length, 1)
  })

  // Guards: bound-codes
  it('binds a code to its client, its redirect address and its PKCE verifier (CVE-2026-32245)', async () => {
    const of = await world()
    const other = await createApplication(service(), of.tenant.id)
    const otherRp = await relyingParty(service(), of.tenant.id, other)
    const { authorization, back } = await codeOf(of)
    await assert.rejects(
      client.authorizationCodeGrant(otherRp, back, authorization.checks),
      oauthError('invalid_grant'),
    )
    const wrong = { ...authorization.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    await assert.rejects(client.authorizationCodeGrant(of.rp, back, wrong), oauthError('invalid_grant'))
    const elsewhere = new URL(back)
    elsewhere.pathname = '/other'
    await assert.rejects(
      client.authorizationCodeGrant(of.rp, elsewhere, authorization.checks),
      oauthError('invalid_grant'),
    )
    await client.authorizationCodeGrant(of.rp, back, authorization.checks)
  })

  // Guards: bound-codes
  it('requires PKCE with S256 and an exact redirect address', async () => {
    const of = await world()
    const { url } = await beginAuthorization(of.rp)
    const answerTo = async (change: (parameters: URLSearchParams) => void) => {
      const changed = new URL(url)
      change(changed.searchParams)
      return of.visiting.visit(changed)
    }
    const withoutPkce = await answerTo((parameters) => {
      parameters.delete('code_challenge')
      parameters.delete('code_challenge_method')
    })
    assert.match(String(withoutPkce.headers['location']), /error=invalid_request/)
    const plain = await answerTo((parameters) => parameters.set('code_challenge_method', 'plain'))
    assert.match(String(plain.headers['location']), /error=invalid_request/)
    for (const address of [
      `${callbackUri}/`,
      `${callbackUri}?a=1`,
      'https://app.example.evil/callback',
      '//app.example',
    ]) {
      const answer = await answerTo((parameters) => parameters.set('redirect_uri', address))
      assert.equal(answer.statusCode, 400, address)
      assert.equal(answer.headers['location'], undefined)
    }
  })

  // Guards: complete-sign-ins
  it('continues only in the browser that came from the application, with the ticket of the one that signed in', async () => {
    const of = await world()
    const authorization = await beginAuthorization(of.rp)
    const begun = await of.visiting.visit(authorization.url)
    const uid = interactionOf(begun.headers['location'])
    const resume = `${issuerOf(service(), of.tenant.id)}/oauth/authorize/${uid}`
    // A victim who is tricked into signing in for somebody else reveals nothing: the attacker's browser has no ticket ...
    const { redirectUri } = await of.user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', {
      params: { uid },
    })
    assert.equal((await of.visiting.visit(resume)).statusCode, 403)
    assert.equal((await of.visiting.visit(`${resume}?ticket=oi_${'0'.repeat(49)}`)).statusCode, 403)
    // ... and the victim's browser did not come from the application.
    assert.equal((await new VisitingBrowser(service()).visit(redirectUri)).statusCode, 400)
    const back = await of.visiting.visit(redirectUri)
    assert.match(String(back.headers['location']), /^https:\/\/app\.example\/callback\?code=/)
  })

  it('accepts no session of another tenant, and none that acts in a user’s place', async () => {
    const of = await world()
    const begun = await of.visiting.visit((await beginAuthorization(of.rp)).url)
    const params = { uid: interactionOf(begun.headers['location']) }
    const otherTenant = await tenantWith(service())
    const stranger = await signedInUser(service(), otherTenant)
    await stranger.browser.refused('getOAuthInteraction', 'not_found', { params })
    await stranger.browser.refused('loginOAuthInteraction', 'not_found', { params })
    const impersonated = await service().ok<{ sessionToken: string }>('impersonateUser', {
      params: { id: of.user.user.id },
      body: { reason: 'support' },
    })
    const headers = { authorization: `Bearer ${impersonated.sessionToken}` }
    await of.user.browser.refused('loginOAuthInteraction', 'reauthentication_required', { params, headers })
  })

  it('asks for a new sign-in if prompt or max_age requires it', async () => {
    const of = await world()
    const begun = await of.visiting.visit((await beginAuthorization(of.rp, { prompt: 'login' })).url)
    const params = { uid: interactionOf(begun.headers['location']) }
    await of.user.browser.refused('loginOAuthInteraction', 'reauthentication_required', { params })
    const anew = await browserOf(service(), of.tenant, of.user.user.id)
    await anew.browser.ok('loginOAuthInteraction', { params })
  })

  it('asks for consent, gives only what was allowed, and withdraws it', async () => {
    const of = await world({ isTrusted: false })
    const authorization = await beginAuthorization(of.rp, { scope: 'openid profile email' })
    const back = await authorize(of.visiting, of.user.browser, authorization, { scopes: ['openid', 'profile'] })
    const tokens = await client.authorizationCodeGrant(of.rp, back, authorization.checks)
    assert.deepEqual([tokens.claims()?.['name'], tokens.claims()?.['email']], ['Grace Hopper', undefined])
    const { authorizations } = await of.user.browser.ok<{ authorizations: { id: string; scopes: string[] }[] }>(
      'listOwnAuthorizations',
    )
    assert.deepEqual(
      authorizations.map(({ scopes }) => scopes),
      [['openid', 'profile']],
    )
    const stranger = await signedInUser(service(), of.tenant)
    const params = { id: authorizations[0]?.id ?? '' }
    await stranger.browser.refused('deleteOwnAuthorization', 'not_found', { params })
    await of.user.browser.ok('deleteOwnAuthorization', { params })
    await assert.rejects(client.refreshTokenGrant(of.rp, tokens.refresh_token ?? ''), oauthError('invalid_grant'))
    await assert.rejects(client.fetchUserInfo(of.rp, tokens.access_token, of.user.user.id))
  })

  it('tells an application that the user has refused', async () => {
    const of = await world({ isTrusted: false })
    const begun = await of.visiting.visit((await beginAuthorization(of.rp)).url)
    const params = { uid: interactionOf(begun.headers['location']) }
    const { redirectUri } = await of.user.browser.ok<{ redirectUri: string }>('abortOAuthInteraction', { params })
    const back = await of.visiting.visit(redirectUri)
    assert.match(String(back.headers['location']), /error=access_denied/)
  })

  // Guards: organizations-off
  it('issues a token for a resource with the permissions of the role, and for the chosen organization', async () => {
    const of = await world({ isTrusted: false })
    const { indicator } = await createResource(service(), of.tenant.id)
    const organization = await createOrganization(service(), of.tenant.id)
    const role = await createRole(service(), of.tenant.id, { permissions: ['articles:read', 'other'] })
    await service().ok('createOrganizationMember', {
      body: { organizationId: organization.id, userId: of.user.user.id, roleId: role.id },
    })
    const parameters = { scope: 'openid articles:read articles:write', resource: indicator }
    const authorization = await beginAuthorization(of.rp, parameters)
    const back = await authorize(of.visiting, of.user.browser, authorization, {
      scopes: ['openid', 'articles:read', 'articles:write'],
      organizationId: organization.id,
    })
    const tokens = await client.authorizationCodeGrant(of.rp, back, authorization.checks, { resource: indicator })
    const payload = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >
    assert.deepEqual(
      [
        payload['iss'],
        payload['aud'],
        payload['client_id'],
        payload['org_id'],
        payload['permissions'],
        payload['email'],
      ],
      [
        issuerOf(service(), of.tenant.id),
        indicator,
        of.application.clientId,
        organization.id,
        ['articles:read'],
        undefined,
      ],
    )
    assert.equal(tokens.claims()?.['org_id'], organization.id)
    // An organization's permissions end when organizations are switched off (CVE-2026-9791).
    await service().ok('putAuthTenant', { params: { id: of.tenant.id }, body: { organizationsEnabled: false } })
    const later = await client.refreshTokenGrant(of.rp, tokens.refresh_token ?? '', { resource: indicator })
    const after = JSON.parse(Buffer.from(later.access_token.split('.')[1] ?? '', 'base64url').toString()) as object
    assert.equal('org_id' in after, false)
    assert.equal(later.claims()?.['org_id'], undefined)
  })

  it('rotates refresh tokens, repeats a lost answer, and ends the family on reuse', async () => {
    const of = await world()
    const first = await readTokens(of)
    const answers = await allAtOnce(5, () => client.refreshTokenGrant(of.rp, first.refresh_token ?? ''))
    assert.equal(new Set(answers.map((each) => each.refresh_token)).size, 1)
    const second = answers[0]?.refresh_token ?? ''
    assert.notEqual(second, first.refresh_token)
    const again = await client.refreshTokenGrant(of.rp, first.refresh_token ?? '')
    assert.equal(again.refresh_token, second)
    const { db } = service().deps
    await db.write(() => [
      sql`UPDATE oauth_tokens SET consumed_at = ${'2020-01-01T00:00:00.000000Z'}
        WHERE tenant_id = ${of.tenant.id} AND consumed_at IS NOT NULL AND kind = ${'RefreshToken'}`,
    ])
    await assert.rejects(client.refreshTokenGrant(of.rp, first.refresh_token ?? ''), oauthError('invalid_grant'))
    await assert.rejects(client.refreshTokenGrant(of.rp, second), oauthError('invalid_grant'))
  })

  it('ends tokens with the session, except for offline access, which ends with a suspension', async () => {
    const of = await world()
    const bound = await readTokens(of)
    const offline = await readTokens(of, { scope: 'openid offline_access', prompt: 'consent' })
    await of.user.browser.ok('endOwnSessions')
    await assert.rejects(client.refreshTokenGrant(of.rp, bound.refresh_token ?? ''), oauthError('invalid_grant'))
    const silent = await of.visiting.visit((await beginAuthorization(of.rp, { prompt: 'none' })).url)
    assert.match(String(silent.headers['location']), /error=login_required/)
    const kept = await client.refreshTokenGrant(of.rp, offline.refresh_token ?? '')
    await service().ok('suspendUser', { params: { id: of.user.user.id } })
    await assert.rejects(client.refreshTokenGrant(of.rp, kept.refresh_token ?? ''), oauthError('invalid_grant'))
  })

  it('signs out everywhere at the request of the application that signed in', async () => {
    const of = await world()
    const tokens = await readTokens(of)
    const url = client.buildEndSessionUrl(of.rp, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: signedOutUri,
      state: 'bye',
    })
    const page = await of.visiting.visit(url)
    const [, action = ''] = /action="([^"]+)"/.exec(page.body) ?? []
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.body) ?? []
    const done = await of.visiting.send('POST', action, new URLSearchParams({ xsrf, logout: 'yes' }))
    assert.equal(done.headers['location'], `${signedOutUri}?state=bye`)
    await assert.rejects(client.refreshTokenGrant(of.rp, tokens.refresh_token ?? ''), oauthError('invalid_grant'))
    await of.user.browser.refused('getProfile', 'unauthenticated')
  })
})
