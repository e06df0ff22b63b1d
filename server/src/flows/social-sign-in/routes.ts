import { endpoints, frontendEndpoints, isProviderKey } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import { assertMayConnect } from '../../enterprise/connections/connections.ts'
import type { Deps } from '../../identity/deps.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { callbackPath } from '../providers/authorization.ts'
import { answerCallback, parametersOf } from './callback.ts'
import { answerConnectionCallback, connectionCallbackPath } from './connection-callback.ts'
import { beginConnectionTest } from './connection-test.ts'
import * as ownConnections from './own-connections.ts'

const formBytesMax = 16 * 1024

/**
 * Used by `http/methods.ts`, which knows paths by their operations. A HEAD request would redeem the code that the browser is about to
 * bring.
 */
export const callbackPaths = [
  { method: 'GET', path: callbackPath('{providerKey}'), withoutHead: true },
  { method: 'POST', path: callbackPath('{providerKey}') },
  { method: 'GET', path: connectionCallbackPath('{connectionId}'), withoutHead: true },
] as const

function keyOf(request: FastifyRequest): string {
  const { providerKey } = request.params as { providerKey: string }
  if (!isProviderKey(providerKey)) throw notFound()
  return providerKey
}

/** The test of a connection leads through the callback of the frontend interface. */
export function connectionTestRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.testConnection, ({ tenantId, params, principal }) => {
    assertMayConnect({ principal }, tenantId)
    return beginConnectionTest(deps, tenantId, params.id)
  })
}

export function socialSignInRoutes({ app, deps, limits, handle }: Frontend) {
  const url = callbackPath(':providerKey')

  app.get(url, {
    config: { withoutHead: true },
    onRequest: async (request, reply) => limits.take('oauthCallback', request, reply),
    handler: (request, reply) => answerCallback(deps, keyOf(request), request, reply),
  })

  app.get(connectionCallbackPath(':connectionId'), {
    config: { withoutHead: true },
    onRequest: async (request, reply) => limits.take('oauthCallback', request, reply),
    handler: (request, reply) => {
      const { connectionId } = request.params as { connectionId: string }
      return answerConnectionCallback(deps, connectionId, request, reply)
    },
  })

  // A form that another site posts arrives without our cookies; requested again by GET, it arrives with them (RFC 9700 §4.12: 303, never
  // 307).
  app.register((forms, _options, done) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, parsed) => parsed(null, new URLSearchParams(body as string)),
    )
    forms.post(url, {
      onRequest: async (request, reply) => limits.take('oauthCallback', request, reply),
      handler: (request, reply) => {
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
        const sent = Object.fromEntries([...new Set(form.keys())].map((name) => [name, onlyOne(form.getAll(name))]))
        const path = new URL(frontendBaseUrl(deps.config.baseUrl)).pathname + callbackPath(keyOf(request))
        return reply.redirect(`${path}?${parametersOf(sent).toString()}`, 303)
      },
    })
    done()
  })

  handle(frontendEndpoints.listOwnConnections, async (call) => {
    const items = await ownConnections.listOwnConnections(deps, call)
    return pageOfWhole('connections', { items, order: 'newest first' }, call.query)
  })
  handle(frontendEndpoints.createOwnConnection, (call) => ownConnections.createOwnConnection(deps, call, call.body))
  handle(frontendEndpoints.confirmOwnConnection, (call) =>
    ownConnections.confirmOwnConnection(deps, call, call.body.code),
  )
  handle(frontendEndpoints.deleteOwnConnection, (call) =>
    ownConnections.deleteOwnConnection(deps, call, call.params.id),
  )
  handle(frontendEndpoints.deleteOwnConnectionAccess, (call) =>
    ownConnections.deleteOwnAccess(deps, call, call.params.id),
  )
}

const onlyOne = (values: readonly string[]): unknown => (values.length === 1 ? values[0] : values)
