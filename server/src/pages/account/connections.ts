// Accounts of social providers.
import { type AnyProviderKey, type SocialConnection, frontendEndpoints } from '@bailiwick/contract'
import { type ShownProvider, connectionsPage, removalPage, shownProvider } from '@bailiwick/pages'
import { notFound } from '../../platform/http/api-error.ts'
import { type Problems, codeText } from '../problems.ts'
import { providerKeyOf } from '../sign-in/shown-providers.ts'
import { type Account, type Refusals, assertConfirmed, problem } from './account.ts'

const path = '/account/connections'

const named = (providers: readonly ShownProvider[], wanted: AnyProviderKey) =>
  providers.find(({ key }) => key === wanted) ?? shownProvider(wanted)

const connectionsOf = async ({ page }: Account): Promise<SocialConnection[]> =>
  (await page.run(frontendEndpoints.listOwnConnections, { query: { perPage: '100' } })).connections

async function showConnections(account: Account, problems?: Problems) {
  const { page } = account
  const [view, connections, providers, offers] = await Promise.all([
    account.view(problems),
    connectionsOf(account),
    account.providers(),
    account.accessOffers(),
  ])
  const known = [...providers, ...offers.map(({ provider }) => provider)]
  const shownConnections = connections.map((each) => ({ ...each, provider: named(known, each.providerKey) }))
  const shown = { ...view, connections: shownConnections, providers, offers, now: page.deps.clock.now() }
  return account.show(connectionsPage(page.frame(), shown), problems)
}

/** GET /account/connections?error: also where the browser comes back from a provider. */
export function openConnections(account: Account) {
  const error = account.page.query('error')
  if (error === undefined) return showConnections(account)
  const { errors } = problem('form', account.text(codeText(error) ?? 'connections.failed'))
  return showConnections(account, { errors, status: 200 })
}

/** POST /account/connections */
export async function connect(account: Account) {
  const { page } = account
  const providerKey = providerKeyOf(page.field('provider'))
  if (providerKey === undefined) return page.go(path)
  let authorizeUri = ''
  const body = { providerKey, redirectUri: page.addressOf('/return') }
  const problems = await account.attempt(async () => {
    authorizeUri = (await page.run(frontendEndpoints.createOwnConnection, { body })).authorizeUri
  })
  return problems === undefined ? page.leave(authorizeUri) : showConnections(account, problems)
}

/** @throws ApiError not_found, also for one of another user. */
export async function connectionOf(account: Account): Promise<SocialConnection> {
  const found = (await connectionsOf(account)).find(({ id }) => id === account.page.id)
  if (found === undefined) throw notFound()
  return found
}

async function showRemoval(account: Account, { id, providerKey }: SocialConnection, problems?: Problems) {
  const { page } = account
  const { text } = page
  const provider = named(await account.providers(), providerKey).name
  const view = {
    ...(await account.view(problems)),
    section: 'connections' as const,
    title: text('connections.disconnectTitle', { provider }),
    lead: text('connections.disconnectLead', { provider }),
    submit: text('connections.disconnect'),
    to: `${path}/${id}/remove`,
  }
  return account.show(removalPage(page.frame(), view), problems)
}

/** GET /account/connections/{id}/remove */
export async function openDisconnection(account: Account) {
  const connection = await connectionOf(account)
  assertConfirmed(account)
  return showRemoval(account, connection)
}

const refusals: Refusals = { last_way_in: ['form', 'account.lastWayIn'] }

/** POST /account/connections/{id}/remove */
export async function disconnect(account: Account) {
  const connection = await connectionOf(account)
  const input = { params: { id: connection.id } }
  const problems = await account.attempt(() => account.page.run(frontendEndpoints.deleteOwnConnection, input), {
    refusals,
  })
  return problems === undefined ? account.finish(path, 'disconnected') : showRemoval(account, connection, problems)
}
