// The root: on a tenant's domain its pages, on the deployment's address a page about the service.
import { type Frame, messagePage, webAddress, withAddress } from '@bailiwick/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { byHost } from '../flows/frontend/tenant-of-request.ts'
import { ApiError, notFound } from '../platform/http/api-error.ts'
import { isLoopbackCaller } from '../platform/http/credentials/loopback.ts'
import { hostedOrigin } from '../tenancy/tenants/hosted-pages.ts'
import type { PageRouter } from './call/page-call.ts'
import { setPageHeaders } from './call/page-headers.ts'
import { plainFrame, wantsHtml } from './failures.ts'

function show({ deps: { config } }: PageRouter, frame: Frame, request: FastifyRequest, reply: FastifyReply) {
  const { text } = frame
  const hasInbox = config.env === 'development' && isLoopbackCaller(request.raw)
  const pages = `${hostedOrigin(config)}/t/{tenant}/sign-in`
  const document = messagePage(frame, {
    title: text('landing.title'),
    lead: withAddress((address) => text('landing.lead', { address }), webAddress(pages)),
    actions: [
      { href: '/console', label: text('landing.console') },
      { href: '/docs', label: text('landing.documents'), kind: 'secondary' as const },
      ...(hasInbox ? [{ href: '/dev/inbox', label: text('landing.inbox'), kind: 'secondary' as const }] : []),
    ],
  })
  setPageHeaders(reply)
  return reply.header('content-type', 'text/html; charset=utf-8').send(document)
}

export async function showRoot(
  router: PageRouter,
  isOwnHost: (host: string) => boolean,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { deps, limits } = router
  limits.take('page', request, reply)
  const owner = isOwnHost(request.host) ? undefined : await byHost(deps, request.host)
  if (owner !== undefined) return reply.redirect('/account', 303)
  if (deps.config.env === 'production' && !isOwnHost(request.host)) throw new ApiError('misdirected_request')
  if (!wantsHtml(request)) throw notFound()
  return show(router, await plainFrame(request, reply), request, reply)
}
