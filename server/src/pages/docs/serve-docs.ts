// Sends the built documentation. Pages are asked for again each time and are mostly answered with 304; what they load has names that are
// derived from the content.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import { matchesTag } from '../../platform/http/entity-tags.ts'
import { findContentType, keptForEver } from '../built-files.ts'
import { type Archive, type Encoding, readArchive } from './archive.ts'

const html = 'text/html; charset=utf-8'

const missing = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The documentation is not built</title>
<h1>The documentation is not built</h1><p>Build it with <code>node scripts/ensure-built.mjs</code>; <code>npm start</code> does so, too. Programs read <a href="/api/v0/openapi.json">openapi.json</a>.</p></html>`

function bestEncoding(accepted: string | undefined, type: string): Encoding {
  if (type === 'image/webp') return 'identity'
  if (/\bbr\b/.test(accepted ?? '')) return 'br'
  return /\bgzip\b/.test(accepted ?? '') ? 'gzip' : 'identity'
}

function setHeaders(path: string, type: string, { policy }: Archive, reply: FastifyReply) {
  reply.headers({ 'content-type': type, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  if (path.startsWith('assets/')) reply.header('cache-control', keptForEver)
  if (type !== html) return
  reply.headers({
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
}

/**
 * @param path below `/docs/`: a folder with a slash at its end is a page.
 * @throws ApiError not_found for a path that the build did not make.
 */
export async function sendDocs(path: string, headers: IncomingHttpHeaders, reply: FastifyReply) {
  const archive = await readArchive()
  if (archive === undefined) return reply.code(503).header('content-type', html).send(missing)
  const file = archive.find(path)
  const type = path === '' || path.endsWith('/') ? html : findContentType(path)
  if (file === undefined || type === undefined) {
    if (archive.find(`${path}/`) === undefined) throw new ApiError('not_found')
    return reply.redirect(`/docs/${path}/`, 308)
  }
  setHeaders(path, type, archive, reply.header('etag', file.tag))
  if (matchesTag(headers['if-none-match'], file.tag)) return reply.code(304).removeHeader('content-type').send()
  const encoding = bestEncoding(headers['accept-encoding'], type)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(await archive.encode(file, encoding))
}
