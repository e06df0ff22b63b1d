// Where images are shown: beside the operations, for anybody may ask and the answer is no JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { createAddressLimiter } from '../../platform/http/address-limit.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { limitFactor } from '../../platform/http/rate-limit.ts'
import { routePath } from '../../platform/http/route.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { ImageDefinition } from '../engine/definition.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import type { ShownFileRow } from '../queries.ts'
import { matchesTag, parseRange, wantsAnother } from './content-range.ts'
import { isSigned, versionOf } from './image-address.ts'
import { type ImageQuery, parseImageQuery, plainDefinition } from './image-query.ts'
import { type ImageChoice, createChooser } from './image-choice.ts'
import type { ProcessedImages } from './processed-image.ts'
import { type ShownFiles, createShownFiles } from './shown-files.ts'

const path = '/media/{tenantId}/{fileId}/image'
/** For `http/methods.ts`, which knows paths by their operations. */
export const imagePaths = [{ method: 'GET', path }] as const

const minute = 60
const forEverSeconds = 31_536_000
/** What a name means can be changed; so long caches may show what it meant. */
const namedSeconds = 300

function createImageLimits({ config, clock }: Deps) {
  const limiter = (name: string, count: number) =>
    createAddressLimiter({ name, count: count * limitFactor(config), windowSeconds: minute, clock })
  return { asked: limiter('images', 6000), made: limiter('images-made', 300) }
}

async function definitionOf(files: ShownFiles, tenant: TenantEntry, query: ImageQuery): Promise<ImageDefinition> {
  if (query.parameters !== undefined) return query.parameters
  if (query.transformation === undefined) return plainDefinition
  const found = await files.definition(tenant, query.transformation)
  if (found === undefined) throw notFound()
  return found
}

function cacheControl(query: ImageQuery, definition: ImageDefinition, { access }: ShownFileRow, nowMs: number): string {
  const isFixed = query.transformation === undefined || query.version === versionOf(definition)
  const wanted = isFixed ? forEverSeconds : namedSeconds
  if (access === 'public') return `public, max-age=${wanted}${isFixed ? ', immutable' : ''}`
  const left = Math.max(0, (query.expiresAtSeconds ?? 0) - Math.floor(nowMs / 1000))
  return `private, max-age=${Math.min(wanted, left)}${isFixed ? ', immutable' : ''}`
}

function describe(reply: FastifyReply, choice: ImageChoice, caching: string) {
  void reply.headers(choice.headers).header('cache-control', caching)
}

function sendBytes({ method, headers }: FastifyRequest, reply: FastifyReply, bytes: Buffer, tag: string) {
  // RFC 9110 §14.2: parts are for GET alone.
  const isAsked = method === 'GET' && (headers['if-range'] === undefined || headers['if-range'] === tag)
  const range = isAsked ? parseRange(headers.range, bytes.length) : undefined
  if (range === null) {
    return reply.code(416).header('content-range', `bytes */${bytes.length}`).header('cache-control', 'no-store').send()
  }
  if (range === undefined) return reply.send(bytes)
  const { start, end } = range
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${bytes.length}`)
    .send(bytes.subarray(start, end + 1))
}

export function imageRoutes(app: FastifyInstance, deps: Deps, images: ProcessedImages) {
  const limits = createImageLimits(deps)
  const files = createShownFiles(deps)

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    limits.asked.take(request, reply)
    const { tenantId, fileId } = request.params as { tenantId: TenantId; fileId: string }
    if (!isId(tenantId) || !isId(fileId)) throw notFound()
    const query = parseImageQuery(request.query as Record<string, unknown>, deps.config.media.addresses === 'any')
    const tenant = await deps.tenants.byId(tenantId)
    const shown = tenant && (await files.file(tenant, fileId))
    if (tenant === undefined || shown === undefined) throw notFound()
    const { row: file, chooser } = shown
    // A private file without its signature is as good as none.
    if (file.access === 'private' && !isSigned(deps, { tenantId, fileId }, query)) throw notFound()
    const definition = await definitionOf(files, tenant, query)
    // What anybody may ask for in any number of sizes is remembered with no file.
    const choose = query.parameters === undefined ? chooser(definition) : createChooser(file, definition)
    const choice = choose(request.headers.accept)
    const tag = `"${choice.digest}"`
    if (wantsAnother(request.headers['if-match'], tag)) {
      return reply.code(412).header('cache-control', 'no-store').send()
    }
    const caching = cacheControl(query, definition, file, deps.clock.nowMs())
    if (matchesTag(request.headers['if-none-match'], tag)) {
      describe(reply, choice, caching)
      return reply.code(304).removeHeader('content-type').send()
    }
    const beforeMaking = () => limits.made.take(request, reply)
    const bytes = images.known(choice) ?? (await images.get(choice, query.parameters === undefined, beforeMaking))
    describe(reply, choice, caching)
    return sendBytes(request, reply, bytes, tag)
  }

  app.get(routePath(path), answer)
}
