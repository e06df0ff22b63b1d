// Showing once more who it is: signing in anew as the same user, and going on where one was.
import { type SignInStrategy, frontendEndpoints } from '@bailiwick/contract'
import { type ConfirmStrategy, confirmPage } from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import { firstFactors, offered } from '../../identity/authenticators/offers.ts'
import { hasRelyingParty } from '../../identity/authenticators/relying-party.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { arrive } from '../destination.ts'
import type { Problems } from '../problems.ts'
import { leaveForProvider } from '../sign-in/provider-return.ts'
import { providerKeyOf } from '../sign-in/shown-providers.ts'
import { sendFirstFactor } from '../sign-in/sign-in-ways.ts'
import { nameOfProfile } from '../signed-in-name.ts'
import { type Account, problem } from './account.ts'

interface Way {
  readonly strategy: SignInStrategy
  readonly identifier: string
}

/** The strategies that the tenant offers and that this user has; each begins with an identifier of the user, and of nobody else. */
async function waysOf(account: Account) {
  const { page } = account
  const { deps, tenant, request } = page
  const strategies = offered(firstFactors(tenant.auth, strategyFactsOf(deps, tenant)))
  const profile = await account.profile()
  const verified = <Each extends { readonly verifiedAt: string | null; readonly primary: boolean }>(
    all: readonly Each[],
  ) => {
    const usable = all.filter(({ verifiedAt }) => verifiedAt !== null)
    return usable.find(({ primary }) => primary) ?? usable[0]
  }
  const identifiers = {
    email: verified(profile.emails)?.email,
    phone: verified(profile.phones)?.phone,
    username: profile.username ?? undefined,
  }
  const by = (strategy: SignInStrategy, identifier: string | undefined): Way[] =>
    identifier !== undefined && strategies.includes(strategy) ? [{ strategy, identifier }] : []
  const passwords = profile.hasPassword
    ? [
        ...by('email_password', identifiers.email),
        ...by('username_password', identifiers.username),
        ...by('phone_password', identifiers.phone),
      ]
    : []
  const hasPasskey = profile.secondFactors.includes('security_key') && hasRelyingParty(deps.config, tenant, request)
  const anyIdentifier = identifiers.email ?? identifiers.username ?? identifiers.phone
  const others = [
    ...(hasPasskey ? by('security_key', anyIdentifier) : []),
    ...by('email_code', identifiers.email),
    ...by('email_link', identifiers.email),
    ...by('phone_code', identifiers.phone),
  ]
  return { profile, password: passwords[0], others, anyIdentifier }
}

async function providersOf(account: Account) {
  const [enabled, { connections }] = await Promise.all([
    account.providers(),
    account.page.run(frontendEndpoints.listOwnConnections, { query: { perPage: '100' } }),
  ])
  return enabled.filter(({ key }) => connections.some(({ providerKey }) => providerKey === key))
}

/**
 * Returns the page to return to, as a complete address.
 * @throws ApiError redirect_refused for anything but a page of the account.
 */
function destinationOf({ page }: Account, returnTo: string): string {
  if (!/^\/account(?:[/?]|$)/.test(returnTo)) throw new ApiError('redirect_refused')
  return checkedRedirect(page.deps, page, page.addressOf(returnTo))
}

async function showConfirm(account: Account, returnTo: string, problems?: Problems) {
  const [{ profile, password, others, anyIdentifier }, providers] = await Promise.all([
    waysOf(account),
    providersOf(account),
  ])
  const view = {
    name: nameOfProfile(profile),
    identifier: password?.identifier ?? anyIdentifier ?? '',
    returnTo,
    hasPassword: password !== undefined,
    strategies: others.map(({ strategy }) => strategy as ConfirmStrategy),
    providers,
    errors: problems?.errors ?? {},
  }
  return account.show(confirmPage(account.page.frame(), view), problems)
}

/** GET /account/confirm?return_to */
export function openConfirm(account: Account) {
  const returnTo = account.page.query('return_to') ?? '/account'
  destinationOf(account, returnTo)
  return showConfirm(account, returnTo)
}

/** A right password signs the user in again, unless a second factor is required as well. */
async function byPassword(account: Account, returnTo: string, { strategy, identifier }: Way) {
  const { page } = account
  const password = page.field('password')
  if (password === undefined) return showConfirm(account, returnTo, problem('password', page.text('error.required')))
  const redirectUri = destinationOf(account, returnTo)
  let next: { readonly id: string; readonly isComplete: boolean } | undefined
  const problems = await account.attempt(
    async () => {
      const { signInAttempt } = await page.run(frontendEndpoints.createSignIn, {
        body: { identifier, strategy, password, redirectUri },
      })
      next = { id: signInAttempt.id, isComplete: signInAttempt.status === 'complete' }
    },
    { refused: ['password', 'error.wrongPassword'] },
  )
  if (next === undefined || problems !== undefined) return showConfirm(account, returnTo, problems)
  return next.isComplete ? arrive(page, 'signIn', redirectUri) : page.go(`/sign-in/${next.id}`)
}

/** Any other strategy continues on the page of signing in that handles it. */
async function byAttempt(account: Account, returnTo: string, { strategy, identifier }: Way) {
  const { page } = account
  const redirectUri = destinationOf(account, returnTo)
  let id = ''
  const problems = await account.attempt(async () => {
    const { signInAttempt } = await page.run(frontendEndpoints.createSignIn, { body: { identifier, redirectUri } })
    id = signInAttempt.id
    if (strategy !== 'security_key')
      await sendFirstFactor(page, id, strategy as Exclude<ConfirmStrategy, 'security_key'>)
  })
  return problems === undefined ? page.go(`/sign-in/${id}?with=${strategy}`) : showConfirm(account, returnTo, problems)
}

/** POST /account/confirm */
export async function confirm(account: Account) {
  const { page } = account
  const returnTo = page.field('returnTo') ?? '/account'
  const wanted = page.field('with')
  const provider = providerKeyOf(wanted)
  if (provider !== undefined) return leaveForProvider(page, provider, destinationOf(account, returnTo))
  const { password, others } = await waysOf(account)
  if (wanted === 'password' && password !== undefined) return byPassword(account, returnTo, password)
  const way = others.find(({ strategy }) => strategy === wanted)
  return way === undefined ? showConfirm(account, returnTo) : byAttempt(account, returnTo, way)
}
