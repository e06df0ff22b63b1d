// Hooks at the points beside sign-up and sign-in: new users, passwords of a former system, tokens, invitations and messages.
import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type {
  HookCall,
  HookPoint,
  HookWithSecret,
  ImportedLine,
  Message,
  SignInAnswer,
  Tenant,
  UserDetails,
} from '@bailiwick/contract'
import { Browser } from '../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../test/harness/databases/stored.ts'
import { dumpTables } from '../../test/harness/databases/table-dump.ts'
import { createOrganization, createRole, createUser, unique } from '../../test/harness/factories.ts'
import { latestMessageTo, messagesTo, sendMessages } from '../../test/harness/messages.ts'
import { decide } from '../../test/harness/outside/hook-server.ts'
import { WebhookReceiver, answer } from '../../test/harness/outside/webhook-receiver.ts'
import { password, signedInPerson } from '../../test/harness/people/people.ts'
import { person, scimWorld, userUrn } from '../../test/harness/people/scim.ts'
import { tenantWith } from '../../test/harness/people/signed-in-user.ts'
import { type TestService, describeServiceWith } from '../../test/harness/service.ts'
import { createLog } from '../platform/log.ts'

type Data = Readonly<Record<string, unknown>>

const claimsIn = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

const logged: string[] = []
const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void logged.push(line) })

