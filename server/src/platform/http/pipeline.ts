// The way of a request: a list of named steps, each of which fills in something of the call. Which steps each interface has, and in
// which order, is in service/interfaces.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BodyOf, type Endpoint, type ParamsOf, type QueryOf, bodyBytesMaxDefault } from '@bailiwick/contract'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import { type Answer, sendAnswer } from './answer.ts'
import { isWithoutHead } from './methods.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call that the steps fill in; undefined where the route is no operation. */
    call: object | undefined
  }
}

const userAgentLengthMax = 512

/** Returns the User-Agent as events keep it. */
export const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, userAgentLengthMax) ?? null

/** One request for one operation, on its way through the steps. */
export class Exchange<E extends Endpoint = Endpoint> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Filled in by `parse`, which has checked them against the very schemas that these types come from. */
  params!: ParamsOf<E>
  query!: QueryOf<E>
  body!: BodyOf<E>
  /** Filled in by `run`: what the operation returned. */
  result: unknown
  /** Filled in by `present`: what is sent. */
  answer: Answer | undefined

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
  }

  /** Returns the answer as JSON text; what the contract does not list is left out. */
  serializeBy(schema: object, value: unknown): string {
    // Compiled on first use and kept by Fastify: compiling all at the start would double the start-up time.
    return this.reply.compileSerializationSchema(schema as Record<string, unknown>)(value as Record<string, unknown>)
  }
}

/** An operation as its steps see it. */
export interface Operation<Call, E extends Endpoint = Endpoint> {
  readonly endpoint: E
  readonly handler: (call: Call) => unknown
}

/**
 * One step of the way. It returns a promise only where it has to wait: what memory has, it does at once. What it throws is the answer,
 * and no later step runs.
 */
export type Step<Call, E extends Endpoint = Endpoint> = (
  call: Call,
  operation: Operation<Call, E>,
) => MaybePromise<void>

/** The steps of an interface, in order. */
export interface Steps<Call, E extends Endpoint = Endpoint> {
  /** Run before the body is read: nothing is parsed for a caller that may not call at all. */
  readonly beforeBody: readonly Step<Call, E>[]
  readonly afterBody: readonly Step<Call, E>[]
  /** Told what a step before the body threw. */
  readonly refused?: (call: Call, error: unknown) => void
}

/** Runs the steps in order, from the given one on. */
export function runSteps<Call, E extends Endpoint>(
  steps: readonly Step<Call, E>[],
  call: Call,
  operation: Operation<Call, E>,
  from = 0,
): MaybePromise<void> {
  for (let at = from; at < steps.length; at++) {
    const pending = steps[at]?.(call, operation)
    if (pending !== undefined) return pending.then(() => runSteps(steps, call, operation, at + 1))
  }
  return undefined
}

export const routePath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Lets an application answer an operation, by the steps of its interface. */
export function bind<Call extends object, E extends Endpoint>(
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

/** The step `run`: the operation itself. */
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
