// Answers as SCIM clients read them.
import type { FastifyReply } from 'fastify'
import { apiErrorOf } from '../../../platform/http/render-error.ts'
import type { Json } from '../protocol/json.ts'
import { ScimError, type ScimStatus, type ScimType, errorBody } from '../protocol/scim-error.ts'
import type { ScimAnswer } from './scim-call.ts'

const mediaType = 'application/scim+json; charset=utf-8'
const retryAfterSeconds = 2

const scimTypes: Readonly<Record<string, ScimType>> = {
  email_taken: 'uniqueness',
  username_taken: 'uniqueness',
  member_exists: 'uniqueness',
  validation_failed: 'invalidValue',
  malformed_json: 'invalidSyntax',
}

export interface Refusal {
  readonly error: ScimError
  /** A word for the log, which contains nothing of the person. */
  readonly reason: string
  readonly retryAfterSeconds: number | undefined
  /** What is logged of a bug. */
  readonly cause: unknown
}

/** Returns what a directory may know of any failure. */
export function refusalFor(thrown: unknown): Refusal {
  if (thrown instanceof ScimError) {
    const reason = thrown.scimType ?? `status_${thrown.status}`
    return { error: thrown, reason, retryAfterSeconds: undefined, cause: undefined }
  }
  const api = apiErrorOf(thrown)
  const isBusy = api.statusCode === 503 || api.statusCode === 429
  return {
    error: new ScimError(api.statusCode as ScimStatus, api.message, scimTypes[api.code]),
    reason: api.code,
    retryAfterSeconds: api.retryAfterSeconds ?? (isBusy ? retryAfterSeconds : undefined),
    cause: api.statusCode >= 500 ? (api.cause ?? api) : undefined,
  }
}

const sendBody = (reply: FastifyReply, status: number, body: Json) =>
  void reply.code(status).header('content-type', mediaType).send(JSON.stringify(body))

export function sendAnswer(reply: FastifyReply, { status, body, etag, location }: ScimAnswer): void {
  if (etag !== undefined) reply.header('etag', etag)
  if (location !== undefined) reply.header('location', location)
  if (body === undefined) void reply.code(status).send()
  else sendBody(reply, status, body)
}

export function sendRefusal(reply: FastifyReply, { error, retryAfterSeconds: seconds }: Refusal): void {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  sendBody(reply, error.status, errorBody(error))
}
