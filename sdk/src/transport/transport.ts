// One request to the interface over fetch: credential, time limit, retries, and the result as a value or an error.
import type { ErrorCode, Issue } from '@bailiwick/contract'
import { BailiwickError } from '../errors.ts'
import { type Deadline, pause, startDeadline } from './deadline.ts'
import { parseRetryAfter, retryDelayMs } from './retry-delay.ts'

/** The part of the platform's `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string | FormData | Blob
    readonly signal: AbortSignal
    readonly redirect: 'manual'
    readonly credentials?: 'include'
  },
) => Promise<Response>

export interface TransportOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Returns the headers that authenticate the caller; called before every try. */
  readonly credential: () => Promise<Readonly<Record<string, string>>>
  /**
   * Returns the headers by which the service executes a POST once that is sent twice. Without them only requests that change nothing are
   * repeated.
   */
  readonly onceHeaders?: (request: OutgoingRequest) => Readonly<Record<string, string>>
  /** Whether browsers send cookies along. */
  readonly hasCookies?: boolean
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly retries: number
}

export interface OutgoingRequest {
  readonly method: string
  /** Path and query, relative to the base address. */
  readonly target: string
  /** Serialised already, or a form or lines of a size that nothing bounds: these are sent only once, and however long that takes. */
  readonly body?: string | FormData | Blob | undefined
  /** In place of those of JSON, which is sent and read otherwise. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly idempotencyKey?: string | undefined
  /** The answer to a puzzle. */
  readonly challenge?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** An answer of status 200 whose body is still to be read, within the time limit. */
export interface OpenAnswer {
  readonly request: OutgoingRequest
  readonly response: Response
  readonly deadline: Deadline
}

/**
 * Sends a request, and repeats it if that can help, until `read` has made a value from an answer. `read` clears the time limit when it is
 * done.
 */
export type Send = <Value>(request: OutgoingRequest, read: (answer: OpenAnswer) => Promise<Value>) => Promise<Value>

const isLarge = ({ body }: OutgoingRequest) => typeof body === 'object'

export function createTransport(options: TransportOptions): Send {
  return async (request, read) => {
    const { onceHeaders } = options
    // The same key for all tries, by which the service distinguishes a repetition from a second call.
    const headers = { ...headersOf(request), ...onceHeaders?.(request) }
    const isRepeatable = (onceHeaders !== undefined || request.method === 'GET') && !isLarge(request)
    const triesMax = isRepeatable ? options.retries + 1 : 1
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(options, request, headers, read)
      } catch (error) {
        const isLast = tries >= triesMax || !isTransient(error)
        const delayMs = isLast ? undefined : retryDelayMs(tries, error.retryAfterSeconds)
        if (delayMs === undefined) throw error
        await pause(delayMs, request.signal)
      }
    }
  }
}

/**
 * The codes and statuses of failures that another try may avoid. An idempotency key is in use while the previous try, whose answer was lost, is
 * not done yet. A proxy answers 502 or 504 when its connection to a node was reset; the service itself never does.
 */
const transient: readonly unknown[] = ['network_error', 'timed_out', 'idempotency_key_in_use', 429, 502, 503, 504]

/** Failures that another try may avoid. */
export const isTransient = (error: unknown): error is BailiwickError =>
  error instanceof BailiwickError && (transient.includes(error.code) || transient.includes(error.status))

const headersOf = ({ body, challenge, headers }: OutgoingRequest): Record<string, string> => ({
  accept: 'application/json',
  // The platform gives a form its type, because that names the boundary between the parts.
  ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
  ...(challenge === undefined ? {} : { 'x-challenge': challenge }),
  ...headers,
})

async function attempt<Value>(
  { credential, baseUrl, fetch, timeoutMs, hasCookies = false }: TransportOptions,
  request: OutgoingRequest,
  headers: Record<string, string>,
  read: (answer: OpenAnswer) => Promise<Value>,
): Promise<Value> {
  request.signal?.throwIfAborted()
  const shown = await credential()
  const deadline = startDeadline(request.timeoutMs ?? timeoutMs, request.signal)
  if (isLarge(request)) deadline.hold()
  try {
    const response = await fetch(baseUrl + request.target, {
      method: request.method,
      headers: { ...headers, ...shown },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: deadline.signal,
      // This interface never answers with a redirect, and following one would send the request elsewhere.
      redirect: 'manual',
      ...(hasCookies ? { credentials: 'include' } : {}),
    })
    if (!response.ok) throw describeRefusal(response, await response.text())
    return await read({ request, response, deadline })
  } catch (error) {
    deadline.clear()
    throw describeFailure(error, request, deadline)
  }
}

/** Returns a failure while sending or reading as the error that the caller sees. */
export function describeFailure(error: unknown, request: OutgoingRequest, deadline: Deadline): unknown {
  if (error instanceof BailiwickError) return error
  if (request.signal?.aborted === true) return request.signal.reason
  return deadline.isOver()
    ? new BailiwickError('timed_out', 'The service did not respond in time.', { cause: error })
    : new BailiwickError('network_error', 'The service cannot be reached.', {
        cause: error,
      })
}

/** Reads an answer of one JSON value. */
export async function readJson({ response, deadline }: OpenAnswer): Promise<unknown> {
  const text = await response.text()
  deadline.clear()
  const body = parse(response, text)
  if (body === undefined) throw foreignAnswer(response)
  return body.value
}

/** Reads an answer that is an image. */
export async function readBytes({ response, deadline }: OpenAnswer): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  deadline.clear()
  if (!/^image\//i.test(response.headers.get('content-type') ?? '')) throw foreignAnswer(response)
  return bytes
}

const readDetails = (response: Response) => ({
  status: response.status,
  requestId: response.headers.get('x-request-id') ?? undefined,
  retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
})

export const foreignAnswer = (response: Response) =>
  new BailiwickError(
    'invalid_response',
    `The response (status ${response.status}) is not from the service. Check baseUrl, and any proxy in between.`,
    readDetails(response),
  )

function describeRefusal(response: Response, text: string): BailiwickError {
  const error = readErrorBody(parse(response, text)?.value)
  if (error === undefined) return foreignAnswer(response)
  const { code, current, issues, message, requestId } = error
  return new BailiwickError(code, message, { ...readDetails(response), requestId, issues, current })
}

/** Returns the JSON of the answer; undefined if it is not JSON. */
function parse(response: Response, text: string): { readonly value: unknown } | undefined {
  if (!/^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

interface ErrorAnswer {
  readonly code: ErrorCode
  readonly message: string
  readonly requestId: string
  readonly issues?: readonly Issue[]
  readonly current?: unknown
}

/** Returns the error that the service sent; undefined if the body is not its error body. */
function readErrorBody(value: unknown): ErrorAnswer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { code, message, requestId, issues } = value as Readonly<Record<string, unknown>>
  const isError =
    typeof code === 'string' &&
    typeof message === 'string' &&
    typeof requestId === 'string' &&
    (issues === undefined || Array.isArray(issues))
  return isError ? (value as ErrorAnswer) : undefined
}
