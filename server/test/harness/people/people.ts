// End users who are signed in, with what they have set up.
import type { SignInAnswer, User } from '@bailiwick/contract'
import { HOTP, Secret } from 'otpauth'
import { Browser } from '../browser/frontend.ts'
import {
  type AnswerOptions,
  type CreationOptions,
  type RequestOptions,
  SoftwareAuthenticator,
} from '../browser/software-authenticator.ts'
import { createTenant, createUser, unique } from '../factories.ts'
import type { TestService } from '../service.ts'

export const password = 'correct horse battery staple'

export class Person {
  readonly service: TestService
  readonly tenantId: string
  readonly publicKey: string
  readonly user: User
  readonly email: string
  readonly browser: Browser

  constructor(service: TestService, tenant: { id: string; publicKey: string }, user: User, email: string) {
    this.service = service
    this.tenantId = tenant.id
    this.publicKey = tenant.publicKey
    this.user = user
    this.email = email
    this.browser = new Browser(service, tenant.publicKey)
  }

  /** Another browser, which has none of this one's cookies. */
  elsewhere = () => new Browser(this.service, this.publicKey)

  /** The first factor, by password. */
  begin = (browser = this.browser) =>
    browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: this.email, strategy: 'email_password', password },
    })

  /** Sets up an authenticator app. */
  async addApp() {
    const { secret } = await this.browser.ok<{ secret: string; uri: string }>('createAuthenticatorCode')
    const code = this.codeOf(secret)
    const { recoveryCodes } = await this.browser.ok<{ recoveryCodes: string[] }>('confirmAuthenticatorCode', {
      body: { code },
    })
    return { secret, code, recoveryCodes }
  }

  /** Returns what the app shows, that many steps from now. */
  codeOf(secret: string, steps = 0): string {
    const counter = Math.floor(this.service.deps.clock.nowMs() / 30_000) + steps
    return HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6 })
  }

  async passkeyOptions(browser = this.browser) {
    const data = await browser.ok<{ publicKeyOptions: CreationOptions }>('createPasskeyOptions')
    return data.publicKeyOptions
  }

  /** Adds a passkey. */
  async addPasskey(key = new SoftwareAuthenticator(), name = 'Laptop') {
    const credential = key.create(await this.passkeyOptions())
    const data = await this.browser.ok<{ passkey: { id: string }; recoveryCodes?: string[] }>('createPasskey', {
      body: { credential, name },
    })
    return { key, ...data }
  }
}

/** A new user of a new or given tenant, signed in with a password. */
export async function signedInPerson(
  service: TestService,
  tenant?: { id: string; publicKey: string },
): Promise<Person> {
  const home = tenant ?? (await createTenant(service)).tenant
  const email = `${unique()}@example.com`
  const user = await createUser(service, home.id, { email, password, name: 'Ada' })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  const person = new Person(service, home, user, email)
  await person.begin()
  return person
}

/** Begins to sign in with a passkey, without an identifier. */
export async function preparePasskey(browser: Browser, body: object = {}) {
  const data = await browser.ok<SignInAnswer>('createSignIn', { body: { strategy: 'security_key', ...body } })
  return { id: data.signInAttempt.id, options: data.publicKeyOptions as RequestOptions, data }
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(browser: Browser, key: SoftwareAuthenticator, answer: AnswerOptions = {}) {
  const { id, options } = await preparePasskey(browser)
  return browser.call<SignInAnswer>('attemptFirstFactor', {
    params: { id },
    body: { strategy: 'security_key', credential: key.get(options, answer) },
  })
}
