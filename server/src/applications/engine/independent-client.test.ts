// The protocols of the authorization server as a library of another author understands them: oauth4webapi checks each answer by its RFC.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as oauth from 'oauth4webapi'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  fetchFrom,
  issuerOf,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

describeService('an independent client', (service) => {
  const sending = () => ({
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (
      url: string,
      { body, headers, method }: { body?: unknown; headers: object; method: string },
    ) =>
      fetchFrom(service())(url, { body: body as URLSearchParams, headers: { ...headers }, method, redirect: 'manual' }),
  })

  const world = async () => {
    const tenant = await tenantWith(service())
    const { id: resourceId, indicator } = await createResource(service(), tenant.id)
    const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
    const application = await createApplication(service(), tenant.id, {
      grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
    })
    const machine = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
    const issuer = new URL(issuerOf(service(), tenant.id))
    const found = await oauth.discoveryRequest(issuer, sending())
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const self: oauth.Client = { client_id: application.clientId }
    const auth = oauth.ClientSecretBasic(application.secret)
    const user = await signedInUser(service(), tenant)
    return { tenant, indicator, application, machine, server, self, auth, user }
  }

  it('pushes a request, gets a code with PKCE and tokens bound to its key, refreshes, introspects and revokes them', async () => {
    const { server, self, auth, user, indicator, tenant, application } = await world()
    const DPoP = oauth.DPoP(self, await oauth.generateKeyPair('ES256'))
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const pushed = await oauth.pushedAuthorizationRequest(
      server,
      self,
      auth,
      new URLSearchParams({
        response_type: 'code',
        redirect_uri: callbackUri,
        scope: 'openid email articles:read',
        resource: indicator,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }),
      { ...sending(), DPoP },
    )
    const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(server, self, pushed)
    const rp = await relyingParty(service(), tenant.id, application)
    const authorization = await beginAuthorization(rp)
    authorization.url.search = new URLSearchParams({ client_id: self.client_id, request_uri: requestUri }).toString()
    const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
    const parameters = oauth.validateAuthResponse(server, self, back, state)
    const answer = await oauth.authorizationCodeGrantRequest(server, self, auth, parameters, callbackUri, verifier, {
      ...sending(),
      DPoP,
      additionalParameters: { resource: indicator },
    })
    const tokens = await oauth.processAuthorizationCodeResponse(server, self, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    assert.equal(tokens.token_type, 'dpop')
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    assert.deepEqual([claims?.sub, claims?.['email']], [user.user.id, user.email])
    await oauth.validateApplicationLevelSignature(server, answer, sending())

    // A resource server checks the token, its key and the proof (RFC 9068, RFC 9449).
    let sent: Request | undefined
    await oauth.protectedResourceRequest(tokens.access_token, 'GET', new URL(indicator), undefined, undefined, {
      DPoP,
      [oauth.customFetch]: (url, { headers, method }) => {
        sent = new Request(url, { headers, method })
        return Promise.resolve(new Response(null, { status: 200 }))
      },
    })
    const checked = await oauth.validateJwtAccessToken(server, sent ?? assert.fail(), indicator, {
      ...sending(),
      requireDPoP: true,
    })
    assert.deepEqual([checked.scope, checked.client_id, checked.sub], ['articles:read', self.client_id, user.user.id])

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      self,
      await oauth.refreshTokenGrantRequest(server, self, auth, tokens.refresh_token ?? '', { ...sending(), DPoP }),
    )
    const info = await oauth.userInfoRequest(server, self, refreshed.access_token, { ...sending(), DPoP })
    assert.equal((await oauth.processUserInfoResponse(server, self, user.user.id, info)).email, user.email)
    const introspected = async (token: string) =>
      oauth.processIntrospectionResponse(
        server,
        self,
        await oauth.introspectionRequest(server, self, auth, token, sending()),
      )
    const token = refreshed.refresh_token ?? ''
    assert.equal((await introspected(token)).active, true)
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, self, auth, token, sending()))
    assert.equal((await introspected(token)).active, false)
  })

  it('gets tokens on its own behalf, and for a device', async () => {
    const { server, self, auth, user, indicator, machine } = await world()
    const own: oauth.Client = { client_id: machine.clientId }
    const parameters = { scope: 'articles:read', resource: indicator }
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      own,
      oauth.ClientSecretBasic(machine.secret),
      parameters,
      sending(),
    )
    const token = await oauth.processClientCredentialsResponse(server, own, answer)
    assert.deepEqual([token.token_type, token.scope], ['bearer', 'articles:read'])

    const begun = await oauth.deviceAuthorizationRequest(server, self, auth, { scope: 'openid email' }, sending())
    const device = await oauth.processDeviceAuthorizationResponse(server, self, begun)
    const body = { userCode: device.user_code }
    const { interaction } = await user.browser.ok<{ interaction: { uid: string } }>('findOAuthDevice', { body })
    await user.browser.ok('consentOAuthInteraction', {
      params: { uid: interaction.uid },
      body: { scopes: ['openid', 'email'] },
    })
    const polled = await oauth.deviceCodeGrantRequest(server, self, auth, device.device_code, sending())
    const tokens = await oauth.processDeviceCodeResponse(server, self, polled)
    assert.equal(oauth.getValidatedIdTokenClaims(tokens)?.sub, user.user.id)
  })
})
