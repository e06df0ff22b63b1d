// The SDK answers hooks of a real service.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { HookCall, HookWithSecret } from '@bailiwick/contract'
import { type HookQuestion, type HookReply, WebhookError, answerHook } from '@bailiwick/sdk/hooks'
import { WebhookReceiver } from '../../server/test/harness/outside/webhook-receiver.ts'
import { password, signedInPerson } from '../../server/test/harness/people/people.ts'
import { tenantWith } from '../../server/test/harness/people/signed-in-user.ts'
import { type TestService, describeService } from '../../server/test/harness/service.ts'

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
