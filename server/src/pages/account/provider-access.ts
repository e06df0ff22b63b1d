// The access to accounts at providers that the tenant keeps: allowed, and withdrawn.
import { type SocialConnection, frontendEndpoints } from '@bailiwick/contract'
import { providerAccessPage, removalPage, shownProvider } from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Problems } from '../problems.ts'
import { type Account, assertConfirmed } from './account.ts'
import { connectionOf } from './connections.ts'

const path = '/account/connections'

/**
 * Returns what is asked for: the provider of the path, and the scopes of the query, of those that the tenant offers; all without any.
 * @throws ApiError not_found, redirect_refused
 */
async function readRequest(account: Account) {
  const { page } = account
  const offer = (await account.accessOffers()).find(({ provider }) => provider.key === page.id)
  if (offer === undefined) throw notFound()
  const wanted = page.query('scopes')?.split(' ')
  const scopes = wanted === undefined ? offer.scopes : offer.scopes.filter((scope) => wanted.includes(scope))
  const redirectTo = page.query('redirect_to')
  const end = redirectTo === undefined ? undefined : checkedRedirect(page.deps, page, redirectTo)
  return { provider: offer.provider, scopes, redirectTo: end }
}

/** Where the browser goes whose user does not agree, as from a provider. */
function refusedAt(redirectTo: string): string {
  const page = new URL(redirectTo)
  page.searchParams.set('purpose', 'connection')
  page.searchParams.set('error', 'access_denied')
  return page.href
}

async function showRequest(account: Account, problems?: Problems) {
  const { page } = account
  const { provider, scopes, redirectTo } = await readRequest(account)
  const query = new URLSearchParams({
    scopes: scopes.join(' '),
    ...(redirectTo === undefined ? {} : { redirect_to: redirectTo }),
  })
  const view = {
    ...(await account.view(problems)),
    provider,
    scopes,
    to: `${path}/allow/${provider.key}?${query.toString()}`,
    cancelTo: redirectTo === undefined ? undefined : refusedAt(redirectTo),
  }
  return account.show(providerAccessPage(page.frame(), view), problems)
}

/** GET /account/connections/allow/{provider}?scopes&redirect_to */
export async function openAccessRequest(account: Account) {
  await readRequest(account)
  assertConfirmed(account)
  return showRequest(account)
}

/** POST /account/connections/allow/{provider}?scopes&redirect_to */
export async function allowAccess(account: Account) {
  const { page } = account
  const { provider, scopes, redirectTo } = await readRequest(account)
  let authorizeUri = ''
  const body = {
    providerKey: provider.key,
    redirectUri: redirectTo ?? page.addressOf('/return'),
    accessScopes: [...scopes],
  }
  const problems = await account.attempt(async () => {
    authorizeUri = (await page.run(frontendEndpoints.createOwnConnection, { body })).authorizeUri
  })
  return problems === undefined ? page.leave(authorizeUri) : showRequest(account, problems)
}

async function showWithdrawal(account: Account, { id, providerKey }: SocialConnection, problems?: Problems) {
  const { page } = account
  const { text } = page
  const offer = (await account.accessOffers()).find(({ provider }) => provider.key === providerKey)
  const provider = (offer?.provider ?? shownProvider(providerKey)).name
  const tenant = page.tenant.row.name
  const view = {
    ...(await account.view(problems)),
    section: 'connections' as const,
    title: text('apps.removeTitle', { application: tenant }),
    lead: text('connections.withdrawLead', { tenant, provider }),
    submit: text('apps.removeSubmit'),
    to: `${path}/${id}/withdraw`,
  }
  return account.show(removalPage(page.frame(), view), problems)
}

/** GET /account/connections/{id}/withdraw */
export async function openWithdrawal(account: Account) {
  const connection = await connectionOf(account)
  return connection.access === null ? account.page.go(path) : showWithdrawal(account, connection)
}

/** POST /account/connections/{id}/withdraw */
export async function withdrawAccess(account: Account) {
  const connection = await connectionOf(account)
  const input = { params: { id: connection.id } }
  const problems = await account.attempt(() => account.page.run(frontendEndpoints.deleteOwnConnectionAccess, input))
  return problems === undefined ? account.finish(path, 'access-removed') : showWithdrawal(account, connection, problems)
}
