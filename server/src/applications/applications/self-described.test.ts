// Clients that describe themselves in a document count among a tenant's applications once a user has allowed them something.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atOnce } from '../../../test/harness/at-once.ts'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { pagePerson } from '../../../test/harness/browser/page-person.ts'
import { statusCounts, storedCounter, storedEvents } from '../../../test/harness/databases/stored.ts'
import { servedDocuments } from '../../../test/harness/outside/self-described.ts'
import {
  VisitingBrowser,
  callbackUri,
  interactionOf,
  issuerOf,
  setOAuthSettings,
} from '../../../test/harness/people/authorization.ts'
import { password } from '../../../test/harness/people/people.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeServiceWith } from '../../../test/harness/service.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { TenantId } from '../../platform/ids.ts'
import { applicationsMax } from './queries.ts'

describeServiceWith(
  'a client that describes itself',
  ({ egress }) => ({ egress: { ...egress, ...servedDocuments() } }),
  (service) => {
    const addressOf = (tenantId: string, clientId: string) =>
      `${issuerOf(service(), tenantId)}/oauth/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: callbackUri,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }).toString()}`
    const leaveRoomFor = async (tenantId: string, count: number) => {
      const { db } = service().deps
      await db.transaction((tx) =>
        tx.run(addToCounters(tx, tenantId as TenantId, { applications: applicationsMax - count })),
      )
    }

    // Guards: whole-exchanges
    it('is refused when the tenant has 200 applications, however many are allowed at once', async () => {
      const tenant = await tenantWith(service())
      await setOAuthSettings(service(), tenant.id, { metadata_documents_enabled: 1 })
      const user = await signedInUser(service(), tenant)
      const asked = async (clientId: string) => {
        const visiting = new VisitingBrowser(service())
        const begun = await visiting.visit(addressOf(tenant.id, clientId))
        const params = { uid: interactionOf(begun.headers['location']) }
        const { redirectUri } = await user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params })
        return interactionOf((await visiting.visit(redirectUri)).headers['location'])
      }
      // Four clients, the last of which is requested in two tabs.
      const names = ['a', 'b', 'c', 'd', 'd']
      const uids = await Promise.all(names.map((name) => asked(`https://${name}.example/client.json`)))
      await leaveRoomFor(tenant.id, 2)
      const { browser } = await browserOf(service(), tenant, user.user.id)
      const answers = await atOnce(uids.length, (n) =>
        browser.call('consentOAuthInteraction', { params: { uid: uids[n] ?? '' }, body: { scopes: ['openid'] } }),
      )
      assert.equal(await storedCounter(service(), tenant.id, 'applications'), applicationsMax)
      assert.equal((await storedEvents(service(), tenant.id, 'application.created')).length, 2)
      assert.equal((await storedEvents(service(), tenant.id, 'grant.created')).length, 2)
      const { 200: allowed = 0, 409: refused = 0 } = statusCounts(answers)
      // Either both tabs of that client continue, or neither does.
      assert.ok(allowed + refused === 5 && (allowed === 2 || allowed === 3), JSON.stringify(statusCounts(answers)))
      const codes = answers.filter(({ status }) => status === 409).map(({ body }) => (body as { code: string }).code)
      assert.deepEqual(new Set(codes), new Set(['application_limit_reached']))
    })

    it('leaves the question on the page, with the reason', async () => {
      const { tenant, email } = await pagePerson(service(), { user: { password } })
      await setOAuthSettings(service(), tenant.id, { metadata_documents_enabled: 1 })
      await leaveRoomFor(tenant.id, 0)
      const visiting = new VisitingBrowser(service())
      const html = { accept: 'text/html' }
      const begun = await visiting.visit(addressOf(tenant.id, 'https://full.example/client.json'), html)
      const pathOf = (location: unknown) => new URL(String(location)).pathname + new URL(String(location)).search
      const browser = new PageBrowser(service(), 'localhost')
      const start = await browser.open(pathOf(begun.headers['location']))
      const next = await browser.send(start, { identifier: email }, { button: 'Continue' })
      const left = await browser.send(next, { password }, { button: 'Sign in' })
      const address = String(left.headers['refresh']).replace('0;url=', '')
      const question = await browser.open(pathOf((await visiting.visit(address, html)).headers['location']))
      const refused = await browser.send(question, {}, { button: 'Allow' })
      assert.deepEqual([refused.status, refused.title], [422, 'Notes asks for access'])
      assert.match(refused.text, /No further application can be added here/)
    })
  },
)
