// Sends every kind of secret wherever another kind is accepted: each is refused like an invented one, and only the right kind is accepted.
// Regression: better-auth CVE-2026-110862, where the state of a social sign-in was accepted as the token of a link.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnOrganization, SignInAnswer, UserApiKeyCheck, UserApiKeyWithKey } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { createApiKey, createTenant, createUpload, sendBytes, unique } from '../harness/factories.ts'
import { png } from '../harness/files/images.ts'
import { invitationTokenTo, latestMessageTo } from '../harness/messages.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { password, signedInPerson } from '../harness/people/people.ts'
import { openSession, signInConsoleUser } from '../harness/people/sessions.ts'
import { begin, createSocialWorld, person as someoneElsewhere } from '../harness/people/social-sign-in.ts'
import { type Answer, type TestService, describeNodesInTurn, operatorKey } from '../harness/service.ts'

const page = 'http://localhost:3000/in'

interface Place {
  /** The kind that is accepted there. */
  readonly own: string
  readonly offer: (token: string) => Promise<Answer>
}

/** One secret of every kind, none of them used up. */
async function secretsOf(service: TestService, idp: FakeIdentityProvider) {
  const { tenant, secretKey } = await createTenant(service)
  await service.ok('putAuthTenant', {
    params: { id: tenant.id },
    body: { strategyEmailLinkEnabled: true, redirectUris: [page], userApiKeysEnabled: true },
  })
  const person = await signedInPerson(service, tenant)
  const { recoveryCodes } = await person.addApp()
  const app = () => new Browser(service, tenant.publicKey, { 'x-session-transport': 'body' })
  const identifier = person.email

  const linkFlow = app()
  const link = await linkFlow.ok<SignInAnswer>('createSignIn', {
    body: { identifier, strategy: 'email_link', redirectUri: page },
  })
  const sent = await latestMessageTo(service.deps, identifier)
  const codeFlow = app()
  const code = await codeFlow.ok<SignInAnswer>('createSignIn', { body: { identifier, strategy: 'email_code' } })
  const signInCode = (await latestMessageTo(service.deps, identifier)).code ?? ''
  const secondFlow = app()
  const second = await secondFlow.ok<SignInAnswer>('createSignIn', {
    body: { identifier, strategy: 'email_password', password },
  })
  const { passwordReset } = await person.elsewhere().ok<{ passwordReset: { id: string } }>('createPasswordReset', {
    body: { identifier },
  })
  const resetCode = (await latestMessageTo(service.deps, identifier)).code ?? ''

  const { organization } = await person.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
    body: { name: 'Research' },
  })
  const guest = await signedInPerson(service, tenant)
  await person.browser.ok('sendInvitation', { params: { id: organization.id }, body: { email: guest.email } })
  const invitation = await invitationTokenTo(service.deps, guest.email)

  const { key: apiKey } = await service.ok<UserApiKeyWithKey>('createUserApiKey', {
    body: { tenantId: tenant.id, userId: person.user.id, name: 'Script' },
  })
  const social = await createSocialWorld(service, idp)
  const begun = await begin(social.browser)
  const back = idp.agree(begun.authorizeUri, someoneElsewhere())
  const session = await openSession(service, tenant.id, person.user.id)
  const { jwt } = await person.browser.ok<{ jwt: string }>('createOwnToken', { body: {} })
  const upload = await createUpload(service, tenant.id)
  const uploadUrl = new URL(upload.uploadUrl)

  const secrets: Record<string, string> = {
    'the operator key': operatorKey,
    'the secret key': secretKey,
    'the public key': tenant.publicKey,
    'an API key': (await createApiKey(service, tenant.id, ['users:read'])).key,
    'an API key of a user': apiKey,
    'a console session': (await signInConsoleUser(service)).token,
    'a session': session.token,
    'a JWT': jwt,
    'a device': [...person.browser.cookies].find(([name]) => name.startsWith('__Host-device'))?.[1] ?? '',
    'a flow': String(link.flowToken),
    'a link': new URL(sent.link ?? '').hash.replace('#token=', ''),
    'a code': signInCode,
    'a code of a reset': resetCode,
    'a recovery code': recoveryCodes[0] ?? '',
    'an invitation': invitation,
    'a state': back.searchParams.get('state') ?? '',
    'a code of a provider': back.searchParams.get('code') ?? '',
    'an upload': uploadUrl.pathname.split('/').at(-1) ?? '',
  }

  const held = (answer: SignInAnswer) => ({ 'x-flow-token': String(answer.flowToken) })
  const stateAt = (token: string) => {
    const url = new URL(back)
    url.searchParams.set('state', token)
    return social.browser.visit(url)
  }
  const places: Record<string, Place> = {
    'the management interface, as the operator': {
      own: 'the operator key',
      offer: (token) => service.call('createTenant', { token, body: { name: unique(), environment: 'development' } }),
    },
    'the management interface, with rights in the tenant': {
      own: 'the secret key',
      offer: (token) => service.call('createUser', { token, body: { tenantId: tenant.id } }),
    },
    'the management interface, beside the public key': {
      own: 'the secret key',
      offer: (token) =>
        service.call('getTenant', {
          token: null,
          params: { id: tenant.id },
          headers: { 'x-public-key': tenant.publicKey, 'x-secret-key': token },
        }),
    },
    'the cookie of the console': {
      own: 'a console session',
      offer: (token) => service.call('whoAmI', { token: null, headers: { cookie: `__Host-console=${token}` } }),
    },
    'the public key of the frontend interface': {
      own: 'the public key',
      offer: (token) =>
        new Browser(service, token, { 'x-session-transport': 'body' }).call('getSignIn', {
          params: { id: link.signInAttempt.id },
          headers: held(link),
        }),
    },
    'the Bearer of a read of the frontend interface': {
      own: 'a session',
      offer: (token) => app().call('getProfile', { headers: { authorization: `Bearer ${token}` } }),
    },
    'the Bearer of a change of the frontend interface': {
      own: 'a session',
      offer: (token) =>
        app().call('updateProfile', { body: { name: 'Ada' }, headers: { authorization: `Bearer ${token}` } }),
    },
    'the cookie of a session': {
      own: 'a session',
      offer: (token) =>
        person.elsewhere().call('getProfile', { headers: { cookie: `__Host-sid-${tenant.id}=${token}` } }),
    },
    'the header of a flow': {
      own: 'a flow',
      offer: (token) =>
        app().call('getSignIn', { params: { id: link.signInAttempt.id }, headers: { 'x-flow-token': token } }),
    },
    'an invitation': {
      own: 'an invitation',
      offer: (token) => guest.browser.call('acceptInvitation', { params: { token } }),
    },
    'the way back from a provider': { own: 'a state', offer: stateAt },
    'a second factor': {
      own: 'a recovery code',
      offer: (token) =>
        app().call('attemptSecondFactor', {
          params: { id: second.signInAttempt.id },
          headers: held(second),
          body: { strategy: 'authenticator_code', code: token.slice(0, 128) },
        }),
    },
    'the token of a link': {
      own: 'a link',
      offer: (token) =>
        app().call('attemptFirstFactor', {
          params: { id: link.signInAttempt.id },
          headers: held(link),
          body: { strategy: 'email_link', code: token.slice(0, 128) },
        }),
    },
    'the code of a sign-in': {
      own: 'a code',
      offer: (token) =>
        app().call('attemptFirstFactor', {
          params: { id: code.signInAttempt.id },
          headers: held(code),
          body: { strategy: 'email_code', code: token.slice(0, 128) },
        }),
    },
    'the ticket of a social account': {
      own: 'nothing here',
      offer: (token) =>
        app().call('confirmOwnConnection', {
          headers: { authorization: `Bearer ${session.token}`, ...held(link) },
          body: { code: token.slice(0, 128) },
        }),
    },
    'the code of a reset': {
      own: 'a code of a reset',
      offer: (token) =>
        app().call('attemptPasswordReset', {
          params: { id: passwordReset.id },
          body: { code: token.slice(0, 128), password: 'a horse of another battery' },
        }),
    },
    'the check of API keys of users': {
      own: 'an API key of a user',
      offer: async (key) => {
        const answer = await service.call<UserApiKeyCheck>('verifyUserApiKey', {
          body: { tenantId: tenant.id, key: key.slice(0, 256) },
        })
        // An error has no `valid`, and keeps its own status.
        return 'valid' in answer.body && !answer.body.valid ? { ...answer, status: 403 } : answer
      },
    },
    'the question of a gateway': {
      own: 'an API key of a user',
      offer: (key) =>
        service.call('authorizeUserApiKey', {
          query: { tenantId: tenant.id },
          headers: { 'x-api-key': key.slice(0, 256) },
        }),
    },
    'the address of an upload': {
      own: 'an upload',
      offer: (token) => {
        const url = new URL(uploadUrl)
        url.pathname = url.pathname.replace(/[^/]+$/, token)
        return sendBytes(service, url.href, png(1, 1))
      },
    },
  }
  return { secrets, places, userId: person.user.id }
}

