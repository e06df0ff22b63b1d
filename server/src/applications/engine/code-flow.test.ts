// The authorization code flow with an independent client, and what guards it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as client from 'openid-client'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  interactionOf,
  issuerOf,
  relyingParty,
} from '../../../test/harness/applications.ts'
import { describeService } from '../../../test/harness/service.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/signed-in-user.ts'

describeService('the authorization code flow', (service) => {
  const world = async (options: Parameters<typeof createApplication>[2] = {}) => {
    const tenant = await tenantWith(service())
    const application = await createApplication(service(), tenant.id, options)
    const rp = await relyingParty(service(), tenant.id, application)
    const user = await signedInUser(service(), tenant, { name: 'Grace Hopper' })
    return { tenant, application, rp, user, visiting: new VisitingBrowser(service()) }
  }

  it('signs a user in at a trusted application without a question', async () => {
    const { tenant, application, rp, user, visiting } = await world()
    const authorization = await beginAuthorization(rp)
    const back = await authorize(visiting, user.browser, authorization)
    assert.equal(back.searchParams.get('iss'), issuerOf(service(), tenant.id))
    const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks)
    const claims = tokens.claims()
    assert.equal(claims?.sub, user.user.id)
    assert.equal(claims?.aud, application.clientId)
    assert.equal(claims?.['email'], user.email)
    assert.equal(claims?.['email_verified'], true)
    const info = await client.fetchUserInfo(rp, tokens.access_token, user.user.id)
    assert.equal(info.name, 'Grace Hopper')
    // The second time the session of the authorization server answers at once.
    const again = await beginAuthorization(rp, { prompt: 'none' })
    const answer = await visiting.visit(again.url)
    assert.match(String(answer.headers['location']), /^https:\/\/app\.example\/callback\?code=/)
  })
})
