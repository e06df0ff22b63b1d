import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { messagesTo, sendMessages } from '../../../test/harness/messages.ts'
import { describeService, productionEnv } from '../../../test/harness/service.ts'
import type { TenantId } from '../../platform/ids.ts'
import { queueMessage } from './queue-message.ts'

const here = { host: '127.0.0.1:4000' }

describeService('GET /dev/inbox', (service) => {
  const get = (url: string, headers: Record<string, string> = here) =>
    service().request({ method: 'GET', url, headers })
  const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

  async function message(variables: Record<string, unknown> = {}) {
    const { deps } = service()
    const { tenant } = await createTenant(service(), { name: 'A"><img src=x>' })
    const to = `${unique()}@example.com`
    const id = await deps.db.transaction((tx) =>
      queueMessage(tx, deps, {
        tenantId: tenant.id as TenantId,
        channelType: 'email',
        template: { type: 'password-reset' },
        to,
        userId: null,
        variables: {
          code: '493817',
          link: 'https://acme.example/reset?token=abc',
          user: { name: hostile },
          ...variables,
        },
        purpose: 'password_reset',
      }),
    )
    await sendMessages(deps)
    return { to, url: `/dev/inbox/${tenant.id}/${id}` }
  }

  it('shows what was sent, newest first, its codes and links, and that to one address', async () => {
    const { to, url } = await message()
    const { to: later } = await message()
    const { text, status } = await get('/dev/inbox')
    assert.equal(status, 200)
    assert.ok(text.indexOf(later) < text.indexOf(to))
    const { text: ones } = await get(`/dev/inbox?to=${encodeURIComponent(to)}`)
    assert.ok(ones.includes('<div class="code">493817</div>') && ones.includes(url))
    assert.ok(ones.includes('<a href="https://acme.example/reset?token=abc" rel="noreferrer">'))
    assert.ok(!ones.includes(later))
  })

  it('runs nothing that a message, a name or the caller says', async () => {
    const { to, url } = await message({ link: 'javascript:alert(3)' })
    for (const path of [
      `/dev/inbox?to=${encodeURIComponent(to)}`,
      url,
      `/dev/inbox?to=${encodeURIComponent(hostile)}`,
    ]) {
      const { text, headers } = await get(path)
      assert.doesNotMatch(text, /<img|<script|href="javascript/i, path)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src 'none'/)
      assert.doesNotMatch(policy, /script-src/)
    }
    const { text } = await get(url)
    assert.match(text, /<iframe sandbox="" title="The message" srcdoc="&lt;!doctype html&gt;/)
  })

  it('is not there for callers from elsewhere, behind a proxy, or sent by a page of another origin', async () => {
    const { url } = await message()
    const others = [
      { host: 'id.test' },
      { ...here, 'x-forwarded-for': '203.0.113.7' },
      { ...here, origin: 'https://evil.example' },
      { ...here, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of others) {
      for (const path of ['/dev/inbox', url]) {
        const { status, text } = await get(path, headers)
        assert.equal(status, 404, JSON.stringify(headers))
        assert.doesNotMatch(text, /493817/)
      }
    }
  })

  it('answers 404 for a message that does not exist', async () => {
    assert.equal((await get('/dev/inbox/c0/c1')).status, 404)
  })

  it('stands beside messages that are kept sealed', async () => {
    const { to } = await message()
    const [row] = await messagesTo(service().deps, to)
    assert.match(row?.sealed_content ?? '', /^v1\./)
  })
})

describeService(
  'GET /dev/inbox in production',
  (service) => {
    it('is not there', async () => {
      for (const host of ['id.example.com', '127.0.0.1:4000']) {
        const { status } = await service().request({ method: 'GET', url: '/dev/inbox', headers: { host } })
        assert.ok(status === 404 || status === 421)
      }
    })
  },
  productionEnv,
)
