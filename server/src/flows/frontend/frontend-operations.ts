// The operations of the frontend interface by name, for the hosted pages: they run them in this process, with the same limits, the same
// checks and the same answers as a request would.
import type { BodyOf, DataOf, FrontendEndpoint, ParamsOf, QueryOf } from '@bailiwick/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import { structuralIssues } from '../../platform/http/json-body.ts'
import { Serialized } from '../../platform/http/serialized.ts'
import { validateRequest } from '../../platform/http/validate.ts'
import { type CallContext, FrontendCall } from './frontend-call.ts'
import type { FrontendLimits } from './frontend-limits.ts'
import type { FrontendHandler } from './frontend-route.ts'

type Handler = FrontendHandler<FrontendEndpoint>

export interface OperationInput<E extends FrontendEndpoint> {
  readonly params?: ParamsOf<E>
  readonly query?: QueryOf<E>
  readonly body?: BodyOf<E>
  readonly language: string
}

/** The request of a page, with whose it is. */
export interface OperationCaller {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly context: CallContext
  readonly limits: FrontendLimits
}

export class FrontendOperations {
  readonly #handlers = new Map<string, Handler>()

  add<E extends FrontendEndpoint>({ id }: E, handler: FrontendHandler<E>) {
    this.#handlers.set(id, handler)
  }

  /**
   * Runs an operation for a hosted page. Tokens go into cookies of the page's answer.
   * @throws ApiError as the operation does, and `rate_limited`, `unauthenticated`, `validation_failed`.
   */
  async run<E extends FrontendEndpoint>(
    endpoint: E,
    caller: OperationCaller,
    input: OperationInput<E>,
  ): Promise<DataOf<E>> {
    const handler = this.#handlers.get(endpoint.id)
    if (handler === undefined) throw new Error(`${endpoint.id} has no handler`)
    const { request, reply, context, limits } = caller
    const { params = {}, query = {}, body, language } = input
    if (endpoint.session !== 'required') limits.take(endpoint.id, request, reply)
    else if (context.session === undefined) throw new ApiError('unauthenticated')
    else limits.takeOfUser(endpoint.id, context.session.row, reply)
    const issues = structuralIssues(body)
    if (issues.length > 0) throw new ApiError('validation_failed', { issues })
    validateRequest(endpoint, params, query, body)
    const page = { params, query, body, language }
    const call = new FrontendCall<FrontendEndpoint>(request, reply, context, page)
    const result = await handler(call)
    return (result instanceof Serialized ? (JSON.parse(result.json) as { data: unknown }).data : result) as DataOf<E>
  }
}
