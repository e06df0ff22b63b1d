// One request of a directory, on its way through the steps that service/interfaces.ts lists.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScimPlace } from '../place.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import { ScimError } from '../protocol/scim-error.ts'
import type { TokenRow } from '../queries.ts'

export interface ScimAnswer {
  readonly status: 200 | 201 | 204 | 304
  readonly body?: Json
  readonly etag?: string
  readonly location?: string
  /** The resource that the answer is about, for the log. */
  readonly resourceId?: string
}

export type ScimMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export class ScimCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Whether the request can change anything. */
  readonly isWrite: boolean
  /** Filled in by `authenticate`: where the token acts. */
  place: ScimPlace | undefined
  token: TokenRow | undefined
  /** Filled in by `parse`. */
  body: JsonObject | undefined
  /** Filled in by `run`. */
  answer: ScimAnswer | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, isWrite: boolean) {
    this.request = request
    this.reply = reply
    this.isWrite = isWrite
  }

  /** What the request is about: Users, Groups or a document. */
  get resource(): string {
    return pathParts(this.request)[0] ?? ''
  }

  /** The id in the address. */
  get id(): string {
    return pathParts(this.request)[1] ?? ''
  }

  get entered(): ScimPlace {
    if (this.place === undefined) throw new ScimError(500, 'The request was not authenticated.')
    return this.place
  }

  get query(): JsonObject {
    return this.request.query as JsonObject
  }

  /** The versions in an If-Match or If-None-Match header, in the form of ours: a strong tag means the same. */
  tags(name: 'if-match' | 'if-none-match'): readonly string[] | undefined {
    const value = this.request.headers[name]
    if (value === undefined) return undefined
    return value.split(',', 20).map((each) => {
      const tag = each.trim()
      return tag === '*' || tag.startsWith('W/') ? tag : `W/${tag}`
    })
  }
}

export interface ScimParams {
  readonly tenant: string
  readonly connection: string
  readonly '*': string
}

/** Returns the segments of the address after the base. */
export function pathParts({ params }: FastifyRequest): readonly string[] {
  return (params as ScimParams)['*'].split('/', 4)
}