describeNodesInTurn('a secret of one kind', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  /** So that none is refused because there were too many. */
  const forgive = () =>
    service().deps.db.transaction(async (tx) => {
      await tx.run(sql`DELETE FROM guesses`)
      await tx.run(sql`DELETE FROM quotas`)
      await tx.run(sql`UPDATE verifications SET tries_left = 5`)
    })

  // Guards: kinds-of-secrets
  it('is accepted in its own place, and nowhere else', async () => {
    const { secrets, places } = await secretsOf(service(), idp)
    assert.equal(new Set(Object.values(secrets)).size, Object.keys(secrets).length)
    for (const [name, secret] of Object.entries(secrets)) assert.ok(secret.length >= 6, name)
    let refusals = 0
    for (const [place, { own, offer }] of Object.entries(places)) {
      for (const [kind, secret] of Object.entries(secrets)) {
        if (kind === own || overlaps.has(`${kind} at ${place}`)) continue
        await forgive()
        const { status, text } = await offer(secret)
        assert.ok([400, 401, 403, 404, 409].includes(status), `${kind} at ${place}: ${status} ${text}`)
        refusals++
      }
    }
    assert.ok(refusals > 270, String(refusals))
    for (const [place, { own, offer }] of Object.entries(places)) {
      const secret = secrets[own]
      if (secret === undefined) continue
      await forgive()
      const { status, text } = await offer(secret)
      assert.ok(status === 200 || status === 303, `${own} at ${place}: ${status} ${text}`)
    }
  })
})

/** Credentials of one interface, whose rights overlap. */
const overlaps = new Set([
  'a JWT at the Bearer of a read of the frontend interface',
  'the operator key at the management interface, with rights in the tenant',
  'a console session at the management interface, as the operator',
])