function suite(service: () => TestService) {
  let server: WebhookReceiver
  before(async () => {
    server = await WebhookReceiver.start()
  })
  afterEach(() => {
    server.received.length = 0
  })
  after(() => server.stop())

  const createHook = (tenant: { id: string }, point: HookPoint, body: object = {}) =>
    service().ok<HookWithSecret>('createHook', {
      body: {
        tenantId: tenant.id,
        point,
        url: server.url,
        ...(point === 'password.migrate' ? { receivesPasswords: true } : {}),
        ...body,
      },
    })
  const asked = () => server.received.map(({ body }) => (JSON.parse(body) as { data: Data }).data)
  const readUsers = async (tenant: { id: string }) =>
    (await service().ok<{ data: UserDetails[] }>('listUsers', { query: { tenantId: tenant.id } })).data
  const denied = { decision: 'deny', message: { en: 'Customers only.' } }

  // Guards: hooked-users
  it('decide about a user whom the management interface creates, and add metadata and a role of their own list', async () => {
    const tenant = await tenantWith(service())
    const [own, other] = [await createRole(service(), tenant.id), await createRole(service(), tenant.id)]
    const hook = await createHook(tenant, 'user.before_create', { roleIds: [own.id] })
    const body = { tenantId: tenant.id, email: `${unique()}@example.com`, publicMeta: { plan: 'free', a: 1 } }
    server.behaviour = decide(denied, hook)
    const { message } = await service().refused('createUser', 'hook_denied', { body })
    assert.equal(message, 'Customers only.')
    server.behaviour = decide({ decision: 'allow', roleId: other.id }, hook)
    await service().refused('createUser', 'hook_denied', { body })
    assert.equal((await readUsers(tenant)).length, 0)
    server.behaviour = decide({ decision: 'allow', roleId: own.id, publicMeta: { plan: 'gold' } }, hook)
    const user = await createUser(service(), tenant.id, body)
    assert.deepEqual([user.roleId, user.publicMeta], [own.id, { plan: 'gold', a: 1 }])
    assert.partialDeepStrictEqual(asked()[0], { origin: 'management', user: { id: null, email: body.email } })
  })

  // Guards: hooked-users
  it('decide about each line of an import, and refuse the lines that repeat a denied one', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, 'user.before_create')
    server.behaviour = (response, request, received) => {
      const isAllowed = received.body.includes('friend')
      decide(isAllowed ? { decision: 'allow', publicMeta: { from: 'crm' } } : denied, hook)(response, request, received)
    }
    const lines = [
      { email: 'friend@example.com' },
      { email: 'stranger@example.com' },
      { email: 'stranger@example.com' },
    ]
    const answers = await service().ok<ImportedLine[]>('importUsers', {
      query: { tenantId: tenant.id },
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    })
    assert.deepEqual(
      answers.slice(0, 3).map(({ status, issues }) => [status, issues?.[0]?.code]),
      [
        ['created', undefined],
        ['error', 'hook_denied'],
        ['error', 'hook_denied'],
      ],
    )
    const users = await readUsers(tenant)
    assert.deepEqual(
      users.map(({ publicMeta }) => publicMeta),
      [{ from: 'crm' }],
    )
  })

  // Guards: attribute-types
  it('add no value that is not of the type of an attribute, neither to a user nor to a line of an import', async () => {
    const tenant = await tenantWith(service())
    const attribute = { key: 'plan', type: 'text', label: { en: 'Plan' }, writableBy: 'server', shownAt: 'nowhere' }
    await service().ok('putAttributes', { params: { id: tenant.id }, body: { attributes: [attribute] } })
    const hook = await createHook(tenant, 'user.before_create')
    server.behaviour = decide({ decision: 'allow', publicMeta: { plan: 7 } }, hook)
    const body = { tenantId: tenant.id, email: `${unique()}@example.com` }
    await service().refused('createUser', 'hook_denied', { body })
    const query = { tenantId: tenant.id }
    const [line] = await service().ok<ImportedLine[]>('importUsers', { query, body: [{ email: body.email }] })
    assert.deepEqual([line?.status, line?.issues?.[0]?.path], ['error', '/publicMeta/plan'])
    assert.deepEqual(await readUsers(tenant), [])
  })

  // Guards: hooked-users
  it('decide about a user whom a directory provisions', async () => {
    const world = await scimWorld(service())
    const hook = await createHook(world.tenant, 'user.before_create')
    server.behaviour = decide(denied, hook)
    const { length } = await readUsers(world.tenant)
    const sent = { schemas: [userUrn], ...person(world.domain) }
    assert.equal((await world.directory.call('POST', '/Users', sent)).status, 403)
    assert.equal((await readUsers(world.tenant)).length, length)
    server.behaviour = decide({ decision: 'allow' }, hook)
    assert.equal((await world.directory.call('POST', '/Users', sent)).status, 201)
    assert.equal(asked().at(-1)?.['origin'], 'directory')
  })

  const signIn = (tenant: Tenant, identifier: string, secret: string) =>
    new Browser(service(), tenant.publicKey).call('createSignIn', {
      body: { identifier, strategy: 'email_password', password: secret },
    })

  // Guards: migrated-passwords
  it('move a user from a former system at the first sign-in, with a password that is then checked here alone', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, 'password.migrate')
    const email = `${unique()}@example.com`
    const canary = `canary ${unique()} battery staple`
    server.behaviour = (response, request, received) => {
      const { data } = JSON.parse(received.body) as { data: Data }
      const isRight = data['password'] === canary && data['identifier'] === email
      const body = isRight ? { decision: 'allow', profile: { name: 'Ada', emailVerified: true } } : { decision: 'deny' }
      decide(body, hook)(response, request, received)
    }
    assert.equal((await signIn(tenant, email, `${canary}!`)).status, 401)
    assert.equal((await readUsers(tenant)).length, 0)
    assert.equal((await signIn(tenant, email, canary)).status, 200)
    const [user] = await readUsers(tenant)
    assert.deepEqual([user?.name, user?.emailAddresses[0]?.email], ['Ada', email])
    assert.ok(user?.emailAddresses[0]?.verifiedAt)
    const calls = server.received.length
    assert.equal((await signIn(tenant, email, canary)).status, 200)
    assert.equal((await signIn(tenant, email, `${canary}!`)).status, 401)
    assert.equal(server.received.length, calls)
    assert.ok(!JSON.stringify(await dumpTables(service().deps.db)).includes(canary))
    assert.ok(!logged.join('').includes(canary))
  })

  // Guards: migrated-passwords
  it('create nobody for an answer about somebody else, without a profile, or that is not valid, whatever onFailure says', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, 'password.migrate', { onFailure: 'allow' })
    const profiles = [{ decision: 'allow' }, { decision: 'allow', profile: { email: 'other@example.com' } }]
    for (const behaviour of [...profiles.map((body) => decide(body, hook)), answer(500)]) {
      server.behaviour = behaviour
      assert.equal((await signIn(tenant, `${unique()}@example.com`, password)).status, 401)
    }
    assert.equal((await readUsers(tenant)).length, 0)
  })

  /** Imports a user whose password the former system has to check. */
  async function importForeign(tenant: Tenant, email: string, hash: string) {
    const body = [{ email, emailVerified: true, passwordHash: { algorithm: 'foreign', hash } }]
    const query = { tenantId: tenant.id }
    const [line] = await service().ok<ImportedLine[]>('importUsers', { query, body })
    assert.equal(line?.status, 'created', JSON.stringify(line))
    return line.id ?? ''
  }
  const migratedEvents = (tenant: Tenant) => storedEvents(service(), tenant.id, 'user.password_migrated')

  // Guards: migrated-passwords
  it('check the password of an imported user with a foreign hash once, after which it is stored here', async () => {
    const tenant = await tenantWith(service())
    const email = `${unique()}@example.com`
    const canary = `canary ${unique()} battery staple`
    const userId = await importForeign(tenant, email, 'sha1:of-old')
    assert.equal((await signIn(tenant, email, canary)).status, 401)
    const hook = await createHook(tenant, 'password.migrate', { onFailure: 'allow' })
    server.behaviour = answer(500)
    assert.equal((await signIn(tenant, email, canary)).status, 401)
    server.behaviour = (response, request, received) => {
      const { data } = JSON.parse(received.body) as { data: Data }
      const isRight = data['passwordHash'] === 'sha1:of-old' && data['password'] === canary
      decide({ decision: isRight ? 'allow' : 'deny' }, hook)(response, request, received)
    }
    assert.equal((await signIn(tenant, email, `${canary}!`)).status, 401)
    assert.deepEqual(await migratedEvents(tenant), [])
    assert.equal((await signIn(tenant, email, canary)).status, 200)
    assert.partialDeepStrictEqual(asked()[0], { identifier: email, identifierKind: 'email', userId })
    const calls = server.received.length
    assert.equal((await signIn(tenant, email, canary)).status, 200)
    assert.equal((await signIn(tenant, email, `${canary}!`)).status, 401)
    assert.equal(server.received.length, calls)
    assert.deepEqual(
      (await migratedEvents(tenant)).map(({ subject_id: subject }) => subject),
      [userId],
    )
    assert.ok(!JSON.stringify(await dumpTables(service().deps.db)).includes(canary))
    assert.ok(!logged.join('').includes(canary))
  })

  // Guards: migrated-passwords
  it('do not bring a foreign password back that was replaced while they were asked', async () => {
    const tenant = await tenantWith(service())
    const email = `${unique()}@example.com`
    const id = await importForeign(tenant, email, 'x')
    const hook = await createHook(tenant, 'password.migrate')
    server.behaviour = (response, request, received) =>
      void (async () => {
        await service().ok('changeUserPassword', { params: { id }, body: { password: `${password} anew` } })
        decide({ decision: 'allow' }, hook)(response, request, received)
      })()
    assert.equal((await signIn(tenant, email, password)).status, 401)
    assert.deepEqual(await migratedEvents(tenant), [])
    assert.equal((await signIn(tenant, email, password)).status, 401)
    assert.equal(server.received.length, 1)
  })

  // Guards: migrated-passwords
  it('are not sent passwords if each of their answers has the hash to check it by', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, 'password.migrate', { receivesPasswords: false })
    const secret = 'correct horse battery'
    const passwordHash = {
      algorithm: 'bcrypt',
      hash: '$2a$10$.umPE/6kJRO5OijOTz3jZ.xNQTyzOfMa51m/vIDSsy.XP0ea2/Kgi',
    }
    const profile = { name: 'Ada', emailVerified: true }
    const refusals = [
      { profile },
      { profile, passwordHash: { ...passwordHash, algorithm: 'foreign' } },
      { profile, passwordHash: { ...passwordHash, hash: passwordHash.hash.replace('$10$', '$15$') } },
      { profile, passwordHash: { ...passwordHash, hash: 'not a hash' } },
    ]
    for (const each of refusals) {
      server.behaviour = decide({ decision: 'allow', ...each }, hook)
      assert.equal((await signIn(tenant, `${unique()}@example.com`, secret)).status, 401, JSON.stringify(each))
    }
    server.behaviour = decide({ decision: 'allow', profile, passwordHash }, hook)
    const [email, imported] = [`${unique()}@example.com`, `${unique()}@example.com`]
    await importForeign(tenant, imported, 'the id there')
    for (const each of [email, imported]) {
      assert.equal((await signIn(tenant, each, `${secret}!`)).status, 401)
      assert.equal((await signIn(tenant, each, secret)).status, 200)
      assert.equal((await signIn(tenant, each, secret)).status, 200)
    }
    assert.ok(asked().every((data) => !('password' in data)))
    assert.equal(asked().length, refusals.length + 4)
    assert.equal((await readUsers(tenant)).length, 2)
  })

  it('check the foreign password that a user replaces who has signed in another way', async () => {
    const tenant = await tenantWith(service())
    const email = `${unique()}@example.com`
    await importForeign(tenant, email, 'x')
    const hook = await createHook(tenant, 'password.migrate')
    const browser = new Browser(service(), tenant.publicKey)
    const strategy = 'email_code'
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: email, strategy } })
    const { code } = await latestMessageTo(service().deps, email)
    await browser.ok('attemptFirstFactor', { params: { id: signInAttempt.id }, body: { strategy, code } })
    const body = { oldPassword: 'as of old', password: `${password} anew` }
    server.behaviour = decide({ decision: 'deny' }, hook)
    await browser.refused('updateOwnPassword', 'factor_refused', { body })
    server.behaviour = decide({ decision: 'allow' }, hook)
    await browser.ok('updateOwnPassword', { body })
    assert.equal((await signIn(tenant, email, `${password} anew`)).status, 200)
  })

  // Guards: migrated-passwords
  it('get passwords only where their hook says so, and only by https', async () => {
    const { id: tenantId } = await tenantWith(service())
    const at = (point: HookPoint, url: string, receivesPasswords?: boolean) =>
      service().refused('createHook', 'validation_failed', {
        body: { tenantId, point, url, ...(receivesPasswords === undefined ? {} : { receivesPasswords }) },
      })
    const paths = async (refused: ReturnType<typeof at>) => (await refused).issues?.map(({ path }) => path)
    const https = 'https://hooks.example/in'
    assert.deepEqual(await paths(at('password.migrate', https)), ['/receivesPasswords'])
    assert.deepEqual(await paths(at('sign_up.before', https, true)), ['/receivesPasswords'])
    assert.deepEqual(await paths(at('password.migrate', 'http://10.0.0.1/in', true)), ['/url'])
    assert.deepEqual(await paths(at('password.migrate', 'http://hooks.example/in', true)), ['/url'])
  })

  // Guards: hooked-tokens
  it('add claims to a session JWT, are asked once about the same token, and let none be issued if they deny', async () => {
    const tenant = await tenantWith(service())
    const someone = await signedInPerson(service(), tenant)
    const hook = await createHook(tenant, 'token.before_issue')
    server.behaviour = decide({ decision: 'allow', claims: { plan: 'gold', 'https://a.example/b': [1] } }, hook)
    const begin = async () => {
      const { jwt } = (await someone.begin(someone.elsewhere())) as SignInAnswer & { jwt: string }
      return claimsIn(jwt)
    }
    assert.partialDeepStrictEqual(await begin(), { plan: 'gold', 'https://a.example/b': [1], sub: someone.user.id })
    const { length } = server.received
    const calls = await service().ok<{ data: HookCall[] }>('listHookCalls', { params: { id: hook.id } })
    assert.equal(calls.data.length, length)
    await service().ok('updateUser', { params: { id: someone.user.id }, body: { name: 'Other' } })
    server.behaviour = decide(denied, hook)
    const body = { identifier: someone.email, strategy: 'email_password', password }
    const refused = await someone.elsewhere().call('createSignIn', { body })
    assert.deepEqual([refused.status, refused.text.includes('hook_denied')], [403, true])
    for (const claims of [{ sub: 'x' }, { iss: 'x' }, { claims: {} }, { a: 'x'.repeat(4096) }]) {
      server.behaviour = decide({ decision: 'allow', claims }, hook)
      assert.equal((await service().ok<HookCall>('testHook', { params: { id: hook.id } })).result, 'failed')
    }
  })

  it('deny an invitation to an organization before it is written', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, 'invitation.before_create')
    const organization = await createOrganization(service(), tenant.id)
    const body = { organizationId: organization.id, email: `${unique()}@example.com` }
    server.behaviour = decide(denied, hook)
    await service().refused('createOrganizationInvitation', 'hook_denied', { body })
    server.behaviour = decide({ decision: 'allow' }, hook)
    await service().ok('createOrganizationInvitation', { body })
    assert.partialDeepStrictEqual(asked()[0], {
      invitation: { email: body.email },
      organization: { id: organization.id },
    })
  })

  it('deny a message, let it be sent, or send it themselves; without an answer it is tried again', async () => {
    const tenant = await tenantWith(service())
    const hook = await createHook(tenant, 'message.before_send')
    const someone = await createUser(service(), tenant.id, { email: `${unique()}@example.com`, emailVerified: true })
    const email = someone.emailAddresses[0]?.email ?? ''
    const requestCode = async () => {
      const browser = new Browser(service(), tenant.publicKey)
      await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } })
      await sendMessages(service().deps)
      const [latest] = await messagesTo(service().deps, email)
      const data = await service().ok<Message>('getMessage', { params: { id: latest?.id ?? '' } })
      return [data.status, data.lastError, data.attempts]
    }
    server.behaviour = decide({ decision: 'deny' }, hook)
    assert.deepEqual(await requestCode(), ['failed', 'hook_denied', 0])
    server.behaviour = decide({ decision: 'sent' }, hook)
    assert.deepEqual(await requestCode(), ['sent', null, 1])
    const message = asked().at(-1)?.['message'] as Data
    assert.deepEqual([message['to'], message['type'], typeof message['code']], [email, 'email', 'string'])
    server.behaviour = answer(500)
    assert.deepEqual(await requestCode(), ['queued', 'hook_failed', 1])
    server.behaviour = decide({ decision: 'allow' }, hook)
    assert.deepEqual((await requestCode())[0], 'sent')
    assert.ok((await latestMessageTo(service().deps, email)).code)
  })
}

// On PostgreSQL two nodes answer in turn: what one has been told about hooks, the other knows.
describeServiceWith('hooks at every point', () => ({ log }), suite, 2)
