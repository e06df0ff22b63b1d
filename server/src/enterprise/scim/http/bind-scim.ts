// Binds the SCIM interface below `/t/{tenant}/scim/{connection}/v2`, in the steps that service/interfaces.ts lists.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownTurn } from '../../../platform/turns/loop-turns.ts'
import { ScimCall, pathParts } from './scim-call.ts'
import { refusalFor, sendRefusal } from './send.ts'
import type { ScimSteps } from './steps.ts'

export const scimPrefix = '/t/:tenant/scim/:connection/v2'

/** Groups come with many members. */
const bodyBytesMax = 1024 * 1024
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A search is sent as POST, because its filter would be logged in an address, and changes nothing. */
const isWrite = (request: FastifyRequest) => request.method !== 'GET' && request.method !== 'HEAD' && !isSearch(request)
const isSearch = (request: FastifyRequest) => request.method === 'POST' && pathParts(request).at(-1) === '.search'

/** Others wait for a step of a directory's request, and not for all of them. */
async function runAll(steps: ScimSteps['beforeBody'], call: ScimCall) {
  for (const step of steps) {
    await ownTurn()
    await step(call)
  }
}

export function bindScim(app: FastifyInstance, { beforeBody, afterBody, refused }: ScimSteps) {
  app.removeAllContentTypeParsers()
  const types = ['application/scim+json', 'application/json']
  app.addContentTypeParser(types, { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(async (error, request, reply) => {
    if (request.call instanceof ScimCall) await refused(request.call, error)
    else sendRefusal(reply, refusalFor(error))
    return reply
  })
  app.route({
    method: methods,
    url: '/*',
    bodyLimit: bodyBytesMax,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = new ScimCall(request, reply, isWrite(request))
      request.call = call
      await runAll(beforeBody, call)
    },
    handler: async (request, reply) => {
      await runAll(afterBody, request.call as ScimCall)
      return reply
    },
  })
}
