import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { listHookCalls, testHook } from './calls.ts'
import * as hooks from './hooks.ts'
import { answerCall, receiveCalls } from './relay.ts'

export function hookRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createHook, ({ tenantId, input, actor }) => hooks.createHook(deps, tenantId, input, actor))
  handle(endpoints.listHooks, ({ tenantId, query }) => hooks.listHooks(deps, tenantId, query))
  handle(endpoints.getHook, ({ tenantId, params }) => hooks.getHook(deps, tenantId, params.id))
  handle(endpoints.updateHook, ({ tenantId, params, body, query, actor }) =>
    hooks.updateHook(deps, tenantId, params.id, body, actor, query),
  )
  handle(endpoints.deleteHook, ({ tenantId, params, actor }) => hooks.deleteHook(deps, tenantId, params.id, actor))
  handle(endpoints.rotateHookSecret, ({ tenantId, params, actor }) =>
    hooks.rotateHookSecret(deps, tenantId, params.id, actor),
  )
  handle(endpoints.testHook, ({ tenantId, params }) => testHook(deps, tenantId, params.id))
  handle(endpoints.receiveHookCalls, ({ tenantId, body: { waitSeconds = 20 }, reply }) => {
    const listener = new AbortController()
    reply.raw.once('close', () => listener.abort())
    return receiveCalls(deps, tenantId, { waitSeconds, signal: listener.signal })
  })
  handle(endpoints.answerHookCall, ({ tenantId, body: { id, ...answer } }) => answerCall(deps, tenantId, id, answer))
  handle(endpoints.listHookCalls, ({ tenantId, params, query }) => listHookCalls(deps, tenantId, params.id, query))
}
