// Binds a page twice: below `/t/{tenant}` on the deployment's address, and at the root of a tenant's own domain. Every request takes
// the same steps: tenant -> limit -> session -> headers -> language -> form -> handler.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pictureBytesMax, slugKey } from '@bailiwick/contract'
import { sessionOfRequest } from '../flows/frontend/session-of-request.ts'
import { byHost } from '../flows/frontend/tenant-of-request.ts'
import { ApiError, notFound } from '../platform/http/api-error.ts'
import type { Deps } from '../identity/deps.ts'
import { pagesOf } from '../tenancy/pages/pages.ts'
import { assertOwnForm } from './browser-token.ts'
import { parseFileForm } from './file-form.ts'
import { languageOfPage } from './language.ts'
import { pictureOrigins } from './logos.ts'
import { PageCall, type PageRouter } from './page-call.ts'
import { setPageHeaders } from './page-headers.ts'
import { signInFirst } from './sign-in-first.ts'

declare module 'fastify' {
  interface FastifyRequest {
    page: PageCall | undefined
  }
  interface FastifyContextConfig {
    /** Whether the route is there on the domains of tenants, too. */
    isOnEveryHost?: boolean
    /** Whether a form with a file is taken. */
    takesFile?: boolean
  }
}

export type PageHandler = (page: PageCall) => unknown

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** Below the root of the tenant's pages. */
  readonly path: string
  readonly handler: PageHandler
  /** Whether its form brings a file. Only somebody who is signed in may send one. */
  readonly takesFile?: boolean
}

/** A page goes by cookies alone: what a proxy in front of it adds, or a program sends, says nothing of who is at the browser. */
const headersOfPrograms = ['authorization', 'x-session-transport', 'x-flow-token', 'x-device-token', 'x-public-key']

const formBytesMax = 128 * 1024
/** The largest picture, with the fields beside it. */
const fileFormBytesMax = pictureBytesMax + 64 * 1024

/** By the id or the slug that the path names. On a tenant's domain there are no pages of another tenant. */
async function byPath(deps: Deps, request: FastifyRequest, isOwnHost: (host: string) => boolean) {
  const { tenant: name = '' } = request.params as { readonly tenant?: string }
  const [named, owner] = await Promise.all([
    Promise.resolve(deps.tenants.byId(name)).then((found) => found ?? deps.tenants.bySlugKey(slugKey(name))),
    isOwnHost(request.host) ? undefined : byHost(deps, request.host),
  ])
  if (named === undefined || (owner !== undefined && owner.row.id !== named.row.id)) throw notFound()
  return { tenant: named, isOwnDomain: owner !== undefined }
}

async function byDomain(deps: Deps, request: FastifyRequest, isOwnHost: (host: string) => boolean) {
  const owner = isOwnHost(request.host) ? undefined : await byHost(deps, request.host)
  if (owner !== undefined) return { tenant: owner, isOwnDomain: true }
  throw deps.config.env === 'production' && !isOwnHost(request.host) ? new ApiError('misdirected_request') : notFound()
}

function acceptForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytesMax },
    (_request, body, parsed) => parsed(null, new URLSearchParams(body as string)),
  )
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.routeOptions.config.takesFile !== true) throw new ApiError('unsupported_media_type')
      return parseFileForm(request.headers['content-type'] ?? '', body)
    },
  )
}

export interface PageBinding {
  readonly routes: readonly PageRoute[]
  readonly belowTenant: readonly PageRoute[]
  readonly isOwnHost: (host: string) => boolean
  /** Answers what was thrown. */
  readonly renderFailure: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown
}

export function bindPages(router: PageRouter, { routes, belowTenant, isOwnHost, renderFailure }: PageBinding) {
  const { deps, limits } = router
  router.app.decorateRequest('page', undefined)

  const bind = (app: FastifyInstance, find: typeof byPath, isOnEveryHost: boolean) => {
    const bound = isOnEveryHost ? routes : [...routes, ...belowTenant]
    acceptForms(app)
    app.setErrorHandler((error, request, reply) => renderFailure(error, request, reply))
    app.addHook('onRequest', async (request, reply) => {
      for (const name of headersOfPrograms) delete request.raw.headers[name]
      setPageHeaders(reply)
      limits.take('page', request, reply)
      const place = await find(deps, request, isOwnHost)
      request.frontendTenantId = place.tenant.row.id
      setPageHeaders(reply, pictureOrigins(deps.config, place.tenant))
      const session = await sessionOfRequest(deps, request, place, () => limits.take('session', request, reply))
      const settings = await pagesOf(deps, place.tenant)
      const languages = await languageOfPage(request, reply, { ...place, settings })
      request.page = new PageCall(router, request, reply, { ...place, session, settings, languages })
      if (request.routeOptions.config.takesFile !== true) return undefined
      // Before the file is read.
      limits.take('sendFile', request, reply)
      return session === undefined ? signInFirst(request.page) : undefined
    })
    for (const { method, path, handler, takesFile = false } of bound) {
      app.route({
        method,
        url: path,
        config: { isOnEveryHost, takesFile },
        bodyLimit: takesFile ? fileFormBytesMax : formBytesMax,
        handler: async (request) => {
          const { page } = request
          if (page === undefined) throw new Error(`${path} was reached without a tenant`)
          if (method === 'POST') assertOwnForm(page.frontendCall(), page.field('formToken'))
          return handler(page)
        },
      })
    }
  }

  router.app.register(
    (app, _options, done) => {
      bind(app, byPath, false)
      done()
    },
    { prefix: '/t/:tenant' },
  )
  router.app.register((app, _options, done) => {
    bind(app, byDomain, true)
    done()
  })
}
