import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type HookCall, type HookPoint, type HookWithSecret, type SignUpAnswer, hookPoints } from '@bailiwick/contract'
import { Webhook } from 'standardwebhooks'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createOrganization, createTenant, unique } from '../../../test/harness/factories.ts'
import { inTime } from '../../../test/harness/in-time.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { decide } from '../../../test/harness/outside/hook-server.ts'
import { WebhookReceiver } from '../../../test/harness/outside/webhook-receiver.ts'
import { password, signedInPerson } from '../../../test/harness/people/people.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { webhookHeaders } from '../webhooks/secret.ts'
import { callHook, callsOfTenantMax } from './call.ts'
import { selectHook } from './queries.ts'

/** The longest that a hook may have; one that a machine has kept waiting for longer has failed. */
const hookMsMax = 3000

describeService('calls of hooks', (service) => {
  let silent: WebhookReceiver
  let prompt: WebhookReceiver
  before(async () => {
    silent = await WebhookReceiver.start()
    prompt = await WebhookReceiver.start()
  })
  after(() => Promise.all([silent.stop(), prompt.stop()]))

  async function createHookAt(url: string, point: HookPoint = 'sign_in.before_session', timeoutMs = hookMsMax) {
    const { tenant } = await createTenant(service())
    const body = { tenantId: tenant.id, point, url, timeoutMs }
    const { id, secret } = await service().ok<HookWithSecret>('createHook', { body })
    const row = await selectHook(service().deps.db, tenant.id as TenantId, id)
    assert.ok(row)
    return { row, secret }
  }

  // Guards: slow-hooks
  it('have turns of their own in each tenant, so that a server that never answers delays no other', () =>
    inTime(hookMsMax, async (begin) => {
      const [slow, other] = [await createHookAt(silent.url), await createHookAt(prompt.url)]
      prompt.behaviour = decide({ decision: 'allow' }, other)
      begin()
      const { promise: full, resolve } = Promise.withResolvers<undefined>()
      silent.behaviour = () => {
        if (silent.concurrent === callsOfTenantMax) resolve(undefined)
      }
      const calls = Array.from({ length: callsOfTenantMax * 2 }, () => callHook(service().deps, slow.row, {}))
      await Promise.race([full, ...calls])
      assert.equal((await callHook(service().deps, other.row, {})).answer?.decision, 'allow')
      assert.equal(silent.concurrentMax, callsOfTenantMax)
      await silent.stop()
      for (const { answer } of await Promise.all(calls)) assert.equal(answer, undefined)
    }))

  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  /** Writes for as long as the other side takes it. */
  const pour = async (socket: Socket, text: string) => {
    while (!socket.destroyed)
      if (!socket.write(text)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
  const kilobytes = 'x'.repeat(64 * 1024)
  /** By default the time limit is so long that another reason ends the call. */
  const hostile: Readonly<
    Record<string, readonly [answer: (socket: Socket) => unknown, error: RegExp, timeoutMs?: number]>
  > = {
    'a body that comes byte by byte and never ends': [
      async (socket) => {
        socket.write(`${head}content-length: 10000\r\n\r\n`)
        while (!socket.destroyed) {
          socket.write(' ')
          await sleep(5)
        }
      },
      /no response in time/,
      300,
    ],
    'nothing at all': [() => undefined, /no response in time/, 300],
    'a body of ten gigabytes': [
      (socket) => {
        socket.write(`${head}content-length: 10737418240\r\n\r\n`)
        return pour(socket, kilobytes)
      },
      /longer than 16 KiB/,
    ],
    'chunks without end': [
      (socket) => {
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
        return pour(socket, `10000\r\n${kilobytes}\r\n`)
      },
      /longer than 16 KiB/,
    ],
    'a chunk whose extension never ends': [
      (socket) => {
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n5;`)
        return pour(socket, kilobytes)
      },
      /closed before|no response in time/,
      300,
    ],
    'headers without end': [
      (socket) => {
        socket.write(head)
        return pour(socket, `x-more: ${'y'.repeat(1000)}\r\n`)
      },
      /connection failed/,
    ],
    'early hints without end': [
      (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
      /no response in time|connection failed/,
      300,
    ],
    'another protocol': [(socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), /connection failed/],
    'half an answer': [(socket) => socket.end(`${head}content-length: 100\r\n\r\n{`), /closed before/],
    'a page': [
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<h1>Welcome</h1'),
      /does not have the webhook-id/,
    ],
    'a redirect to an address within the network': [
      (socket) =>
        socket.end(
          'HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\n\r\n',
        ),
      /answered 307/,
    ],
  }

  // Guards: changed-during-hook
  it('are made while no transaction is open, at whatever point', () =>
    inTime(hookMsMax, async (begin) => {
      const tenant = await tenantWith(service())
      const person = await signedInPerson(service(), tenant)
      const { id: organizationId } = await createOrganization(service(), tenant.id)
      const secrets = new Map<string, HookWithSecret>()
      for (const point of hookPoints) {
        const more = point === 'password.migrate' ? { receivesPasswords: true } : {}
        const body = { tenantId: tenant.id, point, url: prompt.url, timeoutMs: hookMsMax, ...more }
        secrets.set(point, await service().ok<HookWithSecret>('createHook', { body }))
      }
      begin()
      const asked = new Set<string>()
      // SQLite has one writer, and on PostgreSQL these rows would be locked: either would keep the answer waiting until its time is up.
      const change = (table: string, id: string) =>
        service().deps.db.transaction((tx) =>
          tx.run(
            sql`UPDATE ${sql.identifier(table)} SET updated_at = updated_at WHERE ${sql.identifier(id)} = ${tenant.id}`,
          ),
        )
      prompt.behaviour = (response, request, received) =>
        void (async () => {
          const { type } = JSON.parse(received.body) as { type: string }
          await change('tenants', 'id')
          for (const table of ['users', 'organizations', 'sign_in_attempts', 'sign_up_attempts', 'messages'])
            await change(table, 'tenant_id')
          asked.add(type)
          const profile = type === 'password.migrate' ? { profile: { name: 'Ada', emailVerified: true } } : {}
          decide({ decision: 'allow', ...profile }, secrets.get(type) ?? assert.fail())(response, request, received)
        })()
      const browser = () => new Browser(service(), tenant.publicKey)
      const signIn = (identifier: string) =>
        browser().ok('createSignIn', { body: { identifier, strategy: 'email_password', password } })
      await signIn(person.email)
      await signIn(`${unique()}@example.com`)
      const guest = browser()
      const email = `${unique()}@example.com`
      const { signUpAttempt } = await guest.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
      const params = { id: signUpAttempt.id }
      await guest.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
      const { code } = await latestMessageTo(service().deps, email)
      await guest.ok('attemptVerification', { params, body: { strategy: 'email_code', code } })
      await service().ok('createOrganizationInvitation', { body: { organizationId, email: `${unique()}@example.com` } })
      assert.deepEqual([...asked].toSorted(), hookPoints.toSorted())
    }))

  it('are verified and answered by the reference library of Standard Webhooks, also while a secret is replaced', async () => {
    const { row, secret } = await createHookAt(prompt.url)
    const params = { id: row.id }
    const rotated = await service().ok<HookWithSecret>('rotateHookSecret', { params })
    for (const each of [secret, rotated.secret]) {
      const library = new Webhook(each)
      const payloads: unknown[] = []
      prompt.behaviour = (response, _request, { headers, body }) => {
        payloads.push(library.verify(body, headers as Record<string, string>))
        const [id, now, text] = [String(headers['webhook-id']), new Date(), '{"decision":"allow"}']
        response
          .writeHead(200, {
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
            'webhook-signature': library.sign(id, now, text),
          })
          .end(text)
      }
      const { result, error } = await service().ok<HookCall>('testHook', { params })
      assert.deepEqual([result, error], ['allow', null])
      assert.partialDeepStrictEqual(payloads, [{ type: row.point, data: { test: true } }])
    }
  })

  // Guards: hostile-hook-answers
  it('fail for hostile answers, of which little is read, and the connection is closed', async () => {
    for (const [what, [respond, error, timeoutMs = 3000]] of Object.entries(hostile)) {
      let taken = 0
      const closed: Promise<unknown>[] = []
      const server = createServer((socket) => {
        closed.push(new Promise((resolve) => socket.once('close', resolve)))
        socket.on('error', () => undefined)
        // The call is in one packet, or what follows it changes nothing.
        socket.once('data', () => {
          const answering = respond(socket)
          if (answering instanceof Promise) answering.catch(() => undefined)
        })
        socket.once('close', () => (taken += socket.bytesWritten))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const { row } = await createHookAt(`http://127.0.0.1:${port}/in`, 'sign_in.before_session', timeoutMs)
      const called = await callHook(service().deps, row, {})
      assert.equal(called.row.result, 'failed', what)
      assert.match(called.row.error ?? '', error, what)
      await Promise.all(closed)
      assert.equal(closed.length, 1, what)
      // What the kernels' buffers take, and nothing near what was offered.
      assert.ok(taken < 64 * 1024 * 1024, `${what}: ${taken} bytes`)
      server.close()
    }
  })

  // Guards: hostile-hook-answers
  it('fail for signed answers that nothing behind them is prepared for', async () => {
    const { row, secret } = await createHookAt(prompt.url, 'user.before_create')
    const allow = (publicMeta: string) => `{"decision":"allow","publicMeta":${publicMeta}}`
    const bodies = {
      'deep nesting': allow(`{"a":${'['.repeat(7000)}${']'.repeat(7000)}}`),
      'the name of a prototype': allow('{"__proto__":{"isAdmin":true}}'),
      'a text that is no text': allow('{"a":"\\ud800"}'),
      NUL: allow('{"a":"\\u0000"}'),
      'a property twice': '{"decision":"deny","decision":"allow"}',
      'a number that a double cannot hold': allow('{"a":1e999}'),
      'an array': '[{"decision":"allow"}]',
      'a text that turns its direction': '{"decision":"deny","message":{"en":"\\u202eesaelp"}}',
      'a text of two lines': '{"decision":"deny","message":{"en":"No.\\u2028Call 0900."}}',
    }
    for (const [what, body] of Object.entries(bodies)) {
      prompt.behaviour = decide(body, { secret })
      assert.equal((await callHook(service().deps, row, {})).row.result, 'failed', what)
    }
    prompt.behaviour = (response, _request, { headers }) => {
      const body = '{"decision":"allow"}'
      const signed = webhookHeaders([secret], String(headers['webhook-id']), Number(headers['webhook-timestamp']), body)
      response.writeHead(200, { ...signed, 'content-encoding': 'gzip' }).end(gzipSync(body))
    }
    assert.match((await callHook(service().deps, row, {})).row.error ?? '', /not signed/)
    prompt.behaviour = decide({ decision: 'allow', publicMeta: { plan: 'gold' } }, { secret })
    assert.equal((await callHook(service().deps, row, {})).row.result, 'allow')
  })
})
