// Two accounts with second factors, and a model of what each step may lead to: kept beside the service, and never asked of it.
import assert from 'node:assert/strict'
import type { SignInAnswer, SignInStrategy } from '@bailiwick/contract'
import { unique } from './factories.ts'
import { type Change, type CodeStrategy, type Setting, type Step, settingOf, settings } from './factor-steps.ts'
import type { Browser } from './frontend.ts'
import { latestMessageTo } from './messages.ts'
import { Person, password as firstPassword } from './people.ts'
import type { Answer, TestService } from './service.ts'
import { browserOf, signedInUser, tenantWith } from './signed-in-user.ts'

interface Account {
  readonly person: Person
  /** The newest is the one that counts, here too. */
  readonly phones: { readonly id: string; readonly phone: string }[]
  /** The newest is the one that counts. */
  readonly passwords: string[]
  secret: string | undefined
  earlierSecret: string | undefined
  recoveryCodes: string[]
  spentCode: string | undefined
  isSuspended: boolean
}

interface Attempt {
  readonly id: string
  readonly browser: number
  isOpen: boolean
  expiresAtMs: number
  /** What was sent for it last, by strategy, and to whom. */
  readonly sent: Map<CodeStrategy, { readonly account: number; readonly code: string }>
  /** Of whom it is, as far as it has been said, and which number the account had then. */
  account: number
  phones: number
  first: { readonly account: number; readonly strategy: SignInStrategy; readonly passwords: number } | undefined
}

interface Session {
  readonly account: number
  readonly sinceMs: number
}

