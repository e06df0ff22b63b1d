// A tenant that exists for a test.
import { setTimeout as sleep } from 'node:timers/promises'
import { Bailiwick } from '@bailiwick/sdk'
import { BailiwickFrontend, createMemoryTokenStore } from '@bailiwick/sdk/frontend'
import { secondsOfDuration } from './duration.ts'
import { type Seeded, type TestSeed, type TestUser, type TestUserInput, createTestUser, plantSeed } from './seed.ts'
import { TestSession } from './test-session.ts'

/** A message that the service has caught instead of sending it. */
export type CaughtMessage = Awaited<ReturnType<Bailiwick['listInboxMessages']>>['data'][number]

/** The code of every address with `+test` and every reserved phone number. */
const testCode = '424242'
const waitMsDefault = 10_000
const pauseMs = 50

interface Facts {
  /** The variables by which an app knows the tenant, such as `BAILIWICK_TENANT_ID`. */
  readonly env: Readonly<Record<string, string>>
  readonly remove: () => Promise<void>
}

const variable = (env: Facts['env'], name: string): string => {
  const value = env[name]
  if (value === undefined) throw new TypeError(`the environment of the tenant has no ${name}`)
  return value
}

/** Made by {@link createTestTenant}. */
export class TestTenant {
  readonly id: string
  readonly publicKey: string
  /** The variables that the app needs, for `process.env` or the environment of its process. */
  readonly env: Readonly<Record<string, string>>
  /** The management interface, with the tenant's secret key. */
  readonly bailiwick: Bailiwick
  readonly #frontendUrl: string
  readonly #remove: () => Promise<void>
  #aheadMs = 0

  constructor({ env, remove }: Facts) {
    this.env = env
    this.id = variable(env, 'BAILIWICK_TENANT_ID')
    this.publicKey = variable(env, 'BAILIWICK_PUBLIC_KEY')
    this.#frontendUrl = variable(env, 'BAILIWICK_FRONTEND_API_URL')
    this.#remove = remove
    this.bailiwick = new Bailiwick({
      baseUrl: variable(env, 'BAILIWICK_API_URL'),
      secretKey: variable(env, 'BAILIWICK_SECRET_KEY'),
    })
  }

  /** Creates roles, users with passwords, and organizations with members. */
  seed(seed: TestSeed): Promise<Seeded> {
    return plantSeed({ bailiwick: this.bailiwick, tenantId: this.id }, seed)
  }

  /** Creates a user with a verified e-mail address and a password. */
  createUser(input: TestUserInput = {}): Promise<TestUser> {
    return createTestUser({ bailiwick: this.bailiwick, tenantId: this.id }, input)
  }

  /**
   * Signs a user in as a browser does: by the password if there is one, otherwise by the code that test addresses have.
   * @throws BailiwickError as the operations do; TypeError if the sign-in needs another step, such as a second factor.
   */
  async signIn(user: Pick<TestUser, 'email'> & Partial<TestUser>): Promise<TestSession> {
    const tokens = createMemoryTokenStore()
    const frontend = new BailiwickFrontend({ baseUrl: this.#frontendUrl, publicKey: this.publicKey, tokens })
    const identifier = user.email
    const { password } = user
    const answer = await (password === undefined
      ? this.#byCode(frontend, identifier)
      : frontend.createSignIn({ body: { identifier, strategy: 'email_password', password } }))
    const token = await tokens.get('session')
    if (token === undefined || answer.session === undefined) {
      throw new TypeError(`the sign-in of ${identifier} is not complete: it ${answer.signInAttempt.status}`)
    }
    return new TestSession({
      userId: answer.session.userId,
      token,
      tenantId: this.id,
      origin: this.#frontendUrl,
      jwt: async () => (await frontend.createOwnToken({ body: {} })).jwt,
    })
  }

  async #byCode(frontend: BailiwickFrontend, identifier: string) {
    const { signInAttempt } = await frontend.createSignIn({ body: { identifier, strategy: 'email_code' } })
    const body = { strategy: 'email_code', code: testCode } as const
    return frontend.attemptFirstFactor({ params: { id: signInAttempt.id }, body })
  }

  /**
   * Returns the newest message to an address or number, and waits for it if there is none yet.
   * @param after only a message that is newer than this one.
   * @throws Error if there is none after ten seconds, or `timeoutMs`.
   */
  async lastMessage(
    to: string,
    { after, timeoutMs = waitMsDefault }: { readonly after?: CaughtMessage; readonly timeoutMs?: number } = {},
  ): Promise<CaughtMessage> {
    const endsAt = Date.now() + timeoutMs
    for (;;) {
      const { data } = await this.bailiwick.listInboxMessages({ params: { id: this.id }, query: { to, perPage: '1' } })
      const [message] = data
      if (message !== undefined && (after === undefined || message.createdAt > after.createdAt)) return message
      if (Date.now() >= endsAt) throw new Error(`no message to ${to} was caught in ${timeoutMs} ms`)
      await sleep(pauseMs)
    }
  }

  /**
   * Moves the clock of the tenant ahead, for sessions, codes, invitations, tokens, lock-outs and limits; nothing else waits.
   * @param duration a number of seconds, or a text such as `15m`, `12h` or `30d`.
   * @throws TypeError, BailiwickError
   */
  async advanceClock(duration: number | string): Promise<void> {
    const params = { id: this.id }
    const { aheadSeconds } = await this.bailiwick.getTenantClock({ params })
    const moved = aheadSeconds + secondsOfDuration(duration)
    await this.bailiwick.putTenantClock({ params, body: { aheadSeconds: moved } })
    this.#aheadMs = moved * 1000
  }

  /** Sets the clock of the tenant to the real time again. What was made meanwhile keeps its times. */
  async resetClock(): Promise<void> {
    await this.bailiwick.resetTenantClock({ params: { id: this.id } })
    this.#aheadMs = 0
  }

  /** Returns the time of the tenant in milliseconds since 1970: what the app's `bailiwickAuth({ now })` checks tokens by. */
  readonly now = (): number => Date.now() + this.#aheadMs

  /** Deletes the tenant. */
  dispose(): Promise<void> {
    return this.#remove()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
