// Sends the built console: one page for all its addresses, and the files that this page loads. Browsers keep these for ever, because their
// names are derived from their content. They are on the disk in Brotli alone, since every browser that runs the console reads it over https
// and on localhost, and are read from there each time.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import zlib, { createBrotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import type { Config } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { consoleCookies } from '../../platform/http/credentials/console-cookie.ts'
import { isLoopbackCaller } from '../../platform/http/credentials/loopback.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { hostedRootOfId } from '../../tenancy/tenants/hosted-pages.ts'
import { findContentType, keptForEver } from '../built-files.ts'

const brotliDecompress = promisify(zlib.brotliDecompress)
const gzip = promisify(zlib.gzip)

/** Where the build is in the repository, and in the published package. */
const places = ['../../../../console/.built', '../../console'].map((path) => join(import.meta.dirname, path))

/**
 * What was compressed anew for clients that read gzip alone, by path: half a megabyte if such a client loads all of the console. It is kept,
 * so that no number of requests makes the service compress twice.
 */
const gzipped = new Map<string, Promise<Buffer>>()

/**
 * Everything comes from the service itself, and no text that is inserted into the page can become a script or markup. The service's own
 * address is named too, because on a development deployment the page may have been opened under another name. Bytes of uploads go to the
 * object store where there is one; previews of pictures are made from bytes in the page. The nonce is for the one rule that react-aria adds
 * to the page's style.
 */
export function consolePolicy(nonce: string, { baseUrl, s3 }: Config): string {
  const own = `'self' ${new URL(baseUrl).origin}`
  const store = s3 === undefined ? '' : ` ${new URL(s3.endpoint).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${own} data: blob:`,
    "font-src 'self'",
    `connect-src ${own}${store}`,
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Pictures of other hosts are not loaded: whoever wrote a message would learn who has looked at it. */
const framePolicyWith = ({ baseUrl }: Config) =>
  `sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${new URL(baseUrl).origin} data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`

const missing = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The console is not built</title>
<h1>The console is not built</h1><p>Build it with <code>node scripts/ensure-built.mjs</code>; <code>npm start</code> does so, too.</p></html>`

async function findFile(name: string): Promise<string | undefined> {
  for (const place of places) {
    const path = join(place, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() === true) return path
  }
  return undefined
}

/** Returns whom the page may expect to be, so that it does not have to ask for what would be refused. */
function callerOf({ env }: Config, { raw }: FastifyRequest): 'user' | 'operator' | 'nobody' {
  if (consoleCookies(raw.headers.cookie).length > 0) return 'user'
  return env === 'development' && isLoopbackCaller(raw) ? 'operator' : 'nobody'
}

/** Sends the page, which says where people sign in. */
export async function sendConsole({ config, db }: Deps, request: FastifyRequest, reply: FastifyReply) {
  const path = await findFile('index.html')
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': consolePolicy(nonce, config),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  if (path === undefined) return reply.code(503).send(missing)
  const signIn = hostedRootOfId(config, await getConsoleTenantId(db))
  const page = await readFile(path, 'utf8')
  const caller = callerOf(config, request)
  return reply.send(page.replace('%SIGN_IN%', signIn).replace('%NONCE%', nonce).replace('%CALLER%', caller))
}

/**
 * Sends an empty page, in which the console shows markup that others have written, such as that of a message. The sandbox runs no script
 * whatever is put into it, and what is in it can be styled as mail is.
 */
export const sendFrame = ({ config }: Deps, reply: FastifyReply) =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicyWith(config),
      'cache-control': 'no-store',
    })
    .send('<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title><body></body></html>')

/** @throws ApiError not_found for a name that the build did not make. */
export async function sendConsoleAsset(name: string, accepted: string | undefined, reply: FastifyReply) {
  const type = findContentType(name)
  // Matches a name of the build: no folder, nothing hidden.
  if (type === undefined || !/^[\w-]+(?:\.[\w-]+)+$/.test(name)) throw new ApiError('not_found')
  const path = await findFile(`assets/${name}.br`)
  if (path === undefined) throw new ApiError('not_found')
  reply.headers({
    'content-type': type,
    vary: 'accept-encoding',
    'cache-control': keptForEver,
  })
  if (/\bbr\b/.test(accepted ?? '')) return reply.header('content-encoding', 'br').send(createReadStream(path))
  if (/\bgzip\b/.test(accepted ?? '')) return reply.header('content-encoding', 'gzip').send(await gzippedAsset(path))
  return reply.send(pipeline(createReadStream(path), createBrotliDecompress(), () => undefined))
}

function gzippedAsset(path: string): Promise<Buffer> {
  const known = gzipped.get(path)
  if (known !== undefined) return known
  const made = readFile(path).then(async (bytes) => gzip(await brotliDecompress(bytes)))
  gzipped.set(path, made)
  made.catch(() => gzipped.delete(path))
  return made
}
