// Binds the endpoints at which clients register themselves and manage their registration.
import type { IncomingMessage } from 'node:http'
import { oauthPaths } from '@bailiwick/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { userAgentOf } from '../../platform/http/pipeline.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import type { PlacedTenant } from '../settings/placed-tenant.ts'
import type { Answer } from './client-metadata.ts'
import { deleteClient, readClient, registerClient, replaceClient } from './registration.ts'

/** Reads a body that no parser has read. @throws ApiError payload_too_large */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new ApiError('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const bodyBytesMax = 56 * 1024

interface Registering {
  readonly deps: Deps
  readonly limiter: AddressLimiter
  readonly find: (deps: Deps, request: FastifyRequest) => MaybePromise<PlacedTenant>
}

const actorOf = (request: FastifyRequest) =>
  ({ type: 'anonymous', id: null, ip: request.ip, ua: userAgentOf(request) }) as const

function send(reply: FastifyReply, { status, body }: Answer) {
  reply.code(status).header('cache-control', 'no-store')
  if (status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"')
  return body === undefined ? reply.send() : reply.type('application/json').send(JSON.stringify(body))
}

export function registrationRoutes(
  app: FastifyInstance,
  options: { readonly config: object },
  { deps, limiter, find }: Registering,
) {
  const bodyOf = ({ raw }: FastifyRequest) => readBody(raw, bodyBytesMax)
  const clientOf = async (request: FastifyRequest) => {
    const { clientId } = request.params as { readonly clientId: string }
    return { placed: await find(deps, request), clientId, headers: request.headers }
  }
  const answer =
    (run: (request: FastifyRequest) => Promise<Answer>) => async (request: FastifyRequest, reply: FastifyReply) => {
      limiter.take(request, reply)
      return send(reply, await run(request))
    }
  app.post(
    oauthPaths.registration,
    options,
    answer(async (request) =>
      registerClient(deps, await find(deps, request), request.headers, await bodyOf(request), actorOf(request)),
    ),
  )
  const path = `${oauthPaths.registration}/:clientId`
  app.get(
    path,
    options,
    answer(async (request) => readClient(deps, await clientOf(request))),
  )
  app.put(
    path,
    options,
    answer(async (request) => replaceClient(deps, await clientOf(request), await bodyOf(request), actorOf(request))),
  )
  app.delete(
    path,
    options,
    answer(async (request) => deleteClient(deps, await clientOf(request), actorOf(request))),
  )
}