type SignInReply = Answer<{ status: string; code?: string; data?: SignInAnswer }>
const newPhone = () => `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
const freshMs = 10 * 60_000
const stepMs = 30_000

export class FactorWorld {
  readonly reached = { sessions: 0, raised: 0 }
  readonly #service: TestService
  readonly #advance: (ms: number) => void
  readonly #tenant: { readonly id: string; readonly publicKey: string }
  readonly #accounts: readonly Account[]
  readonly #browsers: readonly Browser[]
  readonly #attempts: Attempt[] = []
  readonly #sessions = new Map<number, Session>()
  readonly #on = new Set<Setting>(settings)

  private constructor(
    service: TestService,
    advance: (ms: number) => void,
    tenant: { readonly id: string; readonly publicKey: string },
    accounts: readonly Account[],
  ) {
    this.#service = service
    this.#advance = advance
    this.#tenant = tenant
    this.#accounts = accounts
    this.#browsers = [0, 1].map(() => accounts[0]?.person.elsewhere() as Browser)
  }

  static async create(service: TestService, advance: (ms: number) => void): Promise<FactorWorld> {
    const tenant = await tenantWith(service, { strategyPhoneCodeEnabled: true, phoneSignInEnabled: true })
    const accounts: Account[] = []
    for (let n = 0; n < 2; n++) {
      const password = `${firstPassword} ${unique()}`
      const phone = newPhone()
      const { user, email, browser } = await signedInUser(service, tenant, { password, phone })
      await service.ok('verifyPhoneNumber', { body: { id: user.primaryPhoneId } })
      const person = new Person(service, tenant, user, email)
      Object.assign(person, { browser })
      const { secret, recoveryCodes } = await person.addApp()
      const rest = { earlierSecret: undefined, spentCode: undefined, isSuspended: false }
      const phones = [{ id: user.primaryPhoneId ?? '', phone }]
      accounts.push({ person, phones, passwords: [password], secret, recoveryCodes, ...rest })
    }
    advance(stepMs)
    return new FactorWorld(service, advance, tenant, accounts)
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
      case 'raise':
        return this.#raise(taken.browser)
      case 'change':
        return this.#change(this.#account(taken.account), taken.account, taken.what)
      case 'switch':
        return this.#switch(taken.setting, taken.isOn)
      case 'wait':
        return this.#advance(taken.minutes * 60_000)
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
    const known = { expiresAtMs: Date.parse(expiresAt), phones: phones.length, sent: new Map(), first: undefined }
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

  /** Who proved a first factor, as far as the model knows that it is one. */
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
      // Who it is said to be is noted before the proof is judged.
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
    // The same code is never taken twice.
    this.#advance(stepMs)
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
    const isGood = account.secret !== undefined && (taken.with === 'app' || account.recoveryCodes.includes(code))
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

  #isOpen = ({ browser, isOpen, expiresAtMs }: Attempt, by: number) =>
    isOpen && browser === by && this.#nowMs < expiresAtMs

  #isOn(name: SignInStrategy) {
    const setting = settingOf[name]
    return setting !== undefined && this.#on.has(setting)
  }

  #mayEnter = (n: number) => !this.#account(n).isSuspended
  #needsSecond = (n: number) =>
    this.#account(n).secret !== undefined && this.#on.has('strategyAuthenticatorCodeEnabled')

  /** The first factor as it stands now. */
  #stillProven({ first, account, phones: number }: Attempt) {
    if (first === undefined || first.account !== account || !this.#isOn(first.strategy)) return false
    const { passwords, phones } = this.#account(account)
    if (first.strategy === 'email_password') return first.passwords === passwords.length
    return first.strategy !== 'phone_code' || number === phones.length
  }

  /** No session but by a legal step, and of nobody else. */
  #judge(taken: Step, answer: SignInReply, found: Attempt, isLegal: boolean) {
    const session = answer.status === 200 ? answer.body.data?.session : undefined
    if (session === undefined || session === null) return
    assert.ok(isLegal, `a session followed from ${JSON.stringify(taken)}`)
    assert.equal(session.userId, this.#account(found.account).person.user.id)
    found.isOpen = false
    this.#sessions.set(found.browser, { account: found.account, sinceMs: this.#nowMs })
    this.reached.sessions += 1
  }

  /** What takes a session that was proven a moment ago. */
  async #raise(n: number) {
    const session = this.#sessions.get(n)
    const answer = await this.#browser(n).call<{ recoveryCodes: string[] }>('createRecoveryCodes')
    if (answer.status !== 200) return
    assert.ok(session !== undefined, 'who is not signed in was taken for somebody')
    assert.ok(this.#nowMs - session.sinceMs <= freshMs, 'a stale session was taken for a fresh one')
    const account = this.#account(session.account)
    assert.ok(!account.isSuspended && account.secret !== undefined)
    account.recoveryCodes = answer.body.data.recoveryCodes
    this.reached.raised += 1
  }

  #endSessions(n: number) {
    for (const [browser, session] of this.#sessions) if (session.account === n) this.#sessions.delete(browser)
  }

  /** By the tenant, or by the user in a session elsewhere. */
  async #change(account: Account, n: number, what: Change) {
    const { person } = account
    const params = { id: person.user.id }
    if (what === 'suspended' || what === 'unsuspended') {
      await this.#service.ok(what === 'suspended' ? 'suspendUser' : 'unsuspendUser', { params })
      account.isSuspended = what === 'suspended'
      if (account.isSuspended) this.#endSessions(n)
      return
    }
    if (what === 'phone') {
      const phone = newPhone()
      await this.#service.ok('deletePhoneNumber', { query: { id: account.phones.at(-1)?.id ?? '' } })
      const body = { tenantId: this.#tenant.id, userId: person.user.id, phone }
      const { id } = await this.#service.ok<{ id: string }>('createPhoneNumber', { body })
      await this.#service.ok('verifyPhoneNumber', { body: { id } })
      account.phones.push({ id, phone })
      return
    }
    if (account.isSuspended) return
    const { browser } = await browserOf(this.#service, this.#tenant, person.user.id)
    if (what === 'password') {
      const password = `${firstPassword} ${unique()}`
      await browser.ok('updateOwnPassword', { body: { oldPassword: account.passwords.at(-1), password } })
      account.passwords.push(password)
      this.#endSessions(n)
      return
    }
    if (!this.#on.has('strategyAuthenticatorCodeEnabled')) return
    if (what === 'recovery codes') {
      if (account.secret === undefined) return
      const { recoveryCodes } = await browser.ok<{ recoveryCodes: string[] }>('createRecoveryCodes')
      account.spentCode = account.recoveryCodes[0]
      account.recoveryCodes = recoveryCodes
      return
    }
    account.earlierSecret = account.secret ?? account.earlierSecret
    account.spentCode = account.recoveryCodes[0] ?? account.spentCode
    if (what === 'app removed') {
      if (account.secret !== undefined) await browser.ok('deleteAuthenticatorCode')
      Object.assign(account, { secret: undefined, recoveryCodes: [] })
      return
    }
    Object.assign(person, { browser })
    const { secret, recoveryCodes } = await person.addApp()
    Object.assign(account, { secret, recoveryCodes })
    this.#advance(stepMs)
  }

  async #switch(setting: Setting, isOn: boolean) {
    const params = { id: this.#tenant.id }
    const { status } = await this.#service.call('putAuthTenant', { params, body: { [setting]: isOn } })
    if (status !== 200) return
    if (isOn) this.#on.add(setting)
    else this.#on.delete(setting)
  }

  /** Who is signed in at the end is whom the model says, or nobody. */
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
