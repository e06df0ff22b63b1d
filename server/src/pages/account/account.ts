// What every page of an account knows: who is signed in, which pages there are for the user, and what becomes of what is refused.
import { type ErrorCode, type Profile, frontendEndpoints } from '@bailiwick/contract'
import type { AccountSection, AccountView, FieldErrors, TextKey } from '@bailiwick/pages'
import type { LiveSession } from '../../identity/sessions/session-directory.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { setPageHeaders } from '../page-headers.ts'
import { pictureOrigins } from '../logos.ts'
import type { PageCall } from '../page-call.ts'
import type { PageHandler } from '../page-route.ts'
import { type ProblemOptions, type Problems, problemsOf } from '../problems.ts'
import { pathOfState, signInFirst } from '../sign-in-first.ts'
import { shownProviders } from '../shown-providers.ts'
import { type DoneName, doneTexts } from './done.ts'

export type Refusals = Readonly<Partial<Record<ErrorCode, readonly [field: string, key: TextKey]>>>

export interface AttemptOptions extends ProblemOptions {
  /** What codes mean on this page, where that is something else than on others. */
  readonly refusals?: Refusals
}

export class Account {
  readonly page: PageCall
  readonly session: LiveSession
  /** Where the user goes on after having confirmed who it is: a path below the root. */
  resumeAt: string
  #profile: Promise<Profile> | undefined

  constructor(page: PageCall, session: LiveSession) {
    this.page = page
    this.session = session
    this.resumeAt = pathOfState(page)
  }

  /** The signed-in user. */
  profile(): Promise<Profile> {
    this.#profile ??= this.page.run(frontendEndpoints.getProfile).then(({ user }) => user)
    return this.#profile
  }

  /** The providers that sign users of the tenant in. */
  async providers() {
    const { page } = this
    if (!page.tenant.auth.strategyOAuthEnabled) return []
    const { tenant } = await page.run(frontendEndpoints.getPublicTenantById, { params: { id: page.tenant.row.id } })
    return shownProviders(tenant)
  }

  /** Whether a message could go out that verifies an address or a number. */
  canVerify(section: 'emails' | 'phones'): boolean {
    const { hasEmailChannel, hasSmsChannel } = strategyFactsOf(this.page.deps, this.page.tenant)
    return section === 'emails' ? hasEmailChannel : hasSmsChannel
  }

  async #sections(): Promise<AccountSection[]> {
    const { auth } = this.page.tenant
    const [{ phones, hasPassword, secondFactors }, providers] = await Promise.all([this.profile(), this.providers()])
    const isThere: Readonly<Record<AccountSection, boolean>> = {
      profile: true,
      emails: true,
      phones: auth.phoneSignInEnabled || auth.phoneRequired || phones.length > 0,
      organizations: auth.organizationsEnabled,
      password: auth.passwordsEnabled || hasPassword,
      passkeys: auth.strategySecurityKeyEnabled || secondFactors.includes('security_key'),
      app: auth.strategyAuthenticatorCodeEnabled || secondFactors.includes('authenticator_code'),
      recoveryCodes: secondFactors.length > 0,
      connections: providers.length > 0,
      sessions: true,
      data: true,
      delete: true,
    }
    return (Object.keys(isThere) as AccountSection[]).filter((section) => isThere[section])
  }

  async view(problems?: Problems): Promise<AccountView> {
    const name = this.page.query('done') as DoneName | undefined
    const done = name !== undefined && Object.hasOwn(doneTexts, name) ? doneTexts[name] : undefined
    return {
      sections: await this.#sections(),
      ...(problems === undefined ? { done } : { errors: problems.errors }),
    }
  }

  /**
   * Runs what a form asks for.
   * @returns undefined where it was done, else what the form is shown with again.
   * @throws ApiError for what is no fault of the form.
   */
  async attempt(run: () => Promise<unknown>, options: AttemptOptions = {}): Promise<Problems | undefined> {
    const { text } = this.page
    try {
      await run()
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const own = options.refusals?.[error.code]
      if (own !== undefined) return problem(own[0], this.text(own[1]))
      const problems = problemsOf(error, text, options)
      if (problems === undefined) throw error
      return problems
    }
  }

  /** A text that needs no values. */
  text(key: TextKey): string {
    return (this.page.text as (name: TextKey) => string)(key)
  }

  /** Goes on to another page, which says what was done. */
  finish(path: string, done: DoneName) {
    return this.page.go(`${path}?done=${done}`)
  }

  show(document: string, problems?: Problems) {
    return this.page.show(document, problems?.status)
  }

  /** Lets the page show a picture, wherever it is kept. */
  allowPicture(imageUri: string | null) {
    const { page } = this
    if (imageUri === null || !URL.canParse(imageUri)) return
    setPageHeaders(page.reply, [...pictureOrigins(page.deps.config, page.tenant), new URL(imageUri).origin])
  }
}

/** What is wrong with one field, or with the whole form. */
export const problem = (field: string, sentence: string): Problems => {
  const errors: FieldErrors = { [field]: sentence }
  return { errors, status: 422 }
}

/** Somebody who acts in the user's place confirms nothing. */
function confirmFirst({ page, session, resumeAt }: Account) {
  const { text } = page
  if (session.row.actor_type !== null) {
    const actions = [{ href: '/account', label: text('account.back'), kind: 'secondary' as const }]
    return page.message({ title: text('account.actingTitle'), lead: text('account.actingLead'), actions }, 403)
  }
  return page.go(`/account/confirm?${new URLSearchParams({ return_to: resumeAt }).toString()}`)
}

/** A page that needs somebody who is signed in. */
export const withAccount =
  (handler: (account: Account) => unknown): PageHandler =>
  async (page) => {
    if (page.session === undefined) return signInFirst(page)
    const account = new Account(page, page.session)
    try {
      return await handler(account)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'unauthenticated') return signInFirst(page)
      if (error.code === 'reauthentication_required') return confirmFirst(account)
      throw error
    }
  }
