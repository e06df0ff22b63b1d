// The part of a request that shows who sent it, for any framework.

export interface IncomingRequest {
  readonly method: string
  /** The host that the caller asked for, as far as the request says. */
  readonly host: string | undefined
  readonly header: (name: 'authorization' | 'cookie' | 'origin' | 'sec-fetch-site') => string | undefined
}

/** A request of Node, which Express and Fastify extend. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export function fromNode({ headers, method = 'GET' }: NodeRequest): IncomingRequest {
  // Node keeps the first of several headers; one that is a list all the same counts as absent.
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

/** Returns the value of the only cookie of that name; undefined if there are several, because one of them may be forged (RFC 6265 §8.6). */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns whether the cookies of a request may authenticate the user: browsers add them also if a page of another origin sends it. They may
 * for reads; changes must come from the app's own pages or from the given origins. Sec-Fetch-Site decides if a browser sends it, else
 * Origin compared with Host; a request with neither does not come from a browser.
 */
export function isOwnPages({ header, host, method }: IncomingRequest, origins: ReadonlySet<string>): boolean {
  if (safeMethods.has(method)) return true
  const origin = header('origin')
  if (origin !== undefined && origins.has(origin)) return true
  const site = header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
