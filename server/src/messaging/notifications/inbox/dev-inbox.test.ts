import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { createTenant, unique } from '../../../../test/harness/factories.ts'
import { messagesTo, sendMessages } from '../../../../test/harness/messages.ts'
import { describeService, productionEnv } from '../../../../test/harness/service.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { queueMessage } from '../messages/queue-message.ts'

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

  it('shows sent messages, newest first, with codes and links, and those to one address', async () => {
    const { to, url } = await message()
    const { to: later } = await message()
    const { text, status } = await get('/dev/inbox')
    assert.equal(status, 200)
    assert.ok(text.indexOf(later) < text.indexOf(to))
    const { text: ones } = await get(`/dev/inbox?to=${encodeURIComponent(to)}`)
    assert.ok(ones.includes('>493817</div><button type="button" data-copy="493817"') && ones.includes(url))
    assert.ok(ones.includes('<a href="https://acme.example/reset?token=abc" rel="noreferrer">'))
    assert.ok(!ones.includes(later))
  })

  // Guards: names-as-text
  it('runs nothing from a message, a name or the caller', async () => {
    const { to, url } = await message({ link: 'javascript:alert(3)' })
    for (const path of [
      `/dev/inbox?to=${encodeURIComponent(to)}`,
      url,
      `/dev/inbox?to=${encodeURIComponent(hostile)}`,
    ]) {
      const { text, headers } = await get(path)
      assert.doesNotMatch(text, /<img|<script(?! type="module">)|href="javascript/i, path)
      assert.equal(text.match(/<script/g)?.length, 1)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; style-src 'sha256-[^' ]+'; script-src 'sha256-[^' ]+'; /)
      const [, script = ''] = /<script type="module">([^]*?)<\/script>/.exec(text) ?? []
      assert.ok(policy.includes(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`))
    }
    const { text } = await get(url)
    assert.ok(text.includes(`<iframe src="${url}/mail" sandbox="allow-same-origin allow-popups`))
  })

  it('shows a mail as it was written, in a document that runs nothing and sends nothing', async () => {
    const { url } = await message()
    const { text, headers } = await get(`${url}/mail`)
    assert.match(text, /^<!doctype html>/)
    assert.doesNotMatch(text, /<script|<img/i)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; /)
    assert.match(policy, /frame-ancestors 'self'/)
    assert.doesNotMatch(policy, /script-src|connect-src|allow-scripts|allow-forms/)
  })

  it('tells the page about new messages, and about changes of a message', async () => {
    const { to, url } = await message()
    const changes = async (path: string) => (await get(path)).text
    const [all, ones, one] = [
      await changes('/dev/inbox/changes'),
      await changes(`/dev/inbox/changes?to=${encodeURIComponent(to)}`),
      await changes(`${url}/changes`),
    ]
    assert.ok((await get('/dev/inbox')).text.includes(`data-state="${all}" data-changes="/dev/inbox/changes"`))
    assert.ok((await get(url)).text.includes(`data-state="${one}"`))
    await message()
    assert.notEqual(await changes('/dev/inbox/changes'), all)
    assert.equal(await changes(`/dev/inbox/changes?to=${encodeURIComponent(to)}`), ones)
    await service().deps.db.write(() => [sql`UPDATE messages SET attempts = attempts + 1 WHERE recipient = ${to}`])
    assert.notEqual(await changes(`/dev/inbox/changes?to=${encodeURIComponent(to)}`), ones)
  })

  it('does not exist for callers on other machines, behind a proxy, or from a page of another origin', async () => {
    const { url } = await message()
    const others = [
      { host: 'id.test' },
      { ...here, 'x-forwarded-for': '203.0.113.7' },
      { ...here, origin: 'https://evil.example' },
      { ...here, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of others) {
      for (const path of ['/dev/inbox', '/dev/inbox/changes', url, `${url}/mail`, `${url}/changes`]) {
        const { status, text } = await get(path, headers)
        assert.equal(status, 404, JSON.stringify(headers))
        assert.doesNotMatch(text, /493817/)
      }
    }
  })

  it('answers 404 for a message that does not exist', async () => {
    assert.equal((await get('/dev/inbox/c0/c1')).status, 404)
  })

  it('shows messages although they are stored sealed', async () => {
    const { to } = await message()
    const [row] = await messagesTo(service().deps, to)
    assert.match(row?.sealed_content ?? '', /^v1\./)
  })
})

describeService(
  'GET /dev/inbox in production',
  (service) => {
    it('does not exist', async () => {
      for (const host of ['id.example.com', '127.0.0.1:4000']) {
        const { status } = await service().request({ method: 'GET', url: '/dev/inbox', headers: { host } })
        assert.ok(status === 404 || status === 421)
      }
    })
  },
  productionEnv,
)
