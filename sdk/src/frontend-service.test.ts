// The frontend's client against the real service, as an app would use it.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { frontendEndpoints } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { BailiwickFrontend, createFrontendClient, createMemoryTokenStore } from '@bailiwick/sdk/frontend'
import { createJwtVerifier } from '@bailiwick/sdk/jwt'
import { connectionOperations } from '@bailiwick/sdk/organization-connections'
import { createTenant, createUser, unique } from '../../server/test/harness/factories.ts'
import { latestMessageTo } from '../../server/test/harness/messages.ts'
import { describeService } from '../../server/test/harness/service.ts'
import { describeFailure } from '../test/answers.ts'

const password = 'correct horse battery staple'

describeService("the frontend's client", (service) => {
  let origin: string
  before(async () => {
    origin = await service().app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => service().app.server.closeAllConnections())

  function createApp(publicKey: string) {
    const tokens = createMemoryTokenStore()
    return { tokens, app: new BailiwickFrontend({ baseUrl: `${origin}/frontend/api/v0`, publicKey, tokens }) }
  }

  it('has every operation of the frontend interface', async () => {
    const { app } = createApp('pk_dev_1')
    const rare = Object.keys(connectionOperations)
    assert.ok(rare.length >= 14)
    const all = Object.keys(frontendEndpoints).filter((id) => !rare.includes(id))
    assert.deepEqual(Object.keys(app).toSorted(), [...all, 'token'].toSorted())
    const options = { baseUrl: `${origin}/frontend/api/v0`, publicKey: 'pk_dev_1' }
    assert.deepEqual(
      Object.keys(createFrontendClient(options, connectionOperations)).toSorted(),
      [...rare, 'token'].toSorted(),
    )
  })

  it('signs a user up, in and out, and provides JWTs that the verifier accepts', async () => {
    const { tenant } = await createTenant(service())
    const { app, tokens } = createApp(tenant.publicKey)
    const email = `${unique()}@example.com`
    const { signUpAttempt } = await app.createSignUp({ body: { email, name: 'Ada', password } })
    const params = { id: signUpAttempt.id }
    await app.prepareVerification({ params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service().deps, email)
    const done = await app.attemptVerification({ params, body: { strategy: 'email_code', code: code ?? '' } })
    assert.equal(done.signUpAttempt.status, 'complete')
    const { user } = await app.getProfile()
    assert.equal(user.name, 'Ada')

    const jwt = await app.token()
    assert.equal(await app.token(), jwt)
    const verify = createJwtVerifier({
      issuer: JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).iss,
      audience: tenant.publicKey,
      jwksUrl: `${origin}/frontend/api/v0/.well-known/jwks.json?publicKey=${tenant.publicKey}`,
    })
    assert.equal((await verify(jwt)).sub, user.id)

    await app.endOwnSessions()
    assert.equal(await tokens.get('session'), undefined)
    assert.equal((await describeFailure(app.getProfile())).code, 'unauthenticated')
    const body = { identifier: email, strategy: 'email_password', password } as const
    assert.equal((await app.createSignIn({ body })).signInAttempt.status, 'complete')
    assert.equal((await app.getProfile()).user.id, user.id)
  })

  it('signs in again after a session was ended from elsewhere', async () => {
    const { tenant } = await createTenant(service())
    const email = `${unique()}@example.com`
    const { id, primaryEmailId } = await createUser(service(), tenant.id, { email, password })
    await service().ok('verifyEmailAddress', { body: { id: primaryEmailId } })
    const { app, tokens } = createApp(tenant.publicKey)
    const body = { identifier: email, strategy: 'email_password', password } as const
    const { session } = await app.createSignIn({ body })
    await service().ok('deleteSession', { params: { id: session?.id ?? '' } })
    const error = await describeFailure(app.token())
    assert.ok(isBailiwickError(error, 'unauthenticated'))
    assert.equal(await tokens.get('session'), undefined)
    await app.createSignIn({ body })
    assert.equal((await app.getProfile()).user.id, id)
  })

  it('reports a wrong password as an error with its code', async () => {
    const { tenant } = await createTenant(service())
    const { app } = createApp(tenant.publicKey)
    const body = { identifier: 'nobody@example.com', strategy: 'email_password', password } as const
    assert.equal((await describeFailure(app.createSignIn({ body }))).code, 'factor_refused')
  })
})
