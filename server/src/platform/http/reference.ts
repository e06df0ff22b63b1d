// The interface's description, and a page to explore it that needs nothing from outside.
import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { binaryEndpoints, endpoints, managementInterface, openApiDocument } from '@bailiwick/contract'
import type { Config } from '../config.ts'

const all = { ...endpoints, ...binaryEndpoints }
const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * The page's library can also talk to its makers' services; here it talks to this service and to nobody else. Of the scripts in the
 * page only those that it was made with run: whatever gets into it by an address or a description does not.
 */
const contentSecurityPolicy = (html: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${[...html.matchAll(inlineScript)].map(([, text = '']) => hashSource(text)).join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const configuration = {
  url: '/api/v0/openapi.json',
  pageTitle: 'Bailiwick: reference',
  // By whichever name the page was opened: it may call its own origin alone.
  servers: [{ url: '/api/v0' }],
  // None is chosen until somebody gives one: otherwise Send would go with an empty bearer, which is refused as any malformed credential.
  authentication: { preferredSecurityScheme: [] as string[] },
  withDefaultFonts: false,
  telemetry: false,
  // What these lead to is not on this machine.
  showDeveloperTools: 'never' as const,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** Its library takes 45 MB of memory, so it is loaded when somebody first looks at the page. */
async function loadPage(routePrefix: `/${string}`): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  page.register(apiReference, { routePrefix, configuration })
  await page.ready()
  return page
}

export function referenceRoutes(app: FastifyInstance, config: Config) {
  let json: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    json ??= JSON.stringify(openApiDocument(all, { ...managementInterface, serverUrl: config.baseUrl }))
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })

  let page: Promise<FastifyInstance> | undefined
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    page ??= loadPage(`/${app.prefix.slice(1)}/reference`)
    const { statusCode, headers, rawPayload } = await (await page).inject({ method: 'GET', url: request.url })
    const { 'content-type': type, location } = headers
    const html = String(type).startsWith('text/html') ? rawPayload.toString() : ''
    reply.header('content-security-policy', contentSecurityPolicy(html))
    if (location !== undefined) return reply.redirect(location, statusCode)
    if (type !== undefined) reply.header('content-type', type)
    return reply.code(statusCode).send(rawPayload)
  }
  for (const path of ['/reference', '/reference/', '/reference/js/scalar.js']) app.get(path, show)
}
