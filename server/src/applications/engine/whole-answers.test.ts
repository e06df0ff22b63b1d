// A request to the authorization server is answered and has its effect, or fails and has none, whichever of its statements fails.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { FailingDatabase } from '../../../test/harness/databases/failing-database.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  issuerOf,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { paths } from './paths.ts'

const changed = ['oauth_tokens', 'oauth_sessions', 'oauth_interactions', 'grants', 'events'] as const

describeOnEachEngine('an exchange whose database fails', (open) => {
  let failing: FailingDatabase
  let service: TestService
  before(async () => {
    failing = new FailingDatabase((await open()).database)
    service = await startTestService(failing.database)
  })
  after(() => service.app.close())

  const readRows = async (table: string) => {
    const rows = await service.deps.db.all(sql`SELECT * FROM ${sql.identifier(table)} LIMIT 1000`)
    // Shards of Citus answer in any order.
    return rows.map((row) => JSON.stringify(row)).toSorted()
  }
  const stored = () => Promise.all(changed.map(readRows))

  // Guards: whole-exchanges
  it('uses up nothing and issues nothing, whichever statement fails', async () => {
    const tenant = await tenantWith(service)
    const application = await createApplication(service, tenant.id)
    const rp = await relyingParty(service, tenant.id, application)
    const user = await signedInUser(service, tenant)
    const authorization = await beginAuthorization(rp)
    const back = await authorize(new VisitingBrowser(service), user.browser, authorization)
    const { host, pathname } = new URL(issuerOf(service, tenant.id) + paths.token)
    const ask = (form: Record<string, string>) =>
      service.request({
        method: 'POST',
        url: pathname,
        headers: {
          host,
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${application.clientId}:${application.secret}`).toString('base64')}`,
        },
        payload: new URLSearchParams(form).toString(),
      })
    const redeemed = await failAtEach({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: callbackUri,
      code_verifier: authorization.checks.pkceCodeVerifier ?? '',
    })
    const { refresh_token: token } = redeemed as { refresh_token: string }
    await failAtEach({ grant_type: 'refresh_token', refresh_token: token })

    /** Fails at the first statement, then at the second, and so on, until there are no more. Returns the answer of success. */
    async function failAtEach(form: Record<string, string>): Promise<unknown> {
      const held = await stored()
      for (let n = 1; ; n++) {
        let answer: { status: number; body: unknown } = { status: 0, body: undefined }
        const statements = await failing.failingAt(n, async () => {
          answer = await ask(form)
        })
        if (statements < n) {
          assert.equal(answer.status, 200)
          assert.ok(n > 3, `only ${n} statements`)
          return answer.body
        }
        assert.equal(answer.status, 500, `statement ${n}`)
        assert.deepEqual(await stored(), held, `statement ${n}`)
      }
    }
  })
})
