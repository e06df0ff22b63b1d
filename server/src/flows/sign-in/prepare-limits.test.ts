import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { unique } from '../../../test/harness/factories.ts'
import { describeService, productionEnv } from '../../../test/harness/service.ts'

describeService(
  'POST /sign-ins/{id}/prepare-first-factor in production',
  (service) => {
    const begin = async () => {
      const headers = { host: 'id.example.com' }
      const tenant = await service().ok<{ publicKey: string }>('createTenant', {
        headers,
        body: { name: unique(), environment: 'production' },
      })
      const browser = new Browser(service(), tenant.publicKey, { ...headers, origin: '' })
      delete browser.headers['origin']
      browser.headers['sec-fetch-site'] = 'same-origin'
      const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: {} })
      return { browser, params: { id: signInAttempt.id } }
    }

    it('counts challenges of passkeys separately, and messages together, however they are requested', async () => {
      const { browser, params } = await begin()
      const prepare = (body: object) => browser.call('prepareFirstFactor', { params, body })
      const passkeys = async (count: number) => {
        for (let n = 0; n < count; n++) {
          const { status, text } = await prepare({ strategy: 'security_key' })
          assert.equal(status, 200, text)
        }
      }
      await passkeys(25)
      const sent: (string | undefined)[] = []
      for (let n = 0; n < 22; n++) {
        sent.push((await prepare(n % 2 === 0 ? { strategy: 'email_code' } : {})).body.code)
      }
      assert.ok(!sent.slice(0, 20).includes('rate_limited'), JSON.stringify(sent))
      assert.equal(sent.at(-1), 'rate_limited')
      await passkeys(1)
    })
  },
  productionEnv,
)
