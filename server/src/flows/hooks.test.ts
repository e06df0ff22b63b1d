// Hooks: the tenant's server decides before a session begins and before a user is created.
import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type {
  AuthPreview,
  Hook,
  HookCall,
  SignInExplanation,
  HookWithSecret,
  Profile,
  SignInAnswer,
  SignUpAnswer,
  Tenant,
  User,
} from '@bailiwick/contract'
import { Browser } from '../../test/harness/browser/frontend.ts'
import { dumpTables } from '../../test/harness/databases/table-dump.ts'
import { createOrganization, unique } from '../../test/harness/factories.ts'
import { invitationTokenTo, latestMessageTo } from '../../test/harness/messages.ts'
import { decide } from '../../test/harness/outside/hook-server.ts'
import { type Behaviour, WebhookReceiver, answer } from '../../test/harness/outside/webhook-receiver.ts'
import { type Person, password, signedInPerson } from '../../test/harness/people/people.ts'
import { tenantWith } from '../../test/harness/people/signed-in-user.ts'
import { type Answer, describeService } from '../../test/harness/service.ts'
import { createSession } from '../identity/sessions/sessions.ts'
import type { TenantId } from '../platform/ids.ts'
import { getConsoleTenantId } from '../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../tenancy/tenants/tenants.ts'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly meta: { readonly total: number }
}

