// What happens with each setting on, and with it off. A setting of the sign-in and sign-up groups without a row here fails the test.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type SignInAnswer,
  type SignInExplanation,
  type SignUpAnswer,
  type TenantAuthSettings,
  requiredSettings,
} from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { createSocialProvider, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const password = 'correct horse battery staple'

interface Scene {
  readonly service: TestService
  readonly tenantId: string
  readonly browser: Browser
  readonly email: string
  readonly phone: string
  readonly username: string
  readonly userId: string
}

/** Everything on, so that a row shows only what its own setting does. */
const everything: Partial<TenantAuthSettings> = {
  strategyUsernamePasswordEnabled: true,
  strategyEmailPasswordEnabled: true,
  strategyEmailLinkEnabled: true,
  strategyEmailCodeEnabled: true,
  strategyPhoneCodeEnabled: true,
  strategyPhonePasswordEnabled: true,
  strategyOAuthEnabled: true,
  phoneSignInEnabled: true,
  usernameSignInEnabled: true,
  emailVerificationLinkEnabled: true,
  phoneVerificationCodeEnabled: true,
  homeUri: 'https://app.acme.example/',
}

async function sceneWith(service: TestService, auth: Partial<TenantAuthSettings>): Promise<Scene> {
  const { tenant } = await createTenant(service)
  const email = `${unique()}@example.com`
  const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  const username = unique()
  const user = await createUser(service, tenant.id, { email, phone, username, password })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  await service.ok('verifyPhoneNumber', { body: { id: user.primaryPhoneId } })
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { ...everything, ...auth } })
  const browser = new Browser(service, tenant.publicKey)
  return { service, tenantId: tenant.id, browser, email, phone, username, userId: user.id }
}

/** The answer to the attempt in one word. */
async function withPassword({ browser }: Scene, strategy: string, identifier: string): Promise<string> {
  const answer = await browser.call<SignInAnswer>('createSignIn', { body: { identifier, strategy, password } })
  return answer.body.code ?? answer.body.data.signInAttempt.status
}

async function withCode({ browser, service }: Scene, strategy: string, identifier: string): Promise<string> {
  const begun = await browser.call<SignInAnswer>('createSignIn', { body: { identifier, strategy } })
  if (begun.status !== 200) return begun.body.code ?? ''
  const { code, link } = await latestMessageTo(service.deps, identifier)
  const proof = link === null ? code : new URL(link).hash.replace('#token=', '')
  const { id } = begun.body.data.signInAttempt
  const answer = await browser.call<SignInAnswer>('attemptFirstFactor', {
    params: { id },
    body: { strategy, code: proof ?? '' },
  })
  return answer.body.code ?? answer.body.data.signInAttempt.status
}

