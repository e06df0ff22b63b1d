// An authorization that one node begins is continued by the other at each step: whatever it asks for, no step depends on a node's memory.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as client from 'openid-client'
import { PageBrowser } from '../harness/browser/page-browser.ts'
import { walkAuthorization } from '../harness/people/authorization-walk.ts'
import {
  VisitingBrowser,
  beginAuthorization,
  createApplication,
  relyingParty,
} from '../harness/people/authorization.ts'
import { signedInPerson } from '../harness/people/people.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { TestService } from '../harness/service.ts'
import { type TwoNodes, describeOnTwoNodes } from './two-nodes.ts'

/** Sends each request to the node that has not answered the one before. Counts what it has sent to each. */
function inTurns({ one, other }: TwoNodes, first: number) {
  const counts = [0, 0]
  let sent = first
  const app = new Proxy(one.app, {
    get(target, name) {
      if (name !== 'inject') return Reflect.get(target, name) as unknown
      const turn = sent++ % 2
      counts[turn] = (counts[turn] ?? 0) + 1
      return (turn === 0 ? one : other).app.inject.bind((turn === 0 ? one : other).app)
    },
  })
  return { service: new TestService(app, one.deps), counts }
}

const signIn = ['identifier', 'password']
const cases: [parameters: Record<string, string>, pages: readonly string[]][] = [
  [{}, [...signIn, 'consent']],
  [{ prompt: 'login consent' }, [...signIn, 'consent']],
  [{ prompt: 'consent select_account' }, [...signIn, 'consent']],
  [{ prompt: 'consent', max_age: '0' }, [...signIn, 'consent']],
  [{ prompt: 'consent', acr_values: 'urn:bailiwick:2fa' }, [...signIn, 'second factor', 'consent']],
]

describeOnTwoNodes('an interaction at two nodes', (nodes) => {
  for (const [parameters, pages] of cases) {
    it(`asks for the same whichever node answers: ${JSON.stringify(parameters)}`, async () => {
      const { one } = nodes()
      const tenant = await tenantWith(one)
      const application = await createApplication(one, tenant.id, { isTrusted: false })
      for (const first of [0, 1]) {
        const { service, counts } = inTurns(nodes(), first)
        const person = await signedInPerson(one, tenant)
        const app = parameters['acr_values'] === undefined ? undefined : await person.addApp()
        const walker = {
          service: one,
          browser: new PageBrowser(service, 'localhost'),
          visiting: new VisitingBrowser(service),
          email: person.email,
          recoveryCode: app?.recoveryCodes[0] ?? '',
        }
        const rp = await relyingParty(service, tenant.id, application)
        const authorization = await beginAuthorization(rp, parameters)
        const walk = await walkAuthorization(walker, authorization.url)
        assert.deepEqual([walk.pages, walk.end], [pages, 'code'])
        const tokens = await client.authorizationCodeGrant(rp, walk.back ?? assert.fail(), authorization.checks)
        assert.equal(tokens.claims()?.sub, person.user.id)
        const [least = 0, most = 0] = counts.toSorted((a, b) => a - b)
        assert.ok(least >= 5 && most - least <= 1, `${least} and ${most} requests`)
      }
    })
  }
})
