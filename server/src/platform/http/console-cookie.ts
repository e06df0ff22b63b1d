// The cookie of a console session. A browser sends it along with whatever page asks, so that a request that changes something
// must show that it comes from a page of the service itself (CSRF).
import type { IncomingMessage } from 'node:http'

export const consoleCookieName = '__Host-console'

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** The values of all cookies of that name: a browser sends one, and two are somebody's trick. */
export function consoleCookies(header: string | undefined): string[] {
  if (header === undefined || !header.includes(consoleCookieName)) return []
  return header.split(';').flatMap((pair) => {
    const end = pair.indexOf('=')
    return end !== -1 && pair.slice(0, end).trim() === consoleCookieName ? [pair.slice(end + 1).trim()] : []
  })
}

/**
 * Whether a request that a cookie speaks for may be what a page of the service sent. Every browser says of a request that is
 * not a plain reading one where it comes from, by `Sec-Fetch-Site`, by `Origin`, or by both.
 * @param isOwnOrigin of an Origin header.
 */
export function isFromOwnPage({ method, headers }: IncomingMessage, isOwnOrigin: (origin: string) => boolean): boolean {
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin)) return false
  if (readingMethods.has(method ?? '')) return true
  const site = headers['sec-fetch-site']
  return site === undefined ? origin !== undefined : site === 'same-origin'
}
