// The connection of the organization: choosing the provider, its client, the test, and switching it on.
import type { Connection } from '@bailiwick/contract'
import {
  type SetupProvider,
  chooseProviderPage,
  newConnectionPage,
  setupConnectionPage,
  setupProviders,
} from '@bailiwick/pages'
import { checkConnection } from '../../enterprise/connections/check.ts'
import { createConnection, listConnections, updateConnection } from '../../enterprise/connections/connections.ts'
import { getTest } from '../../enterprise/connections/tests.ts'
import { recordFinished } from '../../enterprise/setup/open-setup.ts'
import { beginConnectionTest } from '../../flows/social-sign-in/connection-test.ts'
import { listOrganizationDomains } from '../../identity/organization-domains/organization-domains.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import { type Setup, inSetup } from './area.ts'

const providerFrom = (text: string | undefined): SetupProvider =>
  setupProviders.find((provider) => provider === text) ?? 'other'

/** The hosts of issuers whose provider is known by them. */
const hosts: readonly (readonly [pattern: RegExp, provider: SetupProvider])[] = [
  [/\.okta(?:-emea|preview)?\.com$/, 'okta'],
  [/^login\.microsoftonline\.com$/, 'entra'],
  [/^accounts\.google\.com$/, 'google'],
  [/\.(?:pingone\.\w+|pingidentity\.com)$/, 'ping'],
]

function providerOfIssuer(issuer: string): SetupProvider {
  const { hostname, pathname } = new URL(issuer)
  const known = hosts.find(([pattern]) => pattern.test(hostname))
  return known?.[1] ?? (pathname === '/adfs' ? 'adfs' : 'other')
}

type OidcConnection = Connection & { readonly oidc: NonNullable<Connection['oidc']> }

/** Returns the newest connection that these pages can set up. */
async function currentConnection(page: PageCall, { tenantId, organizationId }: Setup) {
  const connections = await listConnections(page.deps, tenantId, organizationId)
  return connections.find((each): each is OidcConnection => each.oidc !== null)
}

const doneTexts = { saved: 'setup.saved', on: 'setup.switchedOn', off: 'setup.switchedOff' } as const

async function testResult(page: PageCall, { tenantId }: Setup, { id }: Connection) {
  if (page.query('tested') === undefined) return {}
  try {
    const { state, report } = await getTest(page.deps, tenantId, id)
    if (state === 'passed') return { done: page.text('setup.tested') }
    const reason = report?.problem ?? ''
    return { errors: { form: page.text('setup.testFailed', { reason }) } }
  } catch (error) {
    // The report was removed meanwhile.
    if (apiErrorOf(error).code === 'not_found') return {}
    throw error
  }
}

async function showConnection(page: PageCall, setup: Setup, connection: OidcConnection, problems?: Problems) {
  const { state, oidc } = connection
  const done = Object.entries(doneTexts).find(([name]) => name === page.query('done'))?.[1]
  const view = {
    ...setup.view,
    provider: providerOfIssuer(oidc.issuer),
    state,
    issuer: oidc.issuer,
    callbackUri: oidc.callbackUri,
    clientId: oidc.clientId,
    hasSecret: oidc.hasClientSecret,
    canTest: oidc.clientId !== '',
    done: done === undefined ? undefined : page.text(done),
    ...(await testResult(page, setup, connection)),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(setupConnectionPage(page.frame(), view), problems?.status)
}

const backTo = (page: PageCall, query: Readonly<Record<string, string>>) =>
  page.go(`/setup/connection?${new URLSearchParams(query).toString()}`)

/** GET /setup/connection?done&tested */
export const openConnection = inSetup('connection', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return page.show(chooseProviderPage(page.frame(), setup.view))
  return showConnection(page, setup, connection)
})

const issuers: Readonly<Partial<Record<SetupProvider, (typed: string) => string>>> = {
  google: () => 'https://accounts.google.com',
  entra: (typed) => (/^[\da-f-]{36}$/i.test(typed) ? `https://login.microsoftonline.com/${typed}/v2.0` : typed),
}

