// The connection that a page is about: the one that it names among those of the organization, or the newest.
import type { Connection } from '@bailiwick/contract'
import { type SetupProvider, setupPath, setupProviders } from '@bailiwick/pages'
import { listConnections } from '../../enterprise/connections/connections.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Setup } from './area.ts'

export const readConnections = ({ deps }: PageCall, { tenantId, organizationId }: Setup) =>
  listConnections(deps, tenantId, organizationId)

/**
 * Returns undefined if the organization has none.
 * @throws ApiError not_found for the id of a connection that is not of this organization.
 */
export async function currentConnection(page: PageCall, setup: Setup): Promise<Connection | undefined> {
  const connections = await readConnections(page, setup)
  const id = page.query('id') ?? page.field('id')
  if (id === undefined) return connections[0]
  const named = connections.find((each) => each.id === id)
  if (named === undefined) throw notFound()
  return named
}

/** The hosts by which a provider is known. */
const hosts: readonly (readonly [pattern: RegExp, provider: SetupProvider])[] = [
  [/(?:^|\.)okta(?:-emea|preview)?\.com$/, 'okta'],
  [/^(?:login\.microsoftonline\.com|sts\.windows\.net)$/, 'entra'],
  [/^accounts\.google\.com$/, 'google'],
  [/\.(?:pingone\.\w+|pingidentity\.com)$/, 'ping'],
]

function guessProvider(address: string): SetupProvider {
  if (!URL.canParse(address)) return 'other'
  const { hostname, pathname } = new URL(address)
  const known = hosts.find(([pattern]) => pattern.test(hostname))
  return known?.[1] ?? (pathname.startsWith('/adfs') ? 'adfs' : 'other')
}

export const providerFrom = (text: string | undefined): SetupProvider =>
  setupProviders.find((provider) => provider === text) ?? 'other'

/** Whose instructions a page shows: those that the reader has chosen, else those of the provider that is connected. */
export function findProvider(page: PageCall, { oidc, saml }: Connection): SetupProvider {
  const chosen = page.query('provider') ?? page.field('provider')
  return chosen === undefined ? guessProvider(oidc?.issuer ?? saml?.entityId ?? '') : providerFrom(chosen)
}

/** Leads to a section, about a connection. */
export function goTo(
  page: PageCall,
  { view }: Setup,
  section: Parameters<typeof setupPath>[1],
  query: Readonly<Record<string, string | undefined>>,
) {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams(entries).toString()
  return page.go(`${setupPath(view, section)}${search === '' ? '' : `?${search}`}`)
}
