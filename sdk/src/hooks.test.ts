// The SDK answers hooks of a real service.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { HookCall, HookListenerCall, HookWithSecret } from '@bailiwick/contract'
import { type HookQuestion, type HookReply, WebhookError, answerHook } from '@bailiwick/sdk/hooks'
import { listenToHooks } from '../../server/src/service/commands/hooks/listen.ts'
import { createApiKey, createTenant } from '../../server/test/harness/factories.ts'
import { WebhookReceiver } from '../../server/test/harness/outside/webhook-receiver.ts'
import { password, signedInPerson } from '../../server/test/harness/people/people.ts'
import { tenantWith } from '../../server/test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../server/test/harness/service.ts'
import { type TwoNodes, describeOnTwoNodes } from '../../server/test/nodes/two-nodes.ts'

const suite = (service: () => TestService) => {
  let server: WebhookReceiver
  before(async () => {
    server = await WebhookReceiver.start()
  })
  after(() => server.stop())

  /** A tenant whose server decides so, by the SDK, with this secret or that of the hook. */
  async function world(decide: (question: HookQuestion) => HookReply, secret?: string) {
    const tenant = await tenantWith(service())
    const person = await signedInPerson(service(), tenant)
    const hook = await service().ok<HookWithSecret>('createHook', {
      body: { tenantId: tenant.id, point: 'sign_in.before_session', url: server.url },
    })
    const refusals: unknown[] = []
    server.behaviour = (response, _request, { headers, body }) => {
      answerHook({ secret: secret ?? hook.secret, headers, body }, decide).then(
        (reply) => response.writeHead(200, reply.headers).end(reply.body),
        (error: unknown) => {
          refusals.push(error)
          response.writeHead(400).end()
        },
      )
    }
    const signIn = () =>
      person.elsewhere().call('createSignIn', {
        body: { identifier: person.email, strategy: 'email_password', password },
      })
    return { hook, person, refusals, signIn }
  }

  it('allows and denies sign-ins as the function decides, which gets the user', async () => {
    const questions: HookQuestion[] = []
    const { person, signIn } = await world((question) => {
      questions.push(question)
      return questions.length === 1
        ? { decision: 'allow' }
        : { decision: 'deny', message: { en: 'Ask your manager for access.' } }
    })
    assert.equal((await signIn()).status, 200)
    const denied = await signIn()
    assert.deepEqual([denied.status, denied.text.includes('Ask your manager for access.')], [403, true])
    assert.deepEqual(
      questions.map(({ type, data }) => [type, data.user?.email, data.firstFactor]),
      Array.from({ length: 2 }, () => ['sign_in.before_session', person.email, 'email_password']),
    )
  })

  it('answers the test that the console sends', async () => {
    const { hook } = await world(({ data }) => ({ decision: data.test === true ? 'allow' : 'deny' }))
    const { result, error } = await service().ok<HookCall>('testHook', { params: { id: hook.id } })
    assert.deepEqual([result, error], ['allow', null])
  })

  it('refuses a call with another secret, and asks nobody', async () => {
    let asked = 0
    const decide = (): HookReply => {
      asked++
      return { decision: 'allow' }
    }
    const { refusals, signIn } = await world(decide, `whsec_${btoa('another secret of 24 byt')}`)
    assert.notEqual((await signIn()).status, 200)
    assert.equal(asked, 0)
    assert.ok(refusals.length > 0 && refusals.every((error) => error instanceof WebhookError))
  })
}

describeService('answerHook', suite)

