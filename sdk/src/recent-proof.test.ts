// Step-up on the server side of an app, against the real service.
import assert from 'node:assert/strict'
import { after, afterEach, before, it, mock } from 'node:test'
import { AuthError, createAuthenticator } from '@bailiwick/sdk/server'
import { createTenant, createUser } from '../../server/test/harness/factories.ts'
import { openSession } from '../../server/test/harness/people/sessions.ts'
import { describeService } from '../../server/test/harness/service.ts'
import { serviceIssuer } from '../test/service-issuer.ts'

describeService('a recent proof', (service) => {
  let origin: string
  before(async () => {
    origin = await service().app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => service().app.server.closeAllConnections())
  afterEach(() => mock.timers.reset())

  async function jwtOf(session: string, publicKey: string): Promise<string> {
    const response = await fetch(`${origin}/frontend/api/v0/user/sessions/token`, {
      method: 'POST',
      headers: { 'x-public-key': publicKey, authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const { data } = (await response.json()) as { data: { jwt: string } }
    return data.jwt
  }

  it('is required, or one by a second factor, and its absence is answered as RFC 9470 says', async () => {
    const { tenant } = await createTenant(service())
    const { id: userId } = await createUser(service(), tenant.id)
    const { options } = await serviceIssuer(service(), origin, tenant)
    const { verifyRequest } = createAuthenticator(options)
    const authOf = async (session: string) => {
      const authorization = `Bearer ${await jwtOf(session, tenant.publicKey)}`
      return verifyRequest(new Request('https://app.example.com/payments', { headers: { authorization } }))
    }
    const auth = await authOf((await openSession(service(), tenant.id, userId)).token)
    assert.ok(auth.authenticatedAt !== undefined && Date.now() - auth.authenticatedAt.getTime() < 60_000)
    assert.deepEqual([auth.hasSecondFactor, auth.methods], [false, []])
    auth.requireRecent({ maxAge: 300 })
    const challengeOf = (run: () => void) => {
      try {
        run()
      } catch (error) {
        if (error instanceof AuthError) return [error.code, error.status, error.headers['www-authenticate']]
      }
      return undefined
    }
    const refused = (challenge: string) => [
      'insufficient_authentication',
      401,
      `Bearer error="insufficient_user_authentication", ${challenge}`,
    ]
    const strong = { level: 'second_factor', maxAge: 300 } as const
    const both = refused('acr_values="urn:bailiwick:2fa", max_age="300"')
    assert.deepEqual(
      challengeOf(() => auth.requireRecent(strong)),
      both,
    )
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 301_000 })
    assert.deepEqual(
      challengeOf(() => auth.requireRecent({ maxAge: 300 })),
      refused('max_age="300"'),
    )
    mock.timers.reset()
    const proof = { factors: ['email_password', 'authenticator_code'], isTwoFactors: true } as const
    const { token } = await openSession(service(), tenant.id, userId, { proof })
    const proven = await authOf(token)
    assert.deepEqual(proven.methods, ['pwd', 'otp', 'mfa'])
    proven.requireRecent(strong)
    const place = { params: { id: userId }, body: { reason: 'Ticket 4711' } }
    const { sessionToken } = await service().ok<{ sessionToken: string }>('impersonateUser', place)
    const other = await authOf(sessionToken)
    assert.ok(!other.hasRecent())
  })
})
