// A request passes through a list of named steps, each of which fills in a part of the call. The steps of each interface and their order
// are in service/interfaces.ts.
import { type BodyOf, type Endpoint, type ParamsOf, type QueryOf, bodyBytesMaxDefault } from '@bailiwick/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { aheadBy } from '../clock.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import { type Answer, sendAnswer } from './answer.ts'
import { isWithoutHead } from './methods.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call that the steps fill in; undefined if the route is not an operation. */
    call: object | undefined
  }
}

const userAgentLengthMax = 512

/** Returns the User-Agent as events store it. */
export const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, userAgentLengthMax) ?? null

/** One request for an operation, on its way through the steps. */
export class Exchange<E extends Endpoint = Endpoint> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Filled in by `parse`, which has checked them against the schemas that these types come from. */
  params!: ParamsOf<E>
  query!: QueryOf<E>
  body!: BodyOf<E>
  /** Filled in by `run`: the operation's return value. */
  result: unknown
  /** Filled in by `present`: the answer to send. */
  answer: Answer | undefined
  /** Filled in once the tenant is known: by how many milliseconds its clock is ahead, which is 0 outside of test mode. */
  msAhead = 0

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
  }

  /** Returns the answer as JSON text; properties that are not in the contract are left out. */
  serializeBy(schema: object, value: unknown): string {
    // Compiled on first use and cached by Fastify, because compiling all at the start would double the start-up time.
    return this.reply.compileSerializationSchema(schema as Record<string, unknown>)(value as Record<string, unknown>)
  }
}

/** An operation as its steps see it. */
export interface Operation<Call, E extends Endpoint = Endpoint> {
  readonly endpoint: E
  readonly handler: (call: Call) => unknown
}

/**
 * One step. It returns a promise only if it has to wait; values in memory are used at once. An error that it throws becomes the answer, and
 * no later step runs.
 */
export type Step<Call, E extends Endpoint = Endpoint> = (
  call: Call,
  operation: Operation<Call, E>,
) => MaybePromise<void>

/** The steps of an interface, in order. */
export interface Steps<Call, E extends Endpoint = Endpoint> {
  /** Run before the body is read, so that nothing is parsed for a caller without access. */
  readonly beforeBody: readonly Step<Call, E>[]
  readonly afterBody: readonly Step<Call, E>[]
  /** Called with the error of a step before the body. */
  readonly refused?: (call: Call, error: unknown) => void
}

/** Runs the steps in order, starting with the given one, each by the clock of the tenant. */
export function runSteps<Call extends { readonly msAhead?: number }, E extends Endpoint>(
  steps: readonly Step<Call, E>[],
  call: Call,
  operation: Operation<Call, E>,
  from = 0,
): MaybePromise<void> {
  for (let at = from; at < steps.length; at++) {
    const { msAhead = 0 } = call
    const pending = msAhead === 0 ? steps[at]?.(call, operation) : aheadBy(msAhead, () => steps[at]?.(call, operation))
    if (pending !== undefined) return pending.then(() => runSteps(steps, call, operation, at + 1))
  }
  return undefined
}

export const routePath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Registers an operation with the steps of its interface. */
export function bind<Call extends { readonly msAhead?: number }, E extends Endpoint>(
  app: FastifyInstance,
  operation: Operation<Call, E>,
  begin: (request: FastifyRequest, reply: FastifyReply) => Call,
  { beforeBody, afterBody, refused }: Steps<Call, E>,
) {
  const { endpoint } = operation
  app.route({
    method: [endpoint.method, ...(endpoint.alsoAs ?? [])],
    config: { withoutHead: isWithoutHead(endpoint) },
    url: routePath(endpoint.path),
    bodyLimit: endpoint.bodyBytesMax ?? bodyBytesMaxDefault,
    onRequest: (request, reply, done) => {
      const call = begin(request, reply)
      request.call = call
      const refuse = (error: unknown) => {
        refused?.(call, error)
        done(error as Error)
      }
      try {
        const pending = runSteps(beforeBody, call, operation)
        if (pending === undefined) return done()
        pending.then(() => done(), refuse)
      } catch (error) {
        refuse(error)
      }
    },
    handler: (request, reply) => {
      if (request.call === undefined) throw new Error(`${endpoint.id} was reached past its first steps`)
      const pending = runSteps(afterBody, request.call as Call, operation)
      if (pending !== undefined) pending.catch((error: unknown) => reply.send(error))
      return undefined
    },
  })
}

/** The step `run`: calls the operation's handler. */
export function run<Call extends Exchange>(call: Call, { handler }: Pick<Operation<Call>, 'handler'>) {
  return whenReady(handler(call), (result) => {
    call.result = result
  })
}

/** The step `send`. */
export function send({ answer, request, reply }: Exchange, { endpoint }: Pick<Operation<unknown>, 'endpoint'>) {
  if (answer === undefined) throw new Error(`${endpoint.id} has no answer to send`)
  sendAnswer(answer, request, reply)
}
