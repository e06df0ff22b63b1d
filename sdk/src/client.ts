import { type ConnectionOptions, createConnection } from './connection-options.ts'
import { type Credential, credentialHeaders } from './credential.ts'
import { type AnyInput, type Operation, type Operations, type Pages, buildRequest } from './operation.ts'
import { operations } from './operations.gen.ts'
import { walkPages } from './pages.ts'
import { readChunks, walkChunks } from './transport/chunks.ts'
import { eventStreamType, followEvents } from './transport/event-stream.ts'
import { ndjsonType, readLines, walkValues } from './transport/lines.ts'
import { allLines, sendLines } from './transport/send-lines.ts'
import { type OutgoingRequest, type Send, createTransport, readBytes, readJson } from './transport/transport.ts'

export type BailiwickOptions = Credential &
  ConnectionOptions & {
    /** The service's base address, such as `https://id.example.com/api/v0`. */
    readonly baseUrl: string
  }

const imageType = 'image/*'
const bytesType = 'application/octet-stream'
const formType = 'multipart/form-data'

/** The service wants to know everything else before the file. */
function createForm(parts: unknown): FormData {
  const form = new FormData()
  const entries = Object.entries(parts as Readonly<Record<string, string | Blob>>)
  for (const [name, value] of entries) if (typeof value === 'string') form.append(name, value)
  for (const [name, value] of entries) if (typeof value !== 'string') form.append(name, value)
  return form
}

function createFunction(send: Send, operation: Operation): (input?: AnyInput) => unknown {
  const { bodyType, responseType } = operation
  if (bodyType === formType) {
    return (input = {}) => {
      const written = { body: createForm(input.body), contentType: formType, accept: ndjsonType }
      const request = { ...buildRequest(operation, input), ...written }
      return walkValues(() => send(request, (answer) => readLines(answer, ndjsonType)))
    }
  }
  if (bodyType !== undefined && responseType === undefined) {
    return async (input = {}) => {
      const body = await allLines(input.body as AsyncIterable<unknown>)
      return send({ ...buildRequest(operation, input), body, contentType: ndjsonType }, readJson)
    }
  }
  if (bodyType !== undefined) {
    return (input = {}) => sendLines(send, buildRequest(operation, input), input.body as AsyncIterable<unknown>)
  }
  if (responseType === eventStreamType) {
    return (input = {}) => {
      const request = { ...buildRequest(operation, input), accept: responseType }
      const open = (lastEventId: string | undefined) =>
        send({ ...request, lastEventId }, (answer) => readLines(answer, responseType))
      return followEvents(open, { start: input.lastEventId, signal: input.signal })
    }
  }
  if (responseType === imageType) {
    return async (input = {}) => {
      // These methods change nothing, so repeating one needs no idempotency key.
      const written = { body: JSON.stringify(input.body), contentType: 'application/json', accept: imageType }
      return send({ ...buildRequest(operation, input), ...written }, readBytes)
    }
  }
  if (responseType === bytesType) {
    return (input = {}) => {
      const written = { body: JSON.stringify(input.body), contentType: 'application/json', accept: bytesType }
      const request = { ...buildRequest(operation, input), ...written }
      return walkChunks(() => send(request, (answer) => readChunks(answer, bytesType)))
    }
  }
  if (responseType !== undefined) {
    return (input = {}) => {
      const request = { ...buildRequest(operation, input), accept: responseType }
      return walkValues(() => send(request, (answer) => readLines(answer, responseType)))
    }
  }
  return async (input = {}) => {
    const body = input.body === undefined ? undefined : JSON.stringify(input.body)
    return send({ ...buildRequest(operation, input), body }, readJson)
  }
}

/** Every other method is idempotent here; lines may be sent repeatedly, and the service accepts no key with them. */
const onceHeaders = ({ method, contentType, idempotencyKey }: OutgoingRequest): Readonly<Record<string, string>> =>
  method === 'POST' && contentType === undefined ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}

class Client {
  readonly pages: Readonly<Record<string, unknown>>

  constructor(options: BailiwickOptions) {
    const send = createTransport({
      ...createConnection(options),
      credential: credentialHeaders(options),
      onceHeaders,
    })
    const pages: Record<string, unknown> = {}
    for (const [id, operation] of Object.entries<Operation>(operations)) {
      const call = createFunction(send, operation)
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
 * Creates a client of one deployment with one credential. Nothing is sent before the first call; printing the client does not reveal the
 * credential.
 * @example
 * ```ts
 * import { Bailiwick } from '@bailiwick/sdk'
 *
 * const bailiwick = new Bailiwick({
 *   baseUrl: 'https://id.example.com/api/v0',
 *   secretKey: process.env.BAILIWICK_SECRET_KEY ?? '',
 * })
 * const user = await bailiwick.getUser({ params: { id: 'c0123456789' } })
 * ```
 * @throws TypeError for options that cannot work.
 */
// The class adds its operations from a list.
export const Bailiwick = Client as unknown as new (options: BailiwickOptions) => Bailiwick