const listenSuite = (nodes: () => TwoNodes) => {
  let server: WebhookReceiver
  let apiUrl: string
  before(async () => {
    server = await WebhookReceiver.start()
    apiUrl = `${await nodes().other.app.listen({ host: '127.0.0.1', port: 0 })}/api/v0`
  })
  after(async () => {
    nodes().other.app.server.closeAllConnections()
    await server.stop()
  })

  async function world(environment: 'development' | 'production' = 'development') {
    const { one } = nodes()
    const { tenant, secretKey } = await createTenant(one, { environment })
    const person = await signedInPerson(one, tenant)
    const body = {
      tenantId: tenant.id,
      point: 'sign_in.before_session',
      url: 'https://hooks.example.com',
      timeoutMs: 3000,
    }
    const { secret } = await one.ok<HookWithSecret>('createHook', { body })
    const stop = new AbortController()
    const lines: string[] = []
    const ready = Promise.withResolvers<undefined>()
    const options = { to: server.url, apiUrl, secretKey, tenant: tenant.id }
    const listening = listenToHooks(options, stop.signal, (line) => {
      lines.push(line)
      ready.resolve(undefined)
    })
    listening.then(() => ready.resolve(undefined), ready.reject)
    const signIn = () =>
      person.elsewhere().call('createSignIn', {
        body: { identifier: person.email, strategy: 'email_password', password },
      })
    return { tenant, secretKey, secret, stop, lines, ready: ready.promise, listening, signIn }
  }

  it('lets this machine decide, whichever node is asked, and gives the calls back when it ends', async () => {
    const { secret, stop, lines, ready, listening, signIn } = await world()
    const decisions: HookReply[] = [{ decision: 'allow' }, { decision: 'deny', message: { en: 'Not from here.' } }]
    server.behaviour = (response, _request, { headers, body }) => {
      void answerHook({ secret, headers, body }, () => decisions.shift() ?? { decision: 'deny' }).then((reply) =>
        response.writeHead(200, reply.headers).end(reply.body),
      )
    }
    await ready
    assert.equal((await signIn()).status, 200)
    const denied = await signIn()
    assert.deepEqual([denied.status, denied.text.includes('Not from here.')], [403, true])
    stop.abort()
    await listening
    assert.match(lines[0] ?? '', /^Ready: calls of hooks go to http/)
    assert.deepEqual(
      lines.slice(1).map((line) => /^sign_in.before_session \w+ → 200 in \d+ ms$/.test(line)),
      [true, true],
    )
    const received = server.received.length
    assert.notEqual((await signIn()).status, 200)
    assert.equal(server.received.length, received, 'the call went to the URL of the hook')
  })

  // Guards: hook-answers
  it('takes no answer of a program that does not know the secret', async () => {
    const { stop, ready, listening, signIn } = await world()
    server.behaviour = (response, _request, { headers, body }) => {
      const forged = {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': '1',
        'webhook-signature': body,
      }
      response.writeHead(200, { ...forged, 'webhook-signature': 'v1,AAAA' }).end('{"decision":"allow"}')
    }
    await ready
    assert.notEqual((await signIn()).status, 200)
    stop.abort()
    await listening
  })

  it('is for tenants for development, and for who has all rights in them', async () => {
    const { ready, tenant, secretKey } = await world('production')
    await assert.rejects(ready, /environment is development/)
    const answer = { id: tenant.id, status: 200, headers: {}, body: '' }
    const production = { params: { tenantId: tenant.id }, body: answer, token: secretKey }
    await nodes().one.refused('answerHookCall', 'forbidden', production)
    const other = await world()
    await other.ready
    const params = { tenantId: tenant.id }
    const call = { params, body: { waitSeconds: 1 }, token: other.secretKey }
    await nodes().one.refused('receiveHookCalls', 'not_found', call)
    await nodes().one.refused('answerHookCall', 'not_found', { params, body: answer, token: other.secretKey })
    const { key } = await createApiKey(nodes().one, other.tenant.id, ['config:write'])
    const own = { tenantId: other.tenant.id }
    for (const [token, code] of [
      [key, 'forbidden'],
      [other.tenant.publicKey, 'unauthenticated'],
    ] as const) {
      await nodes().one.refused('receiveHookCalls', code, { params: own, body: { waitSeconds: 1 }, token })
      await nodes().one.refused('answerHookCall', code, { params: own, body: answer, token })
    }
    other.stop.abort()
    await other.listening
  })

  it('gives calls to no other tenant, and takes no answers of one', async () => {
    const [mine, other] = [await world(), await world()]
    for (const { stop, ready, listening } of [mine, other]) {
      await ready
      stop.abort()
      await listening
    }
    const listen = async ({ tenant, secretKey }: typeof mine) => {
      const request = { params: { tenantId: tenant.id }, body: { waitSeconds: 1 }, token: secretKey }
      return (await nodes().one.ok<{ calls: HookListenerCall[] }>('receiveHookCalls', request)).calls
    }
    const answer = async ({ tenant, secretKey }: typeof mine, id: string) => {
      const body = { id, status: 500, headers: {}, body: '' }
      const request = { params: { tenantId: tenant.id }, body, token: secretKey }
      return (await nodes().one.ok<{ accepted: boolean }>('answerHookCall', request)).accepted
    }
    assert.deepEqual(await listen(mine), [])
    const unanswered = mine.signIn()
    assert.deepEqual(await listen(other), [])
    assert.notEqual((await unanswered).status, 200)
    const listening = listen(mine)
    const signing = mine.signIn()
    const [call] = await listening
    assert.equal(await answer(other, call?.id ?? ''), false)
    assert.equal(await answer(mine, call?.id ?? ''), true)
    assert.notEqual((await signing).status, 200)
  })
}

// Its connections end before the nodes do.
describeOnTwoNodes('bailiwick hooks listen', (nodes) => {
  void describe('over a socket', () => listenSuite(nodes))
})
