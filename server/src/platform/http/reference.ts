// The interface's description, and a page to explore it that loads nothing from other servers.
import { createHash } from 'node:crypto'
import {
  binaryEndpoints,
  endpoints,
  frontendEndpoints,
  frontendInterface,
  managementInterface,
  openApiDocument,
} from '@bailiwick/contract'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'

const all = { ...endpoints, ...binaryEndpoints }
// oxlint-disable-next-line bailiwick/linear-expressions -- the page is the library's own
const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * The page's library can also use its makers' services; this policy lets it talk to this service only. Only scripts that belong to the page
 * run, so that nothing injected through an address or a description can.
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

const { version } = packageJson

/**
 * The documents that the page switches between. Their servers are addresses without a host, because the page may only call its own origin.
 */
const documents = {
  'management.json': () => openApiDocument(all, managementInterface, version),
  'frontend.json': () => openApiDocument(frontendEndpoints, frontendInterface, version),
}

const configuration = {
  pageTitle: `Bailiwick ${version}: reference`,
  sources: [
    { title: 'Management interface', slug: 'management', url: '/api/v0/reference/management.json', default: true },
    { title: 'Frontend interface', slug: 'frontend', url: '/api/v0/reference/frontend.json' },
  ],
  // No credential is selected in advance; otherwise Send would send an empty bearer token, which is refused as malformed.
  authentication: { preferredSecurityScheme: [] as string[] },
  withDefaultFonts: false,
  telemetry: false,
  // These links lead to other machines.
  showDeveloperTools: 'never' as const,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** Adds what the library leaves out: the page's language, and the viewport width for phones. */
const completed = (html: string) =>
  html
    .replace('<html>', '<html lang="en">')
    .replace(
      '</head>',
      `${/<meta[^<>]*name="viewport"/.test(html) ? '' : '<meta name="viewport" content="width=device-width,initial-scale=1">'}</head>`,
    )

/** Loads the library when the page is first opened, because it takes 45 MB of memory. */
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
    json ??= JSON.stringify(openApiDocument(all, { ...managementInterface, serverUrl: config.baseUrl }, version))
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })

  let page: Promise<FastifyInstance> | undefined
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    page ??= loadPage(`/${app.prefix.slice(1)}/reference`)
    const { statusCode, headers, rawPayload } = await (await page).inject({ method: 'GET', url: request.url })
    const { 'content-type': type, location } = headers
    const html = String(type).startsWith('text/html') ? completed(rawPayload.toString()) : undefined
    reply.header('content-security-policy', contentSecurityPolicy(html ?? ''))
    if (location !== undefined) return reply.redirect(location, statusCode)
    if (type !== undefined) reply.header('content-type', type)
    return reply.code(statusCode).send(html ?? rawPayload)
  }
  const shown = new Map<string, string>()
  for (const [name, make] of Object.entries(documents)) {
    app.get(`/reference/${name}`, (_request, reply) => {
      const text = shown.get(name) ?? JSON.stringify(make())
      shown.set(name, text)
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    })
  }
  for (const path of ['/reference', '/reference/', '/reference/js/scalar.js']) app.get(path, show)
}
