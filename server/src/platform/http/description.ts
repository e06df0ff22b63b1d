// The description of an interface (OpenAPI), as programs read it: made and compressed by the first request for it.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { entityTag, matchesTag } from './entity-tags.ts'

const gzip = promisify(zlib.gzip)

async function prepare(make: () => object) {
  const text = JSON.stringify(make())
  return { text, tag: entityTag(text), compressed: await gzip(text) }
}

/** Serves a description at `/openapi.json`. Caches ask each time whether it has changed, and are mostly answered with 304. */
export function describeInterface(app: FastifyInstance, make: () => object) {
  let prepared: ReturnType<typeof prepare> | undefined
  app.get('/openapi.json', async ({ headers }, reply) => {
    const { text, tag, compressed } = await (prepared ??= prepare(make))
    reply.headers({ 'cache-control': 'no-cache', etag: tag, vary: 'accept-encoding' })
    if (matchesTag(headers['if-none-match'], tag)) return reply.code(304).send()
    reply.header('content-type', 'application/json; charset=utf-8')
    if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}
