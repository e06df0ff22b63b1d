// Turns every failure into an answer. No other file does.
import type { Socket } from 'node:net'
import { type ErrorCode, errorCatalogue } from '@bailiwick/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { ConstraintError } from '../db/database.ts'
import { refusalOf } from '../db/table.ts'
import { STATUS_CODES } from '../net/node-http.ts'
import { Unavailable } from '../unavailable.ts'
import { ApiError } from './api-error.ts'
import { isStreaming } from './body/streamed-body.ts'

const retryAfterSeconds = 2

/** Fastify's own refusals, by their stable codes. */
const fastifyCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_HANDLER_TIMEOUT: 'unavailable',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** PostgreSQL's class 22: a value that the engine cannot store. Validation should have refused it. */
const isDataException = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^22\w{3}$/.test(error.code)

/** Returns the error that the caller may see for any thrown value. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ConstraintError) {
    // Constraints decide every uniqueness rule, so that simultaneous requests get the same answers as consecutive ones.
    const code = refusalOf(error.constraint)
    if (code !== undefined) return new ApiError(code, { cause: error })
  }
  if (error instanceof Unavailable) return new ApiError('unavailable', { cause: error, retryAfterSeconds })
  if (isDataException(error)) return new ApiError('validation_failed', { cause: error })
  const code = fastifyCodes[(error as FastifyError | undefined)?.code ?? '']
  return new ApiError(code ?? 'internal_error', { cause: error })
}

/** The frontend interface sends the message twice, because its clients look for it under `error`. */
function bodyOf(error: ApiError, requestId: string, url = ''): string {
  return JSON.stringify({
    status: 'error',
    code: error.code,
    message: error.message,
    ...(url.startsWith('/frontend/') ? { error: error.message } : {}),
    ...(error.issues.length > 0 ? { issues: error.issues } : {}),
    ...(error.current === undefined ? {} : { current: error.current }),
    ...(error.challenge === undefined ? {} : { challenge: error.challenge }),
    requestId,
  })
}

export function renderError(log: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = apiErrorOf(thrown)
  if (error.statusCode >= 500) log.error({ requestId: request.id, err: error.cause ?? error }, error.message)
  if (error.code === 'unauthenticated' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
  // RFC 6750 section 3.1
  if (error.code === 'token_expired') reply.header('www-authenticate', 'Bearer error="invalid_token"')
  if (error.statusCode === 503 || error.statusCode === 429 || error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(error.retryAfterSeconds ?? retryAfterSeconds))
  }
  // The rest of the body is read and dropped, within the time-out of a request. Closing earlier would reset the connection of a client that
  // is still sending, and the answer would be lost.
  if (error.code === 'payload_too_large') {
    reply.removeHeader('connection')
    request.raw.resume()
  }
  return (
    reply
      .code(error.statusCode)
      .header('content-type', 'application/json; charset=utf-8')
      // Also replaces the cache header of the answer that the error takes the place of.
      .header('cache-control', 'no-store')
      .send(bodyOf(error, request.id, request.raw.url))
  )
}

const parserCodes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers input that is not HTTP, for which no request object exists. */
export function answerBrokenConnection(error: Error & { code?: string }, socket: Socket, requestId: string) {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return undefined
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const code = parserCodes[error.code ?? ''] ?? 'malformed_request'
  const { status } = errorCatalogue[code]
  const body = bodyOf(new ApiError(code), requestId)
  return socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  )
}

export function renderErrors(app: FastifyInstance, log: Logger) {
  app.setErrorHandler((error, request, reply) => renderError(log, error, request, reply))
  app.setNotFoundHandler((request, reply) => renderError(log, new ApiError('not_found'), request, reply))
}