const signUpFields = () => ({
  email: `${unique()}@example.com`,
  phone: `+49152${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
  username: unique(),
  name: 'Ada',
  password,
})

async function signUpWithout({ browser }: Scene, ...left: string[]): Promise<string> {
  const fields = Object.entries(signUpFields()).filter(([name]) => !left.includes(name))
  const answer = await browser.call<SignUpAnswer>('createSignUp', { body: Object.fromEntries(fields) })
  if (answer.status !== 200) return answer.body.code ?? ''
  const { missingFields, missingVerifications, status } = answer.body.data.signUpAttempt
  return [status, ...missingFields, ...missingVerifications.map((name) => `verify ${name}`)].join(' ')
}

async function verifyWith({ browser, service }: Scene, strategy: string): Promise<string> {
  const fields = signUpFields()
  const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: fields })
  const params = { id: signUpAttempt.id }
  const prepared = await browser.call('prepareVerification', { params, body: { strategy } })
  if (prepared.status !== 200) return prepared.body.code ?? ''
  const message = await latestMessageTo(service.deps, strategy === 'phone_code' ? fields.phone : fields.email)
  const code = message.link === null ? message.code : new URL(message.link).hash.replace('#token=', '')
  const answer = await browser.call<SignUpAnswer>('attemptVerification', {
    params,
    body: { strategy, code: code ?? '' },
  })
  return answer.body.code ?? 'verified'
}

async function firstFactorsOf({ service, tenantId, email }: Scene): Promise<string[]> {
  const params = { id: tenantId }
  const told = await service.ok<SignInExplanation>('explainSignIn', { params, body: { identifier: email } })
  return told.firstFactors.filter(({ offered }) => offered).map(({ strategy }) => strategy)
}

interface Row {
  /** The values that other settings must have for this one to have an effect. */
  readonly given?: Partial<TenantAuthSettings>
  readonly see: (scene: Scene) => Promise<unknown>
  readonly on: unknown
  readonly off: unknown
}

const unavailable = 'strategy_unavailable'
const noVerification = { emailVerificationRequired: false, phoneVerificationRequired: false }
type BooleanName = {
  [K in keyof typeof requiredSettings]: (typeof requiredSettings)[K]['kind'] extends 'boolean' ? K : never
}[keyof typeof requiredSettings]

const rows: Readonly<Record<BooleanName, Row | 'elsewhere'>> = {
  signUpEnabled: {
    see: (scene) => signUpWithout(scene),
    on: 'needs_verification verify email',
    off: 'sign_up_disabled',
  },
  signInEnabled: {
    see: (scene) => withPassword(scene, 'email_password', scene.email),
    on: 'complete',
    off: 'sign_in_disabled',
  },
  strategyUsernamePasswordEnabled: {
    see: (scene) => withPassword(scene, 'username_password', scene.username),
    on: 'complete',
    off: unavailable,
  },
  strategyEmailPasswordEnabled: {
    see: (scene) => withPassword(scene, 'email_password', scene.email),
    on: 'complete',
    off: unavailable,
  },
  strategyPhonePasswordEnabled: {
    see: (scene) => withPassword(scene, 'phone_password', scene.phone),
    on: 'complete',
    off: unavailable,
  },
  strategyEmailLinkEnabled: {
    see: (scene) => withCode(scene, 'email_link', scene.email),
    on: 'complete',
    off: unavailable,
  },
  strategyEmailCodeEnabled: {
    see: (scene) => withCode(scene, 'email_code', scene.email),
    on: 'complete',
    off: unavailable,
  },
  strategyPhoneCodeEnabled: {
    see: (scene) => withCode(scene, 'phone_code', scene.phone),
    on: 'complete',
    off: unavailable,
  },
  // Shown with their own flows.
  strategyOAuthEnabled: 'elsewhere',
  strategyAuthenticatorCodeEnabled: 'elsewhere',
  strategySecurityKeyEnabled: 'elsewhere',
  sessionMaximumLifetimeEnabled: 'elsewhere',
  sessionInactivityTimeoutEnabled: 'elsewhere',
  passwordsEnabled: {
    see: async (scene) => [
      await withPassword(scene, 'email_password', scene.email),
      await withPassword(scene, 'username_password', scene.username),
      await withPassword(scene, 'phone_password', scene.phone),
    ],
    on: ['complete', 'complete', 'complete'],
    off: [unavailable, unavailable, unavailable],
  },
  emailSignInEnabled: {
    see: async (scene) => [
      await withPassword(scene, 'email_password', scene.email),
      await withCode(scene, 'email_code', scene.email),
      (await firstFactorsOf(scene)).filter((strategy) => strategy.startsWith('email')).length,
    ],
    on: ['complete', 'complete', 3],
    off: [unavailable, unavailable, 0],
  },
  phoneSignInEnabled: {
    see: async (scene) => [
      await withPassword(scene, 'phone_password', scene.phone),
      await withCode(scene, 'phone_code', scene.phone),
    ],
    on: ['complete', 'complete'],
    off: [unavailable, unavailable],
  },
  usernameSignInEnabled: {
    see: (scene) => withPassword(scene, 'username_password', scene.username),
    on: 'complete',
    off: unavailable,
  },
  nameRequired: {
    given: noVerification,
    see: (scene) => signUpWithout(scene, 'name'),
    on: 'missing_requirements name',
    off: 'complete',
  },
  emailRequired: {
    given: noVerification,
    see: (scene) => signUpWithout(scene, 'email'),
    on: 'missing_requirements email',
    off: 'complete',
  },
  phoneRequired: {
    given: noVerification,
    see: (scene) => signUpWithout(scene, 'phone'),
    on: 'missing_requirements phone',
    off: 'complete',
  },
  usernameRequired: {
    given: noVerification,
    see: (scene) => signUpWithout(scene, 'username'),
    on: 'missing_requirements username',
    off: 'complete',
  },
  passwordRequired: {
    given: noVerification,
    see: (scene) => signUpWithout(scene, 'password'),
    on: 'missing_requirements password',
    off: 'complete',
  },
  emailVerificationRequired: {
    given: { phoneVerificationRequired: false },
    see: async (scene) => {
      const email = `${unique()}@example.com`
      await createUser(scene.service, scene.tenantId, { email, password })
      return [await signUpWithout(scene), await withPassword(scene, 'email_password', email)]
    },
    on: ['needs_verification verify email', 'email_unverified'],
    off: ['complete', 'complete'],
  },
  phoneVerificationRequired: {
    given: { emailVerificationRequired: false },
    see: async (scene) => {
      const { phone } = signUpFields()
      await createUser(scene.service, scene.tenantId, { phone, password })
      return [await signUpWithout(scene), await withPassword(scene, 'phone_password', phone)]
    },
    on: ['needs_verification verify phone', 'phone_unverified'],
    off: ['complete', 'complete'],
  },
  emailVerificationCodeEnabled: { see: (scene) => verifyWith(scene, 'email_code'), on: 'verified', off: unavailable },
  emailVerificationLinkEnabled: { see: (scene) => verifyWith(scene, 'email_link'), on: 'verified', off: unavailable },
  phoneVerificationCodeEnabled: { see: (scene) => verifyWith(scene, 'phone_code'), on: 'verified', off: unavailable },
}

describeService('the settings of a tenant', (service) => {
  for (const [name, row] of Object.entries(rows)) {
    if (row === 'elsewhere') continue
    for (const value of [true, false]) {
      // Guards: switched-off, asvs-without-mail
      it(`${name} ${value ? 'on' : 'off'} does what it says`, async () => {
        const scene = await sceneWith(service(), { ...row.given, [name]: value })
        assert.deepEqual(await row.see(scene), value ? row.on : row.off)
      })
    }
  }

  it('are explained by the rules that the flows use', async () => {
    const scene = await sceneWith(service(), { strategyEmailLinkEnabled: false })
    const params = { id: scene.tenantId }
    const told = await scene.service.ok<SignInExplanation>('explainSignIn', {
      params,
      body: { identifier: scene.email },
    })
    const { signInAttempt } = await scene.browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: scene.email },
    })
    const offered = told.firstFactors.filter((step) => step.offered).map(({ strategy }) => strategy)
    assert.deepEqual(signInAttempt.supportedFirstFactors, offered)
    assert.deepEqual([told.canSignIn, told.reasons], [true, []])
    const link = told.firstFactors.find(({ strategy }) => strategy === 'email_link')
    assert.deepEqual(link?.reasons, ['strategyEmailLinkEnabled is off'])
    await scene.service.ok('suspendUser', { params: { id: scene.userId } })
    const suspended = await scene.service.ok<SignInExplanation>('explainSignIn', {
      params,
      body: { identifier: scene.email },
    })
    assert.deepEqual([suspended.canSignIn, suspended.reasons], [false, ['the user is suspended']])
    await createSocialProvider(scene.service, scene.tenantId)
    const social = async (identifier: string) => {
      const { firstFactors } = await scene.service.ok<SignInExplanation>('explainSignIn', {
        params,
        body: { identifier },
      })
      return firstFactors.find(({ strategy }) => strategy === 'oauth')?.reasons
    }
    assert.deepEqual(await social(scene.email), [], 'an account with the verified address can be connected')
    assert.deepEqual(await social(scene.username), ['the user has connected no social account'])
    const nobody = await scene.service.ok<SignInExplanation>('explainSignIn', {
      params,
      body: { identifier: 'nobody@example.com' },
    })
    assert.equal(nobody.user, null)
    assert.ok(nobody.reasons.includes('no user has this identifier'))
  })
})
