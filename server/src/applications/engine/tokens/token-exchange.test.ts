// Token exchange (RFC 8693) with an independent client.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { tokenExchangeGrant } from '@bailiwick/contract'
import { SignJWT, decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { storedEvents } from '../../../../test/harness/databases/stored.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../../test/harness/service.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { oauthSignersOf } from '../oauth-signers.ts'

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

describeService('token exchange', (service) => {
  const serviceApplication = async (tenantId: string, resourceId: string) => {
    const application = await createApplication(service(), tenantId, {
      type: 'machine',
      grantTypes: ['client_credentials', tokenExchangeGrant],
      machineScopes: [{ resourceId, scopes: ['articles:read'] }],
      exchangeFrom: [resourceId],
      exchangeTo: [resourceId],
    })
    return { ...application, rp: await relyingParty(service(), tenantId, application) }
  }
  const world = async (format: 'jwt' | 'opaque' = 'jwt') => {
    const tenant = await tenantWith(service())
    const shop = await createApplication(service(), tenant.id)
    const rp = await relyingParty(service(), tenant.id, shop)
    const { id: resourceId, indicator } = await createResource(service(), tenant.id, { format })
    const backend = await serviceApplication(tenant.id, resourceId)
    const user = await signedInUser(service(), tenant)
    const signIn = async (scope = 'openid articles:read articles:write') => {
      const authorization = await beginAuthorization(rp, { scope, resource: indicator })
      const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
      return client.authorizationCodeGrant(rp, back, authorization.checks, { resource: indicator })
    }
    return { tenant, shop, rp, resourceId, indicator, backend, user, signIn }
  }
  type World = Awaited<ReturnType<typeof world>>

  const exchange = (by: client.Configuration, subject: string, parameters: Record<string, string> = {}) =>
    client.genericGrantRequest(by, tokenExchangeGrant, {
      subject_token: subject,
      subject_token_type: accessTokenType,
      ...parameters,
    })
  const refused = async (work: Promise<unknown>, code: string, what: string) =>
    assert.rejects(
      work,
      (error: unknown) => error instanceof client.ResponseBodyError && error.error === code,
      `${what} is refused with ${code}`,
    )
  const ownToken = async ({ indicator }: World, { rp }: World['backend']) =>
    (await client.clientCredentialsGrant(rp, { resource: indicator, scope: 'articles:read' })).access_token

  // Guards: exchanged-tokens
  it('gives a service a token of the user, never with more rights or a longer life than the original', async () => {
    const of = await world()
    const { access_token: subject } = await of.signIn()
    const answer = await exchange(of.backend.rp, subject, { scope: 'articles:read' })
    assert.equal(answer['issued_token_type'], accessTokenType)
    const [before, after] = [decodeJwt(subject), decodeJwt(answer.access_token)]
    assert.deepEqual(
      [after.sub, after.aud, after['client_id'], after['scope'], after['act']],
      [of.user.user.id, of.indicator, of.backend.clientId, 'articles:read', undefined],
    )
    assert.ok((after.exp ?? Infinity) <= (before.exp ?? 0))
    assert.equal(answer.refresh_token, undefined)
    const again = await exchange(of.backend.rp, answer.access_token)
    assert.equal(decodeJwt(again.access_token)['scope'], 'articles:read')
    await refused(
      exchange(of.backend.rp, answer.access_token, { scope: 'articles:write' }),
      'invalid_scope',
      'a wider scope',
    )
    const other = await createResource(service(), of.tenant.id, { scopes: ['orders:read'] })
    await refused(exchange(of.backend.rp, subject, { resource: other.indicator }), 'invalid_target', 'another resource')
    const management = new URL('/api/v0', service().deps.config.baseUrl).href
    await refused(
      exchange(of.backend.rp, subject, { resource: management }),
      'invalid_target',
      'the management interface',
    )
    const issued = await storedEvents(service(), of.tenant.id, 'application.token_issued')
    assert.deepEqual(
      issued
        .filter(({ subject_id: id }) => id === of.backend.id)
        .map(({ data }) => [data['grantType'], data['userId'], data['scopes']]),
      [1, 2].map(() => [tokenExchangeGrant, of.user.user.id, ['articles:read']]),
    )
  })

  it('names the actor for the user, and those for whom the actor acted', async () => {
    const of = await world()
    const { access_token: subject } = await of.signIn()
    const actorOf = async (application: World['backend']) => ({
      actor_token: await ownToken(of, application),
      actor_token_type: accessTokenType,
    })
    const first = await exchange(of.backend.rp, subject, await actorOf(of.backend))
    assert.deepEqual(decodeJwt(first.access_token)['act'], { sub: of.backend.clientId })
    const second = await serviceApplication(of.tenant.id, of.resourceId)
    const chained = await exchange(second.rp, first.access_token, await actorOf(second))
    const act = { sub: second.clientId, act: { sub: of.backend.clientId } }
    assert.deepEqual(decodeJwt(chained.access_token)['act'], act)
    await refused(
      exchange(of.backend.rp, subject, await actorOf(second)),
      'invalid_request',
      'the token of another application as that of the actor',
    )
    // Naming no actor does not remove the previous actors.
    const unnamed = await exchange(of.backend.rp, chained.access_token)
    assert.deepEqual(decodeJwt(unnamed.access_token)['act'], act)
  })

  // Guards: exchanged-tokens
  it('is refused for an application without that grant, and for every token that is not valid here and now', async () => {
    const of = await world()
    const tokens = await of.signIn()
    const { access_token: subject } = tokens
    await refused(exchange(of.rp, subject), 'invalid_request', 'an application without the grant')
    const other = await world()
    await refused(exchange(other.backend.rp, subject), 'invalid_request', 'a token of another tenant')
    const { kid, key } = await oauthSignersOf(service().deps).of(of.tenant.id as TenantId)
    const header = { ...decodeProtectedHeader(subject), alg: 'ES256', kid }
    const forged = (change: object, headers: object = {}) =>
      new SignJWT({ ...decodeJwt(subject), ...change }).setProtectedHeader({ ...header, ...headers }).sign(key)
    await exchange(of.backend.rp, await forged({}))
    const wrong = {
      'an expired token': await forged({ exp: Math.floor(Date.now() / 1000) - 60 }),
      'a token of another type': await forged({}, { typ: 'JWT' }),
      'a token of another issuer': await forged({ iss: 'https://elsewhere.example' }),
      'a token without a grant': await forged({ gid: undefined }),
      'a token of another client': await forged({ client_id: of.backend.clientId }),
      'a token that is bound to a key': await forged({ cnf: { jkt: 'A'.repeat(43) } }),
      'a token whose session is unknown': await forged({ sid: 'unknown' }),
      'an ID token': tokens.id_token ?? '',
      'a refresh token': tokens.refresh_token ?? '',
      'a truncated token': subject.slice(0, -1),
      'a token of an application': await ownToken(of, of.backend),
      'no token': 'x',
    }
    for (const [what, given] of Object.entries(wrong)) {
      await refused(exchange(of.backend.rp, given), 'invalid_request', what)
    }
    await client.tokenRevocation(of.rp, tokens.refresh_token ?? '')
    await refused(exchange(of.backend.rp, subject), 'invalid_request', 'a revoked authorization')
  })

  // Guards: exchanged-tokens
  it('ends with the session of the user, and is refused for a user who may not sign in', async () => {
    const of = await world('opaque')
    const { access_token: subject } = await of.signIn()
    const { access_token: exchanged } = await exchange(of.backend.rp, subject, { scope: 'articles:read' })
    const isActive = async (token: string) => (await client.tokenIntrospection(of.rp, token)).active
    assert.deepEqual([await isActive(subject), await isActive(exchanged)], [true, true])
    const jwt = await world()
    const { access_token: bound } = await jwt.signIn()
    await exchange(jwt.backend.rp, bound)
    await Promise.all([of, jwt].map(({ user }) => user.browser.ok('endOwnSessions')))
    assert.deepEqual([await isActive(subject), await isActive(exchanged)], [false, false])
    await refused(exchange(of.backend.rp, exchanged), 'invalid_request', 'an opaque token of an ended session')
    await refused(exchange(jwt.backend.rp, bound), 'invalid_request', 'a JWT of an ended session')
    const suspended = await world()
    const { access_token: last } = await suspended.signIn()
    await service().ok('suspendUser', { params: { id: suspended.user.user.id } })
    await refused(exchange(suspended.backend.rp, last), 'invalid_request', 'a token of a suspended user')
  })
})
