// Two accounts with second factors, and a model of what each step may lead to: it is kept beside the service, and never read from it.
import assert from 'node:assert/strict'
import type { SignInAnswer, SignInStrategy } from '@bailiwick/contract'
import type { Browser } from '../harness/browser/frontend.ts'
import { type RequestOptions, SoftwareAuthenticator } from '../harness/browser/software-authenticator.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import type { Answer, TestService } from '../harness/service.ts'
import {
  type Account,
  type Surroundings,
  changeAccount,
  createAccount,
  hasSecondFactor,
  stepMs,
} from './factor-accounts.ts'
import { type CodeStrategy, type Setting, type Step, settingOf, settings } from './factor-steps.ts'

interface Attempt {
  readonly id: string
  readonly browser: number
  isOpen: boolean
  expiresAtMs: number
  /** What was last sent for it, by strategy, and to whom. */
  readonly sent: Map<CodeStrategy, { readonly account: number; readonly code: string }>
  /** The user it belongs to, as far as that is known, and the number that the account had then. */
  account: number
  phones: number
  first: { readonly account: number; readonly strategy: SignInStrategy; readonly passwords: number } | undefined
  /** The challenge that a passkey has last answered. */
  answered: RequestOptions | undefined
}

interface Session {
  readonly account: number
  readonly sinceMs: number
}

type SignInReply = Answer<{ status: string; code?: string; data?: SignInAnswer }>
const freshMs = 10 * 60_000

export class FactorWorld {
  readonly reached = { sessions: 0, raised: 0 }
  readonly #around: Surroundings
  readonly #service: TestService
  readonly #on: Set<Setting>
  readonly #accounts: readonly Account[]
  readonly #browsers: readonly Browser[]
  readonly #attempts: Attempt[] = []
  readonly #sessions = new Map<number, Session>()

  private constructor(around: Surroundings, accounts: readonly Account[]) {
    this.#around = around
    this.#service = around.service
    this.#on = around.on
    this.#accounts = accounts
    this.#browsers = [0, 1].map(() => accounts[0]?.person.elsewhere() as Browser)
  }

  static async create(service: TestService, advance: (ms: number) => void): Promise<FactorWorld> {
    const tenant = await tenantWith(service, { strategyPhoneCodeEnabled: true, phoneSignInEnabled: true })
    const around = { service, advance, tenant, on: new Set<Setting>(settings) }
    const accounts = [await createAccount(around), await createAccount(around)]
    advance(stepMs)
    return new FactorWorld(around, accounts)
  }