/** GET /setup/connection/{provider} */
export const openNewConnection = inSetup('connection', async (page, setup) => {
  const provider = providerFrom(page.parameter('provider'))
  return page.show(newConnectionPage(page.frame(), { ...setup.view, provider }))
})

/** POST /setup/connection/{provider} with the issuer: stores a draft, so that its redirect URI is known. */
export const beginConnection = inSetup('connection', async (page, setup) => {
  const { deps, text } = page
  const provider = providerFrom(page.parameter('provider'))
  const typed = page.field('issuer')?.trim() ?? ''
  const issuer = (issuers[provider]?.(typed) ?? typed).replace(/\/$/, '')
  const refuse = () => {
    const errors = { [provider === 'google' ? 'form' : 'issuer']: text('setup.unreachable') }
    return page.show(newConnectionPage(page.frame(), { ...setup.view, provider, issuer: typed, errors }), 422)
  }
  const { organizationId, tenantId, caller } = setup
  const known = await currentConnection(page, setup)
  const oidc = { issuer, clientId: known?.oidc.clientId ?? '' }
  try {
    const { id } =
      known === undefined
        ? await createConnection(
            deps,
            tenantId,
            { organizationId, type: 'oidc', name: setup.view.organization.slice(0, 64), oidc },
            caller,
          )
        : await updateConnection(deps, tenantId, known.id, { oidc: { ...oidc, clientSecret: null } }, caller)
    const { problem } = await checkConnection(deps, tenantId, id)
    if (problem !== null) return refuse()
    return page.go('/setup/connection')
  } catch (error) {
    if (apiErrorOf(error).code === 'validation_failed') return refuse()
    throw error
  }
})

async function saveClient(page: PageCall, { tenantId, caller }: Setup, { id }: OidcConnection) {
  const clientId = page.field('clientId')?.trim() ?? ''
  const clientSecret = page.field('clientSecret')
  if (clientId === '')
    throw new ApiError('validation_failed', { issues: [{ path: '/clientId', code: 'required', message: '' }] })
  const oidc = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }
  await updateConnection(page.deps, tenantId, id, { oidc }, caller)
  return backTo(page, { done: 'saved' })
}

async function test(page: PageCall, { tenantId }: Setup, { id }: OidcConnection) {
  const { authorizeUri } = await beginConnectionTest(page.deps, tenantId, id)
  return authorizeUri === null ? backTo(page, { tested: 'yes' }) : page.leave(authorizeUri)
}

async function switchOn(page: PageCall, setup: Setup, connection: OidcConnection) {
  const { tenantId, caller, link, actor, place } = setup
  const domains = await listOrganizationDomains(page.deps, place)
  if (!domains.some(({ verified }) => verified)) {
    return showConnection(page, setup, connection, { errors: { form: page.text('setup.needsDomain') }, status: 422 })
  }
  await updateConnection(page.deps, tenantId, connection.id, { state: 'live' }, caller)
  await recordFinished(page.deps, link, connection.id, actor)
  return backTo(page, { done: 'on' })
}

async function perform(page: PageCall, setup: Setup, connection: OidcConnection) {
  const action = page.field('action')
  if (action === 'test') return test(page, setup, connection)
  if (action === 'on') return switchOn(page, setup, connection)
  if (action === 'client') return saveClient(page, setup, connection)
  await updateConnection(page.deps, setup.tenantId, connection.id, { state: 'off' }, setup.caller)
  return backTo(page, { done: 'off' })
}

/** POST /setup/connection with an action. */
export const changeConnection = inSetup('connection', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return page.go('/setup/connection')
  try {
    return await perform(page, setup, connection)
  } catch (thrown) {
    const { code, issues } = apiErrorOf(thrown)
    if (code === 'connection_not_tested') {
      return showConnection(page, setup, connection, { errors: { form: page.text('setup.needsTest') }, status: 422 })
    }
    if (code !== 'validation_failed') throw thrown
    const fields = issues.map(({ path }) => [path.split('/').at(-1) ?? '', page.text('error.required')] as const)
    return showConnection(page, setup, connection, { errors: Object.fromEntries(fields), status: 422 })
  }
})
