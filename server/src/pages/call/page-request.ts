// A request for a page. All run the same steps: tenant -> limit -> session -> headers -> language -> form -> handler. The first one loads
// this file and its page; see binding.ts.
import { isSlug, slugKey } from '@bailiwick/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionOfRequest } from '../../flows/frontend/session-of-request.ts'
import { type TenantOfRequest, byHost } from '../../flows/frontend/tenant-of-request.ts'
import type { Deps } from '../../identity/deps.ts'
import { aheadBy } from '../../platform/clock.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { pagesOf } from '../../tenancy/pages/pages.ts'
import { readMsAhead } from '../../tenancy/test-mode/test-mode.ts'
import { pictureOrigins } from '../logos.ts'
import { assertOwnForm } from './browser-token.ts'
import { languageOfPage } from './language.ts'
import { PageCall, type PageRouter } from './page-call.ts'
import { setPageHeaders } from './page-headers.ts'
import type { PageHandler, PageRoute } from './page-route.ts'
import { findReader } from './reader.ts'
import { signInFirst } from './sign-in-first.ts'

export { sendAsset } from '../assets.ts'
export { renderFailure } from '../failures.ts'
export { parseFileForm } from './file-form.ts'
export { showRoot } from '../landing.ts'

/** A page is authenticated by cookies only: headers that a proxy adds, or a program sends, say nothing about the person at the browser. */
const headersOfPrograms = ['authorization', 'x-session-transport', 'x-flow-token', 'x-device-token', 'x-public-key']

/** Finds the tenant by the id or the slug in the path. On a tenant's domain there are no pages of other tenants. */
export async function byPath(deps: Deps, request: FastifyRequest, isOwnHost: (host: string) => boolean) {
  const { tenant: name = '' } = request.params as { readonly tenant?: string }
  const [named, owner] = await Promise.all([
    Promise.resolve(deps.tenants.byId(name)).then(
      // A slug from before such slugs were refused could stand for a tenant that is deleted.
      (found) => found ?? (isSlug(name) ? deps.tenants.bySlugKey(slugKey(name)) : undefined),
    ),
    isOwnHost(request.host) ? undefined : byHost(deps, request.host),
  ])
  if (named === undefined || (owner !== undefined && owner.row.id !== named.row.id)) throw notFound()
  return { tenant: named, isOwnDomain: owner !== undefined }
}

export async function byDomain(deps: Deps, request: FastifyRequest, isOwnHost: (host: string) => boolean) {
  const owner = isOwnHost(request.host) ? undefined : await byHost(deps, request.host)
  if (owner !== undefined) return { tenant: owner, isOwnDomain: true }
  throw deps.config.env === 'production' && !isOwnHost(request.host) ? new ApiError('misdirected_request') : notFound()
}

/** Finds the tenant, the session and the language of a request, before its body is read. */
export async function enterPage(
  router: PageRouter,
  find: typeof byPath,
  isOwnHost: (host: string) => boolean,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { deps, limits } = router
  for (const name of headersOfPrograms) delete request.raw.headers[name]
  setPageHeaders(reply)
  limits.take('page', request, reply)
  const place = await find(deps, request, isOwnHost)
  return aheadBy(readMsAhead(deps.config, place.tenant), () => enterPlace(router, place, request, reply))
}

/** Finds the session and the language. */
async function enterPlace(router: PageRouter, place: TenantOfRequest, request: FastifyRequest, reply: FastifyReply) {
  const { deps, limits } = router
  request.frontendTenantId = place.tenant.row.id
  setPageHeaders(reply, pictureOrigins(deps.config, place.tenant))
  const session = await sessionOfRequest(deps, request, place, () => limits.take('session', request, reply))
  const settings = await pagesOf(deps, place.tenant)
  const reader = session === undefined ? undefined : await findReader(deps, session)
  const languages = await languageOfPage(request, reply, { ...place, settings, locale: reader?.locale ?? undefined })
  const timezone = reader === undefined ? {} : { timezone: reader.timezone }
  request.page = new PageCall(router, request, reply, { ...place, session, settings, languages, ...timezone })
  if (request.routeOptions.config.takesFile !== true) return undefined
  // Checked before the file is read.
  limits.take('sendFile', request, reply)
  return session === undefined ? signInFirst(request.page) : undefined
}

/** Kept here, because asking for a module by `import` takes time even when it is loaded. */
const handlers = new Map<PageRoute, PageHandler>()

async function loadHandler(route: PageRoute): Promise<PageHandler> {
  const handler = await route.load()
  handlers.set(route, handler)
  return handler
}

export async function answerPage(route: PageRoute, { page }: FastifyRequest) {
  if (page === undefined) throw new Error(`${route.method} ${route.path} was reached without a tenant`)
  if (page.request.method === 'POST') assertOwnForm(page.frontendCall(), page.field('formToken'))
  const handler = handlers.get(route) ?? (await loadHandler(route))
  return aheadBy(readMsAhead(page.deps.config, page.tenant), () => handler(page))
}