  get #nowMs() {
    return this.#service.deps.clock.nowMs()
  }

  #account(n: number): Account {
    const account = this.#accounts[n]
    if (account === undefined) throw new Error(`no account ${n}`)
    return account
  }

  #browser(n: number): Browser {
    const browser = this.#browsers[n]
    if (browser === undefined) throw new Error(`no browser ${n}`)
    return browser
  }

  async take(taken: Step): Promise<void> {
    switch (taken.do) {
      case 'begin':
        return this.#begin(taken)
      case 'send':
        return this.#send(taken)
      case 'code':
      case 'password':
        return this.#first(taken)
      case 'second':
        return this.#second(taken)
      case 'key':
        return this.#key(taken)
      case 'raise':
        return this.#raise(taken.browser)
      case 'change':
        return this.#change(taken.account, taken.what)
      case 'switch':
        return this.#switch(taken.setting, taken.isOn)
      case 'wait':
        return this.#around.advance(taken.minutes * 60_000)
    }
  }

  async #begin({ browser: n, account, by }: Step & { do: 'begin' }) {
    const { person, phones } = this.#account(account)
    const body = { identifier: by === 'email' ? person.email : phones.at(-1)?.phone }
    const answer: SignInReply = await this.#browser(n).call<SignInAnswer>('createSignIn', { body })
    assert.equal(answer.body.data?.session, undefined)
    if (answer.status !== 200 || answer.body.data === undefined) return
    const { id, expiresAt } = answer.body.data.signInAttempt
    // A browser holds the token of the attempt that it began last.
    for (const each of this.#attempts) if (each.browser === n) each.isOpen = false
    const known = {
      expiresAtMs: Date.parse(expiresAt),
      phones: phones.length,
      sent: new Map(),
      first: undefined,
      answered: undefined,
    }
    this.#attempts.push({ id, browser: n, account, isOpen: true, ...known })
  }

  async #send({ browser, attempt: back, strategy: name }: Step & { do: 'send' }) {
    const found = this.#attempts.at(-1 - back)
    if (found === undefined) return
    const step_ = { params: { id: found.id }, body: { strategy: name } }
    const { status } = await this.#browser(browser).call('prepareFirstFactor', step_)
    if (status !== 200) return
    const { person, phones } = this.#account(found.account)
    // Nothing is sent to a number that nobody has any more.
    if (name === 'phone_code' && found.phones !== phones.length) return
    const to = name === 'email_code' ? person.email : (phones.at(-1)?.phone ?? '')
    const { code } = await latestMessageTo(this.#service.deps, to)
    if (code !== null) found.sent.set(name, { account: found.account, code })
  }

  /** The user who proved a first factor, as far as the model knows. */
  async #first(taken: Step & { do: 'code' | 'password' }) {
    const found = this.#attempts.at(-1 - taken.attempt)
    if (found === undefined) return
    const isOpen = this.#isOpen(found, taken.browser)
    const call = (body: object) =>
      this.#browser(taken.browser).call<SignInAnswer>('attemptFirstFactor', { params: { id: found.id }, body })
    let answer: SignInReply
    let isGood: boolean
    let name: SignInStrategy
    if (taken.do === 'password') {
      name = 'email_password'
      const said = taken.as
      const { person, passwords } = this.#account(said ?? found.account)
      const given = { right: passwords.at(-1), earlier: passwords.at(-2), wrong: 'not the right one' }[taken.with]
      const body = { strategy: name, password: given ?? 'not the right one' }
      answer = await call(said === undefined ? body : { ...body, identifier: person.email })
      // The named user is recorded before the proof is judged.
      if (said !== undefined && isOpen && found.first === undefined) {
        Object.assign(found, { account: said, phones: this.#account(said).phones.length })
      }
      isGood = taken.with === 'right'
    } else {
      name = taken.strategy
      const sent = found.sent.get(taken.strategy)
      const other = this.#attempts.find((each) => each !== found && each.sent.has(taken.strategy))
      const codes = { newest: sent?.code, 'of another': other?.sent.get(taken.strategy)?.code, junk: '00000x' }
      const code = codes[taken.with]
      answer = await call({ strategy: name, ...(code === undefined ? {} : { code }) })
      const isSame = name === 'email_code' || found.phones === this.#account(found.account).phones.length
      isGood = isSame && sent !== undefined && code === sent.code && sent.account === found.account
    }
    const { account } = found
    const isLegal = isOpen && isGood && found.first === undefined && this.#isOn(name) && this.#mayEnter(account)
    this.#judge(taken, answer, found, isLegal && !this.#needsSecond(account))
    if (answer.status !== 200 || answer.body.data?.signInAttempt.status !== 'needs_factor_two') return
    assert.ok(isLegal && this.#needsSecond(account), `asked for a second factor after ${JSON.stringify(taken)}`)
    const { passwords } = this.#account(account)
    found.first = { account, strategy: name, passwords: passwords.length }
    found.sent.clear()
  }

  async #second(taken: Step & { do: 'second' }) {
    const found = this.#attempts.at(-1 - taken.attempt)
    if (found === undefined) return
    const account = this.#account(found.account)
    const other = this.#account(1 - found.account)
    const { person } = account
    // The same code is never accepted twice.
    this.#around.advance(stepMs)
    const codeOf = (secret: string | undefined) => (secret === undefined ? '000000' : person.codeOf(secret))
    const code = {
      app: () => codeOf(account.secret),
      'old app': () => codeOf(account.earlierSecret),
      'app of another': () => codeOf(other.secret),
      recovery: () => account.recoveryCodes[0] ?? 'aaaaa-aaaaa',
      spent: () => account.spentCode ?? 'aaaaa-aaaaa',
      'of another': () => other.recoveryCodes[0] ?? 'aaaaa-aaaaa',
      junk: () => '00000x',
    }[taken.with]()
    const isOpen = this.#isOpen(found, taken.browser)
    const isApp = account.secret !== undefined && taken.with === 'app'
    const isGood = isApp || account.recoveryCodes.includes(code)
    const isLegal =
      isOpen &&
      isGood &&
      this.#stillProven(found) &&
      this.#on.has('strategyAuthenticatorCodeEnabled') &&
      this.#mayEnter(found.account)
    const step_ = { params: { id: found.id }, body: { strategy: 'authenticator_code', code } }
    const answer = await this.#browser(taken.browser).call<SignInAnswer>('attemptSecondFactor', step_)
    this.#judge(taken, answer, found, isLegal)
    if (answer.status !== 200) return
    account.spentCode = code
    account.recoveryCodes = account.recoveryCodes.filter((each) => each !== code)
  }

  /** A passkey that has verified its user counts as both factors, or is the second one; it names the user itself. */
  async #key(taken: Step & { do: 'key' }) {
    const found = this.#attempts.at(-1 - taken.attempt)
    if (found === undefined) return
    const [account, other] = [this.#account(found.account), this.#account(1 - found.account)]
    const keys = { own: account.key?.key, earlier: account.earlierKey, 'of another': other.key?.key }
    const key = keys[taken.with] ?? new SoftwareAuthenticator()
    const browser = this.#browser(taken.browser)
    const isFirst = taken.as === 'first'
    const [params, body] = [{ id: found.id }, { strategy: 'security_key' }]
    const operation = isFirst ? 'prepareFirstFactor' : 'prepareSecondFactor'
    // Another challenge would replace the earlier one.
    const prepared =
      taken.answers === 'this' ? await browser.call<SignInAnswer>(operation, { params, body }) : undefined
    const asked = prepared?.body.data?.publicKeyOptions as RequestOptions | undefined
    const nothing = { challenge: 'AAAA', rpId: 'localhost' }
    const answered = taken.answers === 'this' ? asked : found.answered
    const isOpen = this.#isOpen(found, taken.browser)
    const answer = await browser.call<SignInAnswer>(isFirst ? 'attemptFirstFactor' : 'attemptSecondFactor', {
      params,
      body: { ...body, credential: key.get(answered ?? nothing) },
    })
    found.answered = asked ?? found.answered
    const isGood = taken.answers === 'this' && key === account.key?.key
    const isDue = isFirst ? found.first === undefined : this.#stillProven(found)
    const isOn = this.#on.has('strategySecurityKeyEnabled')
    this.#judge(taken, answer, found, isOpen && isGood && isDue && isOn && this.#mayEnter(found.account))
    if (answer.status === 200) assert.equal(answer.body.data?.signInAttempt.status, 'complete')
  }

  #isOpen = ({ browser, isOpen, expiresAtMs }: Attempt, by: number) =>
    isOpen && browser === by && this.#nowMs < expiresAtMs

  #isOn(name: SignInStrategy) {
    const setting = settingOf[name]
    return setting !== undefined && this.#on.has(setting)
  }

  #mayEnter = (n: number) => !this.#account(n).isSuspended
  #needsSecond = (n: number) => hasSecondFactor(this.#account(n), this.#on)

  /** The present first factor. */
  #stillProven({ first, account, phones: number }: Attempt) {
    if (first === undefined || first.account !== account || !this.#isOn(first.strategy)) return false
    const { passwords, phones } = this.#account(account)
    if (first.strategy === 'email_password') return first.passwords === passwords.length
    return first.strategy !== 'phone_code' || number === phones.length
  }

  /** A session is opened only by a legal step, and only for the right user. */
  #judge(taken: Step, answer: SignInReply, found: Attempt, isLegal: boolean) {
    const session = answer.status === 200 ? answer.body.data?.session : undefined
    if (session === undefined || session === null) return
    assert.ok(isLegal, `a session followed from ${JSON.stringify(taken)}`)
    assert.equal(session.userId, this.#account(found.account).person.user.id)
    found.isOpen = false
    this.#sessions.set(found.browser, { account: found.account, sinceMs: this.#nowMs })
    this.reached.sessions += 1
  }

  /** Operations that require a session which was proven a moment ago. */
  async #raise(n: number) {
    const session = this.#sessions.get(n)
    const answer = await this.#browser(n).call<{ recoveryCodes: string[] }>('createRecoveryCodes')
    if (answer.status !== 200) return
    assert.ok(session !== undefined, 'who is not signed in was taken for somebody')
    assert.ok(this.#nowMs - session.sinceMs <= freshMs, 'a stale session was taken for a fresh one')
    const account = this.#account(session.account)
    assert.ok(!account.isSuspended && (account.secret !== undefined || account.key !== undefined))
    account.recoveryCodes = answer.body.data.recoveryCodes
    this.reached.raised += 1
  }

  #endSessions(n: number) {
    for (const [browser, session] of this.#sessions) if (session.account === n) this.#sessions.delete(browser)
  }

  async #change(n: number, what: (Step & { do: 'change' })['what']) {
    if (await changeAccount(this.#account(n), this.#around, what)) this.#endSessions(n)
  }

  async #switch(setting: Setting, isOn: boolean) {
    const params = { id: this.#around.tenant.id }
    const { status } = await this.#service.call('putAuthTenant', { params, body: { [setting]: isOn } })
    if (status !== 200) return
    if (isOn) this.#on.add(setting)
    else this.#on.delete(setting)
  }

  /** At the end the signed-in user is the one that the model expects, or nobody. */
  async assertSessions() {
    for (const [n, browser] of this.#browsers.entries()) {
      const answer = await browser.call<{ user: { id: string } }>('getProfile')
      if (answer.status !== 200) continue
      const session = this.#sessions.get(n)
      assert.ok(session !== undefined, 'a session is left that ought to have ended')
      assert.equal(answer.body.data.user.id, this.#account(session.account).person.user.id)
    }
  }
}
