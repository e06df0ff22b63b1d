// The connection of the organization: choosing the provider, its client or metadata, the test, and switching it on.
import type { Connection } from '@bailiwick/contract'
import { chooseProviderPage, newConnectionPage } from '@bailiwick/pages'
import { checkConnection } from '../../enterprise/connections/check.ts'
import { createConnection, deleteConnection, updateConnection } from '../../enterprise/connections/connections.ts'
import { recordFinished } from '../../enterprise/setup/open-setup.ts'
import { beginConnectionTest } from '../../flows/social-sign-in/connection-test.ts'
import { listOrganizationDomains } from '../../identity/organization-domains/organization-domains.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { type Setup, inSection } from './area.ts'
import { currentConnection, goTo, providerFrom, readConnections } from './current-connection.ts'
import { saveMetadata } from './metadata.ts'
import { showConnection } from './shown-connection.ts'

/** GET …/connection?id&done&tested&provider */
export const openConnection = inSection('connection', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection === undefined) return page.show(chooseProviderPage(page.frame(), setup.view))
  return showConnection(page, setup, connection)
})

const isKnown = (provider: string) => provider !== 'new'

/** GET …/connection/{provider}, or …/connection/new to choose one. */
export const openNewConnection = inSection('connection', async (page, setup) => {
  const provider = page.parameter('provider')
  if (!isKnown(provider)) return page.show(chooseProviderPage(page.frame(), setup.view))
  return page.show(newConnectionPage(page.frame(), { ...setup.view, provider: providerFrom(provider) }))
})

const issuers: Readonly<Record<string, (typed: string) => string>> = {
  google: () => 'https://accounts.google.com',
  entra: (typed) => (/^[\da-f-]{36}$/i.test(typed) ? `https://login.microsoftonline.com/${typed}/v2.0` : typed),
}

/** Whoever has chosen wrongly chooses again: a draft of the same protocol is used instead of a new connection. */
async function ensureDraft(page: PageCall, setup: Setup, settings: Pick<Connection, 'type'> & { issuer: string }) {
  const { deps } = page
  const { tenantId, organizationId, caller } = setup
  const { type, issuer } = settings
  const newest = (await readConnections(page, setup))[0]
  if (newest?.state === 'draft' && newest.type === type) {
    const isOther = type === 'oidc' && newest.oidc?.issuer !== issuer
    if (!isOther) return newest
    return updateConnection(deps, tenantId, newest.id, { oidc: { issuer, clientId: '', clientSecret: null } }, caller)
  }
  const name = setup.view.organization.slice(0, 64)
  // A provider without instructions of its own may send another name id at each sign-in unless it is asked for a lasting one.
  const isAsked = providerFrom(page.parameter('provider')) === 'other'
  const own = type === 'oidc' ? { oidc: { issuer } } : isAsked ? { saml: { nameIdFormat: 'persistent' as const } } : {}
  return createConnection(deps, tenantId, { organizationId, type, name, ...own }, caller)
}

/** POST …/connection/{provider}: stores a draft, so that the values for the provider are known. */
export const beginConnection = inSection('connection', async (page, setup) => {
  const { deps, text } = page
  const provider = providerFrom(page.parameter('provider'))
  const isSaml = page.field('protocol') === 'saml'
  const typed = page.field('issuer')?.trim() ?? ''
  const issuer = (issuers[provider]?.(typed) ?? typed).replace(/\/$/, '')
  const refuse = (errors: Readonly<Record<string, string>>) =>
    page.show(newConnectionPage(page.frame(), { ...setup.view, provider, issuer: typed, errors }), 422)
  const unreachable = () => refuse({ [provider === 'google' ? 'form' : 'issuer']: text('setup.unreachable') })
  try {
    const { id } = await ensureDraft(page, setup, { type: isSaml ? 'saml' : 'oidc', issuer })
    if (!isSaml && (await checkConnection(deps, setup.tenantId, id)).problem !== null) return unreachable()
    return goTo(page, setup, 'connection', { id, provider })
  } catch (error) {
    const { code } = apiErrorOf(error)
    if (code === 'connection_limit_reached') return refuse({ form: text('setup.connectionLimit') })
    if (code === 'validation_failed') return unreachable()
    throw error
  }
})

type Act = (page: PageCall, setup: Setup, connection: Connection) => unknown

const back: (done: string) => Act = (done) => (page, setup, connection) =>
  goTo(page, setup, 'connection', { id: connection.id, provider: page.field('provider'), done })

const saveClient: Act = async (page, setup, connection) => {
  const clientId = page.field('clientId')?.trim() ?? ''
  const clientSecret = page.field('clientSecret')
  if (clientId === '')
    throw new ApiError('validation_failed', { issues: [{ path: '/clientId', code: 'required', message: '' }] })
  const oidc = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }
  await updateConnection(page.deps, setup.tenantId, connection.id, { oidc }, setup.caller)
  return back('saved')(page, setup, connection)
}

const test: Act = async (page, setup, { id }) => {
  const { authorizeUri } = await beginConnectionTest(page.deps, setup.tenantId, id, setup.testReturnUri)
  return authorizeUri === null
    ? goTo(page, setup, 'connection', { id, provider: page.field('provider'), tested: 'yes' })
    : page.leave(authorizeUri)
}

const switchOn: Act = async (page, setup, connection) => {
  const { tenantId, caller, link, actor, place } = setup
  const domains = await listOrganizationDomains(page.deps, place).catch((error: unknown) => {
    // Members who may not manage domains are told what is missing all the same.
    if (apiErrorOf(error).code !== 'forbidden') throw error
    return undefined
  })
  if (domains?.some(({ verified }) => verified) === false) {
    return showConnection(page, setup, connection, { errors: { form: page.text('setup.needsDomain') }, status: 422 })
  }
  await updateConnection(page.deps, tenantId, connection.id, { state: 'live' }, caller)
  if (link !== undefined) await recordFinished(page.deps, link, connection.id, actor)
  return goTo(page, setup, 'done', { done: 'on' })
}

const switchOff: Act = async (page, setup, connection) => {
  await updateConnection(page.deps, setup.tenantId, connection.id, { state: 'off' }, setup.caller)
  return back('off')(page, setup, connection)
}

const remove: Act = async (page, setup, connection) => {
  // The page offers it only for a connection with which nobody signs in.
  if (connection.state === 'live') return back('')(page, setup, connection)
  await deleteConnection(page.deps, setup.tenantId, connection.id, setup.caller)
  return goTo(page, setup, 'connection', { done: 'removed' })
}

const acts: Readonly<Record<string, Act>> = {
  client: saveClient,
  metadata: async (page, setup, connection) => {
    const problems = await saveMetadata(page, setup, connection)
    return problems === undefined
      ? back('saved')(page, setup, connection)
      : showConnection(page, setup, connection, problems)
  },
  test,
  on: switchOn,
  off: switchOff,
  remove,
}

/** POST …/connection with an action. */
export const changeConnection = inSection('connection', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  const act = acts[page.field('action') ?? '']
  if (connection === undefined || act === undefined) return goTo(page, setup, 'connection', {})
  try {
    return await act(page, setup, connection)
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
