// How often somebody may press a button, in production: the pages count against the limits of the frontend interface, and report them as
// pages.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { PageBrowser, type Shown } from '../../test/harness/browser/page-browser.ts'
import { describeOnOneEngine } from '../../test/harness/databases/on-one-engine.ts'
import { unique } from '../../test/harness/factories.ts'
import { type TestService, operatorKey, productionEnv, startTestService } from '../../test/harness/service.ts'
import { createClock } from '../platform/clock.ts'

const host = 'id.example.com'

describeOnOneEngine('the limits of the hosted pages', (open) => {
  let service: TestService
  let at: string
  let tenantId: string
  before(async () => {
    const startedAt = Date.now()
    // The clock stands still, so that no budget is refilled meanwhile.
    const clock = createClock(() => startedAt)
    service = await startTestService((await open()).database, productionEnv, () => ({ clock }))
    const { status, text, body } = await service.request({
      method: 'POST',
      url: '/api/v0/tenants',
      headers: { host, authorization: `Bearer ${operatorKey}` },
      payload: { name: unique(), environment: 'production' },
    })
    assert.equal(status, 200, text)
    const tenant = body as Tenant
    at = `/t/${tenant.slug}`
    tenantId = tenant.id
  })
  after(() => service.app.close())

  /** Sends a form until it is refused; returns how often it was accepted. */
  async function sendUntilRefused(path: string, fields: Readonly<Record<string, string>>) {
    const browser = new PageBrowser(service, host)
    const start = await browser.open(at + path)
    let taken = 0
    let answer: Shown
    do answer = await browser.send(start, fields)
    while (answer.status !== 429 && ++taken < 100)
    return { taken, answer }
  }

  it('are those of the interface, and keep what was typed', async () => {
    const { taken, answer } = await sendUntilRefused('/sign-in', { identifier: 'ada@example.com' })
    assert.equal(taken, 10)
    assert.deepEqual(answer.errors, { form: 'Too many tries. Try again in 1 minute.' })
    assert.match(answer.text, /value="ada@example.com"/)
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d?$/)
    // A passkey begins a sign-in, too.
    assert.equal((await sendUntilRefused('/sign-in', { credential: '' })).taken, 0)
  })

  it('apply to opening pages, with a page of its own', async () => {
    const headers = { host, accept: 'text/html' }
    let opened = 0
    while (opened < 1000 && (await service.request({ url: `${at}/sign-out`, headers })).status === 200) opened++
    // The test before has opened some.
    assert.ok(opened > 500 && opened < 600, String(opened))
    const refused = await new PageBrowser(service, host).open(`${at}/sign-out`)
    assert.deepEqual([refused.status, refused.title], [429, 'Too many tries'])
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/)
    const preview = await service.request({ url: `/console/preview/${tenantId}/sign-in`, headers })
    assert.equal(preview.status, 429)
  })
})
