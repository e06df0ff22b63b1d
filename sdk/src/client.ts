import { type Credential, authorizationOf } from './credential.ts'
import { eventStreamType, followEvents } from './event-stream.ts'
import { readLines, walkValues } from './lines.ts'
import { type AnyInput, type Operations, type Pages, targetOf } from './operation.ts'
import { operations } from './operations.gen.ts'
import { walkPages } from './pages.ts'
import { sendLines } from './send-lines.ts'
import { type Fetch, type OutgoingRequest, type Send, createTransport, readBytes, readJson } from './transport.ts'

export type BailiwickOptions = Credential & {
  /** The service's base address, such as `https://id.example.com/api/v0`. */
  readonly baseUrl: string
  /** In place of the platform's: for a proxy, for tracing, for tests. */
  readonly fetch?: Fetch
  /** Time limit of each try; 30,000 unless said. */
  readonly timeoutMs?: number
  /** How often a call is tried again after a network error, a time-out, 429 or 503: 0 to 10, 2 unless said. */
  readonly retries?: number
}

const timeoutMsDefault = 30_000
/** The longest that setTimeout keeps. */
const timeoutMsMax = 2 ** 31 - 1
const imageType = 'image/*'
const retriesDefault = 2
const retriesMax = 10

function baseUrlOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '' &&
    !/[?#]/.test(value)
  if (!isPlain) throw new TypeError('baseUrl must be an http or https address without user, query or fragment')
  return url.href.replace(/\/+$/, '')
}

function integerWithin(value: number, minimum: number, maximum: number, name: string): number {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new TypeError(`${name} must be an integer from ${minimum} to ${maximum}`)
  }
  return value
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly bodyType?: string
  readonly responseType?: string
}

function requestOf({ method, path }: Operation, input: AnyInput): OutgoingRequest {
  const { idempotencyKey, signal, timeoutMs } = input
  if (timeoutMs !== undefined) integerWithin(timeoutMs, 1, timeoutMsMax, 'timeoutMs')
  return { method, target: targetOf(path, input), idempotencyKey, signal, timeoutMs }
}

function functionOf(send: Send, operation: Operation): (input?: AnyInput) => unknown {
  const { bodyType, responseType } = operation
  if (bodyType !== undefined) {
    return (input = {}) => sendLines(send, requestOf(operation, input), input.body as AsyncIterable<unknown>)
  }
  if (responseType === eventStreamType) {
    return (input = {}) => {
      const request = { ...requestOf(operation, input), accept: responseType }
      const open = (lastEventId: string | undefined) =>
        send({ ...request, lastEventId }, (answer) => readLines(answer, responseType))
      return followEvents(open, { start: input.lastEventId, signal: input.signal })
    }
  }
  if (responseType === imageType) {
    return async (input = {}) => {
      // Nothing changes by it, so that a repetition needs no telling.
      const written = { body: JSON.stringify(input.body), contentType: 'application/json', accept: imageType }
      return send({ ...requestOf(operation, input), ...written }, readBytes)
    }
  }
  if (responseType !== undefined) {
    return (input = {}) => {
      const request = { ...requestOf(operation, input), accept: responseType }
      return walkValues(() => send(request, (answer) => readLines(answer, responseType)))
    }
  }
  return async (input = {}) => {
    const body = input.body === undefined ? undefined : JSON.stringify(input.body)
    return send({ ...requestOf(operation, input), body }, readJson)
  }
}

class Client {
  readonly pages: Readonly<Record<string, unknown>>

  constructor(options: BailiwickOptions) {
    const send = createTransport({
      baseUrl: baseUrlOf(options.baseUrl),
      authorization: authorizationOf(options),
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      timeoutMs: integerWithin(options.timeoutMs ?? timeoutMsDefault, 1, timeoutMsMax, 'timeoutMs'),
      retries: integerWithin(options.retries ?? retriesDefault, 0, retriesMax, 'retries'),
    })
    const pages: Record<string, unknown> = {}
    for (const [id, operation] of Object.entries<Operation>(operations)) {
      const call = functionOf(send, operation)
      Object.defineProperty(this, id, { value: call, enumerable: true })
      if (operation.method !== 'GET' || operation.responseType !== undefined) continue
      pages[id] = (input: AnyInput = {}) =>
        walkPages(
          async (cursor) => call(cursor === undefined ? input : { ...input, query: { ...input.query, cursor } }),
          input.query?.['cursor'] as string | undefined,
        )
    }
    this.pages = pages
  }
}

/** Every operation of the interface as a function of the same name, and the paginated ones as iterators in `pages`. */
export type Bailiwick = Operations & { readonly pages: Pages }

/**
 * A client of one deployment under one credential. Nothing is sent before the first call; the credential stays out of
 * reach of whoever prints the client.
 * @throws TypeError for options that cannot work.
 */
export const Bailiwick = Client as unknown as new (options: BailiwickOptions) => Bailiwick
