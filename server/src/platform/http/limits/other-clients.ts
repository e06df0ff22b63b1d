// Clients that were written for another server of this interface use a few other headers and paths. Each is read as the service's own before
// the request is routed, so that no operation exists twice. docs/other-clients.md lists them.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ApiError } from '../api-error.ts'

const headerNames = [
  ['x-protocol-public-key', 'x-public-key'],
  ['x-protocol-secret-key', 'x-secret-key'],
] as const

/** Two different values under the two names of a header become a list, which no credential is. */
function renameHeaders(headers: IncomingHttpHeaders) {
  for (const [from, to] of headerNames) {
    const value = headers[from]
    if (value === undefined) continue
    const own = headers[to]
    headers[to] = own === undefined || own === value ? value : [own, value].flat()
    delete headers[from]
  }
}

interface PathAlias {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly from: RegExp
  /** `$1` is what the first group of `from` matched. */
  readonly to: string
}

const management = '/api/v0'
const frontend = '/frontend/api/v0'

/** Segments of a path do not contain `/` or `?`, so that no expression can look at a part of the path twice. */
export const pathAliases: readonly PathAlias[] = [
  { from: /^\/api\/v0\/auth\/tenant-social-providers(?=[/?]|$)/, to: `${management}/auth/social-providers` },
  { method: 'DELETE', from: /^\/api\/v0\/files\/([^/?]+)(?=\?|$)/, to: `${management}/media/files/$1` },
  {
    method: 'GET',
    from: /^\/api\/v0\/media\/stats\/uploads-by-day(?=\?|$)/,
    to: `${management}/media/stats/files-by-day`,
  },
  {
    method: 'GET',
    from: /^\/api\/v0\/tenants\/([^/?]+)\/notifications\/(email|webhook)s(?:\?|$)/,
    to: `${management}/tenants/$1/notifications/messages?channelType=$2&`,
  },
  {
    method: 'GET',
    from: /^\/api\/v0\/tenants\/([^/?]+)\/notifications\/(inapp|push|sms)(?:\?|$)/,
    to: `${management}/tenants/$1/notifications/messages?channelType=$2&`,
  },
  {
    method: 'POST',
    from: /^\/frontend\/api\/v0\/user\/(emails|phones)\/([^/?]+)\/resend(?=\?|$)/,
    to: `${frontend}/user/$1/$2/prepare`,
  },
  {
    from: /^\/frontend\/api\/v0\/organizations\/([^/?]+)\/(roles|invitations|members)(?=[/?]|$)/,
    to: `${frontend}/user/organizations/$1/$2`,
  },
]

/** Reads the headers and the path of other clients as the service's own. Returns the path to route. */
export function readOtherClients({ headers, method, url = '/' }: IncomingMessage): string {
  renameHeaders(headers)
  if (!url.startsWith(management) && !url.startsWith(frontend)) return url
  const alias = pathAliases.find((each) => (each.method ?? method) === method && each.from.test(url))
  return alias === undefined ? url : url.replace(alias.from, alias.to)
}

const outsideProduct = /^\/api\/v0\/tenants\/[^/?]+\/(?:subscriptions?|invoices)(?=[/?]|$)/

/** Returns the refusal of a path that the service leaves to others. */
export const outsideProductRefusal = (url: string): ApiError | undefined =>
  outsideProduct.test(url) ? new ApiError('billing_not_offered') : undefined
