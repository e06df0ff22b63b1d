// What every client is told about the connection to the service, checked before anything is sent.
import type { Fetch, TransportOptions } from './transport/transport.ts'

export interface ConnectionOptions {
  /** Replaces the platform's `fetch`: for a proxy, for tracing, for tests. */
  readonly fetch?: Fetch
  /** The time limit of each try; 30,000 by default. */
  readonly timeoutMs?: number
  /** How often a call is tried again after a network error, a time-out, 429 or 503: 0 to 10, 2 by default. */
  readonly retries?: number
}

const timeoutMsDefault = 30_000
/** The longest delay that setTimeout supports. */
const timeoutMsMax = 2 ** 31 - 1
const retriesDefault = 2
const retriesMax = 10

function checkBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '' &&
    !/[?#]/.test(value)
  if (!isPlain) throw new TypeError('baseUrl must be a plain http or https URL')
  return url.href.replace(/\/+$/, '')
}

function integerWithin(value: number, minimum: number, maximum: number, name: string): number {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new TypeError(`${name} must be an integer from ${minimum} to ${maximum}`)
  }
  return value
}

/** @throws TypeError */
export function checkTimeout(timeoutMs: number | undefined) {
  if (timeoutMs !== undefined) integerWithin(timeoutMs, 1, timeoutMsMax, 'timeoutMs')
}

/** @throws TypeError for options that cannot work. */
export const createConnection = (
  options: ConnectionOptions & { readonly baseUrl: string },
): Pick<TransportOptions, 'baseUrl' | 'fetch' | 'timeoutMs' | 'retries'> => ({
  baseUrl: checkBaseUrl(options.baseUrl),
  fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  timeoutMs: integerWithin(options.timeoutMs ?? timeoutMsDefault, 1, timeoutMsMax, 'timeoutMs'),
  retries: integerWithin(options.retries ?? retriesDefault, 0, retriesMax, 'retries'),
})
