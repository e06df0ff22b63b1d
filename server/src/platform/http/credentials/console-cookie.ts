// The cookie of a console session. A browser sends it along with any page's requests, so a request that changes something must prove that
// it comes from a page of the service itself (CSRF).
import type { IncomingMessage } from 'node:http'

export const consoleCookieName = '__Host-console'

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Returns the values of all cookies of that name. A browser sends one; two mean that somebody is interfering. */
export function consoleCookies(header: string | undefined): string[] {
  if (header === undefined || !header.includes(consoleCookieName)) return []
  return header.split(';').flatMap((pair) => {
    const end = pair.indexOf('=')
    return end !== -1 && pair.slice(0, end).trim() === consoleCookieName ? [pair.slice(end + 1).trim()] : []
  })
}

/**
 * Whether a request with a cookie may come from a page of the service. For every request except a plain reading one, browsers send the
 * origin in `Sec-Fetch-Site`, `Origin`, or both.
 * @param isOwnOrigin checks an Origin header.
 */
export function isFromOwnPage({ method, headers }: IncomingMessage, isOwnOrigin: (origin: string) => boolean): boolean {
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin)) return false
  if (readingMethods.has(method ?? '')) return true
  const site = headers['sec-fetch-site']
  return site === undefined ? origin !== undefined : site === 'same-origin'
}
