// Requests that name the user: by `id_token_hint`, as after a sign-in before, or by the claim `sub`.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as client from 'openid-client'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { type Walker, walkAuthorization } from '../../../test/harness/people/authorization-walk.ts'
import {
  VisitingBrowser,
  beginAuthorization,
  createApplication,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('an authorization for a named account', (service) => {
  /** An application, and two users who have signed in to it, each in a browser of their own. */
  const world = async () => {
    const tenant = await tenantWith(service())
    const rp = await relyingParty(service(), tenant.id, await createApplication(service(), tenant.id))
    const signIn = async () => {
      const { user, email } = await signedInUser(service(), tenant, { password })
      const walker: Walker = {
        service: service(),
        browser: new PageBrowser(service(), 'localhost'),
        visiting: new VisitingBrowser(service()),
        email,
      }
      const { url, checks } = await beginAuthorization(rp)
      const { back } = await walkAuthorization(walker, url)
      const tokens = await client.authorizationCodeGrant(rp, back ?? assert.fail(), checks)
      return { user, email, walker, idToken: tokens.id_token ?? '' }
    }
    return { tenant, rp, ada: await signIn(), ben: await signIn() }
  }

  it('asks for that account although another one is signed in, and says so', async () => {
    const { rp, ada, ben } = await world()
    const { url, checks } = await beginAuthorization(rp, { id_token_hint: ada.idToken })
    const begun = await ben.walker.visiting.visit(url)
    const { pathname, search } = new URL(String(begun.headers['location']))
    const page = await ben.walker.browser.open(pathname + search)
    assert.equal(page.title, 'Sign in')
    assert.match(page.text, /asks for a different account/)
    // The ID token names the address, so that nobody learns it who does not know it.
    assert.equal(page.document.querySelector('[name=identifier]')?.getAttribute('value'), ada.email)
    // Signing in once more as the other user leads nowhere.
    const asBen = await ben.walker.browser.send(
      await ben.walker.browser.send(page, { identifier: ben.email }, { button: 'Continue' }),
      { password },
    )
    assert.match(asBen.text, /asks for a different account/)
    const { pages, end, back } = await walkAuthorization({ ...ben.walker, email: ada.email }, url)
    assert.deepEqual([pages, end], [['identifier', 'password'], 'code'])
    const tokens = await client.authorizationCodeGrant(rp, back ?? assert.fail(), checks)
    assert.equal(tokens.claims()?.sub, ada.user.id)
  })

  it('answers login_required without a page, and where the account is gone', async () => {
    const { rp, ada, ben } = await world()
    const endOf = async (parameters: Record<string, string>) => {
      const { pages, end } = await walkAuthorization(ben.walker, (await beginAuthorization(rp, parameters)).url)
      return [...pages, end]
    }
    assert.deepEqual(await endOf({ id_token_hint: ada.idToken, prompt: 'none' }), ['login_required'])
    assert.deepEqual(await endOf({ id_token_hint: ben.idToken, prompt: 'none' }), ['code'])
    await service().ok('deleteUser', { params: { id: ada.user.id } })
    assert.deepEqual(await endOf({ id_token_hint: ada.idToken }), ['login_required'])
  })
})
