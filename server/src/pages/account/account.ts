// What all pages of an account share: the signed-in user, the pages that exist for the user, and the handling of refusals.
import { type ErrorCode, type Profile, frontendEndpoints } from '@bailiwick/contract'
import {
  type AccountSection,
  type AccountView,
  type FieldErrors,
  type TextKey,
  accountSections,
  shownProvider,
} from '@bailiwick/pages'
import { accessOffers } from '../../flows/providers/access-offers.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { upkeepAsset } from '../assets.ts'
import type { PageCall } from '../call/page-call.ts'
import { setPageHeaders } from '../call/page-headers.ts'
import type { PageHandler } from '../call/page-route.ts'
import { lacksSecondFactor, proveSecondFirst } from '../call/second-factor-first.ts'
import { pathOfState, signInFirst } from '../call/sign-in-first.ts'
import { pictureOrigins } from '../logos.ts'
import { type ProblemOptions, type Problems, problemsOf } from '../problems.ts'
import { shownProviders } from '../sign-in/shown-providers.ts'
import { type DoneName, doneTexts } from './done.ts'

export type Refusals = Readonly<Partial<Record<ErrorCode, readonly [field: string, key: TextKey]>>>

export interface AttemptOptions extends ProblemOptions {
  /** The messages of error codes that mean something else on this page than on others. */
  readonly refusals?: Refusals
}

export class Account {
  readonly page: PageCall
  readonly session: LiveSession
  /** Where the user continues after having confirmed their identity: a path below the root. */
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
    return this.page.tenant.auth.strategyOAuthEnabled ? shownProviders(this.page) : []
  }

  /** The providers at which users can let the tenant act for them, with the scopes. */
  async accessOffers() {
    return (await accessOffers(this.page.deps, this.page.tenant)).map(({ key, scopes, own }) => ({
      provider: own === undefined ? shownProvider(key) : { key, ...own },
      scopes,
    }))
  }

  /** Whether a message that verifies an address or a number could be sent. */
  canVerify(section: 'emails' | 'phones'): boolean {
    const { hasEmailChannel, hasSmsChannel } = strategyFactsOf(this.page.deps, this.page.tenant)
    return section === 'emails' ? hasEmailChannel : hasSmsChannel
  }

  /** Whether the page of applications is shown: if there are some, and after the last one was removed there. */
  async #hasApps(): Promise<boolean> {
    if (this.resumeAt.startsWith(accountSections.apps.path)) return true
    const { meta } = await this.page.run(frontendEndpoints.listOwnAuthorizations, { query: { perPage: '1' } })
    return meta.total > 0
  }

  async #sections(): Promise<AccountSection[]> {
    const { auth } = this.page.tenant
    const [{ phones, hasPassword, secondFactors }, providers, offers, hasApps] = await Promise.all([
      this.profile(),
      this.providers(),
      this.accessOffers(),
      this.#hasApps(),
    ])
    const isThere: Readonly<Record<AccountSection, boolean>> = {
      profile: true,
      emails: true,
      phones: auth.phoneSignInEnabled || auth.phoneRequired || phones.length > 0,
      organizations: auth.organizationsEnabled,
      password: auth.passwordsEnabled || hasPassword,
      passkeys: auth.strategySecurityKeyEnabled || secondFactors.includes('security_key'),
      app: auth.strategyAuthenticatorCodeEnabled || secondFactors.includes('authenticator_code'),
      recoveryCodes: secondFactors.length > 0,
      connections: providers.length > 0 || offers.length > 0,
      sessions: true,
      apps: hasApps,
      keys: auth.userApiKeysEnabled,
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
   * @returns undefined if it succeeded, else the problems with which the form is shown again.
   * @throws ApiError if the form is not at fault.
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

  /** Redirects to another page, which says what was done. */
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

/** The script that tells the password manager about the user's passkeys, where the tenant has any. */
export const findUpkeep = ({ page }: Account) =>
  page.tenant.auth.strategySecurityKeyEnabled
    ? { upkeep: { script: upkeepAsset().path, signals: `${page.root}/account/passkeys/signals` } }
    : {}

/** The problem of one field, or of the whole form. */
export const problem = (field: string, sentence: string): Problems => {
  const errors: FieldErrors = { [field]: sentence }
  return { errors, status: 422 }
}

/** Somebody who acts in the user's place cannot confirm anything. */
function confirmFirst({ page, session, resumeAt }: Account) {
  const { text } = page
  if (session.row.actor_type !== null) {
    const actions = [{ href: '/account', label: text('account.back'), kind: 'secondary' as const }]
    return page.message({ title: text('account.actingTitle'), lead: text('account.actingLead'), actions }, 403)
  }
  return page.go(`/account/confirm?${new URLSearchParams({ return_to: resumeAt }).toString()}`)
}

/** A page that requires a signed-in user. */
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
      // The user keeps its id when it signs up in this session.
      if (error.code === 'anonymous_user') return page.go('/sign-up')
      if (lacksSecondFactor(page, error.code)) return proveSecondFirst(page)
      throw error
    }
  }

/**
 * Checked before a page is shown whose form would be refused, so that nobody fills it in twice. The operation checks it again.
 * @throws ApiError reauthentication_required
 */
export const assertConfirmed = ({ page, session }: Account): void => assertFresh(page.deps, session)
