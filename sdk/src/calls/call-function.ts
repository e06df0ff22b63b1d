// How the functions of a client send their requests and read the answers: JSON, lines, events, forms, images and bytes.
import { type AnyInput, type Operation, buildRequest } from '../operation.ts'
import { readChunks, walkChunks } from '../transport/chunks.ts'
import { eventStreamType, followEvents } from '../transport/event-stream.ts'
import { ndjsonType, readLines, walkValues } from '../transport/lines.ts'
import { allLines, sendLines } from '../transport/send-lines.ts'
import { type OutgoingRequest, type Send, readBytes, readJson } from '../transport/transport.ts'

const jsonType = 'application/json'
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

/** Returns the function of one operation. */
export function createFunction(send: Send, operation: Operation): (input?: AnyInput) => unknown {
  const { bodyType, responseType } = operation
  if (bodyType === formType) {
    return (input = {}) => {
      const written = { body: createForm(input.body), headers: { accept: ndjsonType } }
      const request = { ...buildRequest(operation, input), ...written }
      return walkValues(() => send(request, (answer) => readLines(answer, ndjsonType)))
    }
  }
  if (bodyType !== undefined && responseType === undefined) {
    return async (input = {}) => {
      const body = await allLines(input.body as AsyncIterable<unknown>)
      return send({ ...buildRequest(operation, input), body, headers: { 'content-type': ndjsonType } }, readJson)
    }
  }
  if (bodyType !== undefined) {
    return (input = {}) => sendLines(send, buildRequest(operation, input), input.body as AsyncIterable<unknown>)
  }
  if (responseType === eventStreamType) {
    return (input = {}) => {
      const request = buildRequest(operation, input)
      const open = (lastEventId: string | undefined) => {
        const place = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
        return send({ ...request, headers: { accept: responseType, ...place } }, (answer) =>
          readLines(answer, responseType),
        )
      }
      return followEvents(open, { start: input.lastEventId, signal: input.signal })
    }
  }
  if (responseType === imageType) {
    return async (input = {}) => {
      // These methods change nothing, so repeating one needs no idempotency key.
      const written = { body: JSON.stringify(input.body), headers: { 'content-type': jsonType, accept: imageType } }
      return send({ ...buildRequest(operation, input), ...written }, readBytes)
    }
  }
  if (responseType === bytesType) {
    return (input = {}) => {
      const written = { body: JSON.stringify(input.body), headers: { 'content-type': jsonType, accept: bytesType } }
      const request = { ...buildRequest(operation, input), ...written }
      return walkChunks(() => send(request, (answer) => readChunks(answer, bytesType)))
    }
  }
  if (responseType !== undefined) {
    return (input = {}) => {
      const request = { ...buildRequest(operation, input), headers: { accept: responseType } }
      return walkValues(() => send(request, (answer) => readLines(answer, responseType)))
    }
  }
  return async (input = {}) => {
    const body = input.body === undefined ? undefined : JSON.stringify(input.body)
    return send({ ...buildRequest(operation, input), body }, readJson)
  }
}

/**
 * Every other method is idempotent here; lines, forms and files may be sent repeatedly, and the service accepts no key with them. What names its own
 * content type changes nothing, or is sent line by line.
 */
export const onceHeaders = (request: OutgoingRequest): Readonly<Record<string, string>> => {
  const { body, headers, idempotencyKey, method } = request
  const isOnce = method === 'POST' && typeof body !== 'object' && headers?.['content-type'] === undefined
  return isOnce ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}
}
