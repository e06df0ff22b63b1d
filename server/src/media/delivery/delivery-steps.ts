// The steps of a request for an image. Their order is in service/interfaces.ts.
import { isId } from '@bailiwick/contract'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../platform/http/api-error.ts'
import { matchesTag, wantsAnother } from '../../platform/http/entity-tags.ts'
import { createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { limitFactor } from '../../platform/http/limits/rate-limit.ts'
import { UnreadAnswers } from '../../platform/http/limits/unread-answers.ts'
import { Exchange, type Step } from '../../platform/http/pipeline.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { ImageDefinition } from '../engine/definition.ts'
import type { ShownFileRow } from '../queries.ts'
import { parseRange } from './content-range.ts'
import { isSigned, versionOf } from './image-address.ts'
import { type ImageChoice, createChooser } from './image-choice.ts'
import { type ImageQuery, parseImageQuery, plainDefinition } from './image-query.ts'
import { ProcessedImages } from './processed-image.ts'
import { type ShownFile, type ShownFiles, createShownFiles } from './shown-files.ts'

const minute = 60
const forEverSeconds = 31_536_000
/** A transformation can change, so caches may show its earlier result for this long. */
const namedSeconds = 300
const mebibyte = 1024 * 1024
/** What may wait in memory for the readers of large images, each of which counts once however many readers it has. */
const unreadLimits = { perOwnerMax: 128 * mebibyte, perNodeMax: 384 * mebibyte }

/** The outcome of a request for an image. */
type Outcome =
  | { readonly status: 412 }
  | { readonly status: 304; readonly choice: ImageChoice; readonly caching: string }
  | { readonly status: 200; readonly choice: ImageChoice; readonly caching: string; readonly bytes: Buffer }

/** One request for an image. */
export class ImageCall extends Exchange {
  /** Filled in by `parse`. */
  tenantId!: TenantId
  fileId!: string
  asked!: ImageQuery
  /** Filled in by `locate`. */
  tenant!: TenantEntry
  file!: ShownFile
}

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

const describe = (reply: FastifyReply, { headers }: ImageChoice, caching: string) =>
  reply.headers(headers).header('cache-control', caching)

function sendBytes({ request: { method, headers }, reply }: ImageCall, bytes: Buffer, tag: string) {
  // RFC 9110 §14.2: ranges are for GET only.
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

const tagOf = ({ digest }: ImageChoice) => `"${digest}"`

/** Returns the operation, which makes the image or finds it in memory or in the storage, and the data that its steps need. */
export function createImageDelivery(deps: Deps) {
  const images = new ProcessedImages(deps)
  const files = createShownFiles(deps)
  const limits = createImageLimits(deps)
  const unread = new UnreadAnswers(unreadLimits)

  async function show({ asked, tenant, file: { row, chooser }, request, reply }: ImageCall): Promise<Outcome> {
    const definition = await definitionOf(files, tenant, asked)
    // Images that anybody may request in any number of sizes are not remembered with the file.
    const choose = asked.parameters === undefined ? chooser(definition) : createChooser(row, definition)
    const choice = choose(request.headers.accept)
    if (wantsAnother(request.headers['if-match'], tagOf(choice))) return { status: 412 }
    const caching = cacheControl(asked, definition, row, deps.clock.nowMs())
    if (matchesTag(request.headers['if-none-match'], tagOf(choice))) return { status: 304, choice, caching }
    const beforeMaking = () => limits.made.take(request, reply)
    const known = images.known(choice) ?? unread.find(choice.key)
    const bytes = known ?? (await images.get(choice, asked.parameters === undefined, beforeMaking))
    return { status: 200, choice, caching, bytes: unread.hold(tenant.row.id, choice.key, bytes, reply.raw) }
  }
  return { images, files, limits, show }
}

export type ImageDelivery = ReturnType<typeof createImageDelivery>

export function createImageSteps(deps: Deps, { files, limits }: ImageDelivery) {
  return {
    /** Refuses an address that has sent too many requests. */
    limit: ({ request, reply }) => limits.asked.take(request, reply),

    /** Parses the address. Malformed ids get the same answer as unknown ones. */
    parse: (call) => {
      const { tenantId, fileId } = call.request.params as { tenantId: TenantId; fileId: string }
      if (!isId(tenantId) || !isId(fileId)) throw notFound()
      const areParametersTaken = deps.config.media.addresses === 'any'
      call.asked = parseImageQuery(call.request.query as Record<string, unknown>, areParametersTaken)
      call.tenantId = tenantId
      call.fileId = fileId
    },

    /** Finds the tenant and its file. */
    locate: async (call) => {
      const tenant = await deps.tenants.byId(call.tenantId)
      const file = tenant && (await files.file(tenant, call.fileId))
      if (tenant === undefined || file === undefined) throw notFound()
      call.tenant = tenant
      call.file = file
    },

    /** Refuses a private file without a signature, as if it did not exist. */
    authorize: ({ tenantId, fileId, asked, file }) => {
      if (file.row.access === 'private' && !isSigned(deps, { tenantId, fileId }, asked)) throw notFound()
    },

    /** Sends the image, the requested part of it, or the answer that the caller's copy is up to date. */
    send: (call) => {
      const outcome = call.result as Outcome
      const { reply } = call
      if (outcome.status === 412) return void reply.code(412).header('cache-control', 'no-store').send()
      describe(reply, outcome.choice, outcome.caching)
      if (outcome.status === 304) return void reply.code(304).removeHeader('content-type').send()
      void sendBytes(call, outcome.bytes, tagOf(outcome.choice))
    },
  } satisfies Record<string, Step<ImageCall>>
}
