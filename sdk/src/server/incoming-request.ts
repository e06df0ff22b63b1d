// The part of a request that says who sent it, from whatever framework it comes.

export interface IncomingRequest {
  readonly method: string
  /** The host that the caller asked for, as far as the request says. */
  readonly host: string | undefined
  readonly header: (name: 'authorization' | 'cookie' | 'origin' | 'sec-fetch-site') => string | undefined
}

/** A request of Node's, which Express and Fastify extend. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export function fromNode({ headers, method = 'GET' }: NodeRequest): IncomingRequest {
  // Node keeps the first of several; what is a list all the same is taken for absent.
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return { method, host: header('host'), header }
}

export const fromFetch = ({ headers, method, url }: Request): IncomingRequest => ({
  method,
  host: headers.get('host') ?? new URL(url).host,
  header: (name) => headers.get(name) ?? undefined,
})

/** Returns the value of the one cookie of that name; none where there are several, for one of them is forged (RFC 6265 §8.6). */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether the cookies of a request may speak for the user: browsers add them also when a page of another origin sends it. Reads may;
 * changes must come from the app's own pages or from the origins given. Sec-Fetch-Site decides where a browser sends it, else Origin
 * against Host; a request with neither is from no browser.
 */
export function isOwnPages({ header, host, method }: IncomingRequest, origins: ReadonlySet<string>): boolean {
  if (safeMethods.has(method)) return true
  const origin = header('origin')
  if (origin !== undefined && origins.has(origin)) return true
  const site = header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