describeService('hooks', (service) => {
  let server: WebhookReceiver
  before(async () => {
    server = await WebhookReceiver.start()
  })
  afterEach(() => {
    server.received.length = 0
  })
  after(() => server.stop())

  const createHook = (tenant: Tenant, body: object = {}) =>
    service().ok<HookWithSecret>('createHook', {
      body: { tenantId: tenant.id, point: 'sign_in.before_session', url: server.url, ...body },
    })
  const listCalls = async ({ id }: Hook) =>
    (await service().ok<Page<HookCall>>('listHookCalls', { params: { id } })).data
  const signIn = (person: Person, secret = password, headers = {}) => {
    const body = { identifier: person.email, strategy: 'email_password', password: secret }
    return person.elsewhere().call('createSignIn', { body, headers })
  }
  async function world(options: object = {}) {
    const tenant = await tenantWith(service())
    const person = await signedInPerson(service(), tenant)
    return { tenant, person, hook: await createHook(tenant, options) }
  }

  it('are created, changed and deleted, with a secret that is stored sealed and shown once', async () => {
    const tenant = await tenantWith(service())
    const { secret, previousSecretUntil: _, ...hook } = await createHook(tenant)
    assert.deepEqual([hook.timeoutMs, hook.onFailure, hook.enabled], [2000, 'deny', true])
    assert.deepEqual(await service().ok('getHook', { params: { id: hook.id } }), hook)
    const params = { id: hook.id }
    const changed = await service().ok<Hook>('updateHook', { params, body: { onFailure: 'allow', timeoutMs: 2900 } })
    assert.deepEqual({ ...changed, updatedAt: '' }, { ...hook, onFailure: 'allow', timeoutMs: 2900, updatedAt: '' })
    const rotated = await service().ok<HookWithSecret>('rotateHookSecret', { params })
    assert.notEqual(rotated.secret, secret)
    const stored = JSON.stringify(await dumpTables(service().deps.db))
    assert.ok(!stored.includes(secret) && !stored.includes(rotated.secret))
    for (const behaviour of [decide({ decision: 'allow' }, { secret }), decide({ decision: 'allow' }, rotated)]) {
      server.behaviour = behaviour
      const { result, error } = await service().ok<HookCall>('testHook', { params })
      assert.deepEqual([result, error], ['allow', null])
    }
    await service().refused('updateHook', 'validation_failed', { params, body: { timeoutMs: 3001 } })
    await service().ok('deleteHook', { params })
    await service().refused('getHook', 'not_found', { params })
    for (let count = 0; count < 10; count++) await createHook(tenant)
    const body = { tenantId: tenant.id, point: 'sign_up.before', url: server.url }
    await service().refused('createHook', 'hook_limit_reached', { body })
  })

  it('learn what is decided and allow it; the call is recorded', async () => {
    const { person, hook } = await world()
    server.behaviour = decide({ decision: 'allow' }, hook)
    assert.equal((await signIn(person)).status, 200)
    const [received] = server.received
    const { type, data } = JSON.parse(received?.body ?? '') as { type: string; data: Record<string, unknown> }
    assert.equal(type, 'sign_in.before_session')
    assert.partialDeepStrictEqual(data, {
      user: { id: person.user.id, email: person.email },
      firstFactor: 'email_password',
      secondFactor: null,
    })
    assert.ok(!JSON.stringify(data).includes(password))
    const [call] = await listCalls(hook)
    assert.deepEqual([call?.id, call?.result, call?.error], [received?.headers['webhook-id'], 'allow', null])
  })

  // Guards: denied-sign-ins
  it('deny without a text exactly as a wrong password is refused, and are asked only about right ones', async () => {
    const { person, hook } = await world()
    server.behaviour = decide({ decision: 'deny' }, hook)
    const wrong = await signIn(person, `${password} not`)
    assert.equal(server.received.length, 0)
    const denied = await signIn(person)
    const withoutId = (text: string) => text.replaceAll(/"(?:requestId|instance)":"[^"]*"/g, '')
    assert.deepEqual([denied.status, withoutId(denied.text)], [wrong.status, withoutId(wrong.text)])
    assert.equal(server.received.length, 1)
  })

  it('deny with a text in the language of the person', async () => {
    const { person, hook } = await world()
    server.behaviour = decide({ decision: 'deny', message: { en: 'Ask your manager.', de: 'Fragen Sie nach.' } }, hook)
    for (const [language, text] of [
      ['de', 'Fragen Sie nach.'],
      ['fr', 'Ask your manager.'],
    ]) {
      const { status, text: body } = await signIn(person, password, { 'accept-language': language })
      assert.equal(status, 403)
      assert.ok(body.includes('sign_in_denied') && body.includes(text ?? ''), body)
    }
  })

  // Guards: second-factors
  it('require a second factor from a user who would not be asked for one', async () => {
    const { person, hook } = await world()
    server.behaviour = decide({ decision: 'require_second_factor' }, hook)
    const browser = person.elsewhere()
    const body = { identifier: person.email, strategy: 'email_password', password }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    assert.match(signInAttempt.status, /^needs_(?:enrolment|factor_two)$/)
    await browser.refused('getProfile', 'unauthenticated')
  })

  // Guards: hook-answers
  it('count as failed for every answer that is not signed for this call and of the known form', async () => {
    const { tenant, person, hook } = await world()
    const { secret } = hook
    const allow = { decision: 'allow' }
    const answers: Readonly<Record<string, Behaviour>> = {
      unsigned: (response) => response.writeHead(200).end(JSON.stringify(allow)),
      'signed with another secret': decide(allow, await createHook(tenant, { enabled: false })),
      'signed for another call': decide(allow, { secret, callId: 'an-earlier-call' }),
      'too old': decide(allow, { secret, seconds: -301 }),
      'from the future': decide(allow, { secret, seconds: 301 }),
      'a redirect': (response) => response.writeHead(307, { location: server.url }).end(),
      'another status': decide(allow, { secret, status: 201 }),
      'not JSON': decide('allow', { secret }),
      'an unknown decision': decide({ decision: 'maybe' }, { secret }),
      'an unknown property': decide({ ...allow, roleId: 'admin' }, { secret }),
      'what another point can add': decide({ ...allow, publicMeta: { plan: 'gold' } }, { secret }),
      'reserved claims': decide({ ...allow, claims: { sub: 'somebody-else' } }, { secret }),
      'markup in a text': decide({ decision: 'deny', message: { en: '<b>No</b>' } }, { secret }),
      'too long': decide(JSON.stringify(allow) + ' '.repeat(16 * 1024), { secret }),
    }
    for (const [name, behaviour] of Object.entries(answers)) {
      server.behaviour = behaviour
      assert.equal((await service().ok<HookCall>('testHook', { params: { id: hook.id } })).result, 'failed', name)
    }
    server.behaviour = answer(500)
    assert.equal((await signIn(person)).status, 401)
    await service().ok('updateHook', { params: { id: hook.id }, body: { onFailure: 'allow' } })
    assert.equal((await signIn(person)).status, 200)
  })

  // Guards: changed-during-hook
  it('are asked again if the user changes during the call, and the last answer counts', async () => {
    const { person, hook } = await world()
    const params = { id: person.user.id }
    server.behaviour = (response, request, received) =>
      void (async () => {
        if (server.received.length === 1) await service().ok('updateUser', { params, body: { name: 'Somebody new' } })
        const decision = server.received.length === 1 ? 'allow' : 'deny'
        decide({ decision }, hook)(response, request, received)
      })()
    assert.equal((await signIn(person)).status, 401)
    assert.deepEqual(
      (await listCalls(hook)).map(({ result }) => result),
      ['deny', 'allow'],
    )
  })

  it('hold no row and no key while they are asked: the user can be suspended, and is not signed in', async () => {
    const { person, hook } = await world()
    server.behaviour = (response, request, received) =>
      void (async () => {
        await service().ok('suspendUser', { params: { id: person.user.id } })
        decide({ decision: 'allow' }, hook)(response, request, received)
      })()
    assert.equal((await signIn(person)).status, 401)
  })

  it('explain a sign-in that they deny, and warn in the preview of settings if their failure denies all', async () => {
    const { tenant, person, hook } = await world()
    const params = { id: tenant.id }
    const explain = (body: object = {}) =>
      service().ok<SignInExplanation>('explainSignIn', { params, body: { identifier: person.email, ...body } })
    const preview = () => service().ok<AuthPreview>('previewAuthTenant', { params, body: { nameRequired: true } })
    server.behaviour = decide({ decision: 'deny' }, hook)
    assert.deepEqual((await explain()).hooks, [{ id: hook.id, onFailure: 'deny', result: null, error: null }])
    assert.equal(server.received.length, 0)
    const { canSignIn, reasons, hooks } = await explain({ withHooks: true })
    assert.deepEqual([canSignIn, reasons], [false, [`the hook ${hook.id} denies the sign-in`]])
    assert.equal(hooks[0]?.result, 'deny')
    assert.equal((await preview()).hooksThatDenyOnFailure, 1)
    await service().ok('updateHook', { params: { id: hook.id }, body: { onFailure: 'allow' } })
    assert.equal((await preview()).hooksThatDenyOnFailure, 0)
    server.behaviour = answer(500)
    assert.equal((await explain({ withHooks: true })).canSignIn, true)
  })

  it('prevent that a user is created by a sign-up', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, { point: 'sign_up.before' })
    const users = () => service().ok<Page<User>>('listUsers', { query: { tenantId: tenant.id } })
    const { total } = (await users()).meta
    server.behaviour = decide({ decision: 'deny', message: { en: 'Customers only.' } }, hook)
    const signUp = async () => {
      const browser = new Browser(service(), tenant.publicKey)
      const email = `${unique()}@example.com`
      const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
      const { id } = signUpAttempt
      await browser.ok('prepareVerification', { params: { id }, body: { strategy: 'email_code' } })
      const { code } = await latestMessageTo(service().deps, email)
      return browser.call('attemptVerification', { params: { id }, body: { strategy: 'email_code', code } })
    }
    const denied = await signUp()
    assert.equal(denied.status, 403)
    assert.ok(denied.text.includes('Customers only.'), denied.text)
    assert.equal((await users()).meta.total, total)
    server.behaviour = decide({ decision: 'allow' }, hook)
    assert.equal((await signUp()).status, 200)
    assert.equal((await users()).meta.total, total + 1)
  })

  // Guards: denied-sign-ins
  it('decide about every session that begins without a sign-in: of a sign-up, an invitation and a visitor', async () => {
    const tenant = await tenantWith(service(), { anonymousUsersEnabled: true })
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const hook = await createHook(tenant)
    const users = async () =>
      (await service().ok<Page<User>>('listUsers', { query: { tenantId: tenant.id } })).meta.total
    const ways: Readonly<Record<string, (browser: Browser) => Promise<Answer>>> = {
      'sign-up': async (browser) => {
        const email = `${unique()}@example.com`
        const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
        const params = { id: signUpAttempt.id }
        await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
        const { code } = await latestMessageTo(service().deps, email)
        return browser.call('attemptVerification', { params, body: { strategy: 'email_code', code } })
      },
      invitation: async (browser) => {
        const email = `${unique()}@example.com`
        await service().ok('createOrganizationInvitation', { body: { organizationId, email } })
        const invitationToken = await invitationTokenTo(service().deps, email)
        return browser.call('createSignUp', { body: { invitationToken, password } })
      },
      visitor: (browser) => browser.call('createAnonymousUser'),
    }
    for (const [way, take] of Object.entries(ways)) {
      const usersBefore = await users()
      for (const decision of ['deny', 'require_second_factor']) {
        server.behaviour = decide({ decision }, hook)
        const browser = new Browser(service(), tenant.publicKey)
        const isEnrolling = decision !== 'deny' && way !== 'visitor'
        assert.equal((await take(browser)).status, isEnrolling ? 200 : 403, `${way}: ${decision}`)
        await browser.refused('getProfile', 'unauthenticated')
        assert.equal(await users(), isEnrolling ? usersBefore + 1 : usersBefore)
      }
      server.behaviour = decide({ decision: 'allow' }, hook)
      const browser = new Browser(service(), tenant.publicKey)
      assert.equal((await take(browser)).status, 200, way)
      await browser.ok('getProfile')
    }
  })

  // Guards: denied-sign-ins
  it('are asked before a visitor becomes a user who can sign in, and before the session goes on', async () => {
    const tenant = await tenantWith(service(), { anonymousUsersEnabled: true })
    const browser = new Browser(service(), tenant.publicKey)
    await browser.ok('createAnonymousUser')
    const email = `${unique()}@example.com`
    const { email: added } = await browser.ok<{ email: { id: string } }>('createOwnEmail', { body: { email } })
    const params = { id: added.id }
    const hooks = [await createHook(tenant, { point: 'sign_up.before' }), await createHook(tenant)]
    const prove = async (denying: number) => {
      server.behaviour = (response, request, received) => {
        const { type } = JSON.parse(received.body) as { type: string }
        const index = type === 'sign_up.before' ? 0 : 1
        const decision = index === denying ? 'deny' : 'allow'
        decide({ decision }, hooks[index] as HookWithSecret)(response, request, received)
      }
      await browser.ok('prepareOwnEmail', { params })
      const { code } = await latestMessageTo(service().deps, email)
      return browser.call('verifyOwnEmail', { params, body: { code } })
    }
    for (const denying of [0, 1]) {
      assert.equal((await prove(denying)).status, 403)
      assert.equal((await browser.ok<{ user: Profile }>('getProfile')).user.isAnonymous, true)
    }
    assert.equal((await prove(2)).status, 200)
    assert.equal((await browser.ok<{ user: Profile }>('getProfile')).user.isAnonymous, false)
    const facts = server.received.map(({ body }) => (JSON.parse(body) as { data: { user: { email: string } } }).data)
    assert.ok(facts.every(({ user }) => user.email === email))
  })

  // Guards: denied-sign-ins
  it('cannot be gone around: no session begins in a transaction that has not asked them, except in the place of a user', async () => {
    const { tenant, person } = await world()
    const { deps } = service()
    const entry = await getTenant(deps, tenant.id as TenantId)
    const actor = { type: 'user', id: person.user.id, ip: null, ua: null } as const
    const input = { tenant: entry, userId: person.user.id, ip: null, ua: null, actor }
    await assert.rejects(
      deps.db.transaction((tx) => createSession(deps, tx, input)),
      /sign_in\.before_session have not been asked/,
    )
    await service().ok('impersonateUser', { params: { id: person.user.id }, body: { reason: 'support' } })
    assert.equal(server.received.length, 0)
  })

  // Guards: slow-hooks
  it('are not called for a while after twenty failures in a row', async () => {
    const { person, hook } = await world({ onFailure: 'allow' })
    server.behaviour = answer(500)
    for (let count = 0; count < 20; count++) await service().ok('testHook', { params: { id: hook.id } })
    server.received.length = 0
    assert.equal((await signIn(person)).status, 200)
    assert.equal(server.received.length, 0)
    assert.equal((await listCalls(hook))[0]?.result, 'skipped')
  })

  it('are refused for the console, whose administrators a failing hook would lock out', async () => {
    const tenantId = await getConsoleTenantId(service().deps.db)
    const body = { tenantId, point: 'sign_in.before_session', url: server.url }
    const { issues } = await service().refused('createHook', 'validation_failed', { body })
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['/tenantId'],
    )
  })

  it('are not set up by who may only change the configuration', async () => {
    const tenant = await tenantWith(service())
    const { key } = await service().ok<{ key: string }>('createApiKey', {
      body: { tenantId: tenant.id, name: 'Config', scopes: ['config:write', 'config:read'] },
    })
    const headers = { authorization: `Bearer ${key}` }
    const body = { tenantId: tenant.id, point: 'sign_up.before', url: server.url }
    await service().refused('createHook', 'forbidden', { body, headers })
  })
})
