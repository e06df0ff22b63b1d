// Binds the pages twice: below `/t/{tenant}` on the deployment's address, and at the root of a tenant's own domain. Their code is
// loaded by the first request.
import { pictureBytesMax } from '@bailiwick/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/http/api-error.ts'
import type { PageCall, PageRouter } from './call/page-call.ts'
import { belowTenant, routes } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    page: PageCall | undefined
  }
  interface FastifyContextConfig {
    /** Whether the route also exists on the domains of tenants. */
    isOnEveryHost?: boolean
    /** Whether it accepts a form with a file. */
    takesFile?: boolean
  }
}

let loaded: Promise<typeof import('./call/page-request.ts')> | undefined
/** Kept here, because asking for a module by `import` costs a tenth of a page even when it is loaded. */
const load = () => (loaded ??= import('./call/page-request.ts'))

const formBytesMax = 128 * 1024
/** The largest picture, and the fields beside it. */
const fileFormBytesMax = pictureBytesMax + 64 * 1024

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
      const { parseFileForm } = await load()
      return parseFileForm(request.headers['content-type'] ?? '', body)
    },
  )
}

/** @param isOwnHost says of a Host header whether it names the deployment itself. */
export function pageRoutes(router: PageRouter, isOwnHost: (host: string) => boolean) {
  const { app: root, deps } = router
  root.decorateRequest('page', undefined)

  root.get<{ Params: { name: string } }>('/pages/:name', { config: { isOnEveryHost: true } }, async (request, reply) =>
    (await load()).sendAsset(request.params.name, request, reply),
  )
  root.get('/', { config: { isOnEveryHost: true } }, async (request, reply) =>
    (await load()).showRoot(router, isOwnHost, request, reply),
  )

  const bind = (app: FastifyInstance, place: 'byPath' | 'byDomain') => {
    acceptForms(app)
    app.setErrorHandler(async (error, request, reply) => (await load()).renderFailure(deps, error, request, reply))
    app.addHook('onRequest', async (request, reply) => {
      const { enterPage, [place]: find } = await load()
      return enterPage(router, find, isOwnHost, request, reply)
    })
    for (const route of place === 'byDomain' ? routes : [...routes, ...belowTenant]) {
      const takesFile = route.takesFile === true
      app.route({
        method: route.method,
        url: route.path,
        config: { isOnEveryHost: place === 'byDomain', takesFile },
        bodyLimit: takesFile ? fileFormBytesMax : formBytesMax,
        handler: async (request) => (await load()).answerPage(route, request),
      })
    }
  }

  root.register(
    (app, _options, done) => {
      bind(app, 'byPath')
      done()
    },
    { prefix: '/t/:tenant' },
  )
  root.register((app, _options, done) => {
    bind(app, 'byDomain')
    done()
  })
}
