// Sends the built console: one page for all its addresses, and the files that this page loads. Browsers keep these for ever, because their
// names are derived from their content. They are read from the disk each time, so that the service holds none of them in memory.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { hostedRootOfId } from '../../tenancy/tenants/hosted-pages.ts'

/** Where the build is in the repository, and in the published package. */
const places = ['../../../../console/.built', '../../console'].map((path) => join(import.meta.dirname, path))

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const encodings = [
  { name: 'br', suffix: '.br', pattern: /\bbr\b/ },
  { name: 'gzip', suffix: '.gz', pattern: /\bgzip\b/ },
]

/**
 * Everything comes from the service itself, and no text that is inserted into the page can become a script or markup. Pictures that people
 * have uploaded may be on other hosts, and previews are made from bytes in the page. The nonce is for the one rule that react-aria adds to
 * the page's style.
 */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const framePolicy =
  "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: https:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

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

/** Sends the page, which says where people sign in. */
export async function sendConsole({ config, db }: Deps, reply: FastifyReply) {
  const path = await findFile('index.html')
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyWith(nonce),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  if (path === undefined) return reply.code(503).send(missing)
  const signIn = hostedRootOfId(config, await getConsoleTenantId(db))
  const page = await readFile(path, 'utf8')
  return reply.send(page.replace('%SIGN_IN%', signIn).replace('%NONCE%', nonce))
}

/**
 * Sends an empty page, in which the console shows markup that others have written, such as that of a message. The sandbox runs no script
 * whatever is put into it, and what is in it can be styled as mail is.
 */
export const sendFrame = (reply: FastifyReply) =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy,
      'cache-control': 'no-store',
    })
    .send('<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title><body></body></html>')

/** @throws ApiError not_found for a name that the build did not make. */
export async function sendConsoleAsset(name: string, accepted: string | undefined, reply: FastifyReply) {
  const type = contentTypes[extname(name)]
  // Matches a name of the build: no folder, nothing hidden.
  if (type === undefined || !/^[\w-]+(?:\.[\w-]+)+$/.test(name)) throw new ApiError('not_found')
  reply.headers({ 'content-type': type, vary: 'accept-encoding' })
  const encoding = encodings.find(({ pattern }) => pattern.test(accepted ?? ''))
  const path =
    (encoding === undefined ? undefined : await findFile(`assets/${name}${encoding.suffix}`)) ??
    (await findFile(`assets/${name}`))
  if (path === undefined) throw new ApiError('not_found')
  if (encoding !== undefined && path.endsWith(encoding.suffix)) reply.header('content-encoding', encoding.name)
  return reply.header('cache-control', 'public, max-age=31536000, immutable').send(createReadStream(path))
}
