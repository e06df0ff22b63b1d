// An application that requires a second factor of everybody who signs in to it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { walkAuthorization } from '../../../test/harness/people/authorization-walk.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const twoFactors = 'urn:bailiwick:2fa'

describeService('an application that requires a second factor', (service) => {
  async function world() {
    const tenant = await tenantWith(service())
    const own = await createApplication(service(), tenant.id)
    const body = { requireSecondFactor: true }
    const changed = await service().ok<typeof body>('updateApplication', { params: { id: own.id }, body })
    assert.equal(changed.requireSecondFactor, true)
    const other = await createApplication(service(), tenant.id)
    const party = (application: typeof own) => relyingParty(service(), tenant.id, application)
    return { tenant, strict: await party(own), lenient: await party(other) }
  }

  // Guards: second-factors
  it('asks a user who is signed in without one for it, and says so in the ID token', async () => {
    const { tenant, strict, lenient } = await world()
    const person = await signedInPerson(service(), tenant)
    const { recoveryCodes } = await person.addApp()
    const browser = new PageBrowser(service(), 'localhost')
    const { token } = await openSession(service(), tenant.id, person.user.id)
    browser.cookies.set(`__Host-sid-${tenant.id}`, token)
    const visiting = new VisitingBrowser(service())
    const walker = { service: service(), browser, visiting, email: person.email, recoveryCode: recoveryCodes[0] ?? '' }
    const before = await walkAuthorization(walker, (await beginAuthorization(lenient)).url)
    assert.deepEqual([before.pages, before.end], [[], 'code'])
    const { rp, url, checks } = await beginAuthorization(strict)
    const { pages, end, back } = await walkAuthorization(walker, url)
    assert.deepEqual([pages, end], [['verify', 'second factor'], 'code'])
    const tokens = await client.authorizationCodeGrant(rp, back ?? new URL(url), checks)
    assert.equal(decodeJwt(tokens.id_token ?? '')['acr'], twoFactors)
    const again = await walkAuthorization(walker, (await beginAuthorization(strict)).url)
    assert.deepEqual([again.pages, again.end], [[], 'code'])
  })

  // Guards: second-factors
  it('gets no code for a session without one, whatever the request says', async () => {
    const { tenant, strict } = await world()
    const { browser } = await signedInPerson(service(), tenant)
    for (const parameters of [{}, { acr_values: 'urn:bailiwick:1fa' }, { prompt: 'consent' }]) {
      const begun = await beginAuthorization(strict, parameters)
      await assert.rejects(authorize(new VisitingBrowser(service()), browser, begun), /second_factor_required/)
    }
    const silent = await beginAuthorization(strict, { prompt: 'none' })
    const { headers } = await new VisitingBrowser(service()).visit(silent.url)
    assert.match(String(headers['location']), /error=login_required/)
  })
})
