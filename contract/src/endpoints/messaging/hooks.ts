import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, boolean, id, integer, object, optional, page, pageQuery, plainId, recordBasis } from '../../schema.ts'
import {
  CreateHook,
  Hook,
  HookCall,
  HookListenerAnswer,
  HookListenerCall,
  HookWithSecret,
  UpdateHook,
} from '../../shapes/messaging/hook.ts'

// The tenant's server receives personal data of whoever signs in, and decides who gets in: changes take the right to everything.
const tag = 'Hooks'
const params = object({ id: id() })
const paramsExample = { id: sample.hook.id }

export const createHook = endpoint({
  id: 'createHook',
  method: 'POST',
  path: '/hooks',
  tag,
  summary: 'Create a hook, which asks a URL whether a sign-up or sign-in may go on',
  description:
    'Calls and answers are signed as Standard Webhooks specifies. Only public https URLs are accepted, except in development. A tenant can have at most 10 hooks.',
  permission: 'admin',
  tenant: { from: 'body.tenantId' },
  body: CreateHook,
  response: HookWithSecret,
  errors: ['not_found', 'hook_limit_reached'],
  example: {
    body: { tenantId: sample.tenantId, point: sample.hook.point, url: sample.hook.url },
    response: sample.hookWithSecret,
  },
})

export const listHooks = endpoint({
  id: 'listHooks',
  method: 'GET',
  path: '/tenants/{tenantId}/hooks',
  tag,
  summary: "List a tenant's hooks, newest first",
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Hook),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.hook) },
})

export const getHook = endpoint({
  id: 'getHook',
  method: 'GET',
  path: '/hooks/{id}',
  tag,
  summary: 'Read a hook',
  permission: 'config:read',
  tenant: { locates: 'hooks', by: 'params.id' },
  params,
  response: Hook,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.hook },
})

export const updateHook = endpoint({
  id: 'updateHook',
  method: 'PUT',
  path: '/hooks/{id}',
  tag,
  summary: 'Change a hook',
  description: 'Properties that the body leaves out stay as they are.',
  permission: 'admin',
  tenant: { locates: 'hooks', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateHook,
  response: Hook,
  errors: ['not_found', 'changed_meanwhile'],
  example: { params: paramsExample, body: { enabled: false }, response: { ...sample.hook, enabled: false } },
})

export const deleteHook = endpoint({
  id: 'deleteHook',
  method: 'DELETE',
  path: '/hooks/{id}',
  tag,
  summary: 'Delete a hook',
  permission: 'config:write',
  tenant: { locates: 'hooks', by: 'params.id' },
  params,
  response: Hook,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.hook },
})

export const rotateHookSecret = endpoint({
  id: 'rotateHookSecret',
  method: 'POST',
  path: '/hooks/{id}/rotate-secret',
  tag,
  summary: "Replace a hook's signing secret",
  description: 'For 24 hours calls have two signatures, and answers may be signed with either secret.',
  permission: 'admin',
  tenant: { locates: 'hooks', by: 'params.id' },
  params,
  response: HookWithSecret,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.hookWithSecret },
})

export const testHook = endpoint({
  id: 'testHook',
  method: 'POST',
  path: '/hooks/{id}/test',
  tag,
  summary: 'Call a hook with sample data',
  description: 'The call has `test: true` in its data. It is made even if the hook is disabled, and decides nothing.',
  permission: 'config:write',
  tenant: { locates: 'hooks', by: 'params.id' },
  params,
  response: HookCall,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.hookCall },
})

export const listHookCalls = endpoint({
  id: 'listHookCalls',
  method: 'GET',
  path: '/hooks/{id}/calls',
  tag,
  summary: "List a hook's calls, newest first",
  description: 'Calls are kept for 30 days.',
  permission: 'config:read',
  tenant: { locates: 'hooks', by: 'params.id' },
  params,
  query: pageQuery,
  response: page(HookCall),
  errors: ['not_found'],
  example: { params: paramsExample, response: pageOf(sample.hookCall) },
})

const ofListener = { tag, permission: 'admin', tenant: { from: 'params.tenantId' } } as const
const listenerParams = object({ tenantId: id() })
const listenerExample = { tenantId: sample.tenantId }
const developmentOnly = 'Only in a tenant whose environment is development; `bailiwick hooks listen` does both.'

export const receiveHookCalls = endpoint({
  ...ofListener,
  id: 'receiveHookCalls',
  method: 'POST',
  path: '/tenants/{tenantId}/hooks/listen',
  summary: "Receive calls of a tenant's hooks on a developer's machine, instead of their URLs",
  description: `Waits for a call. While somebody listens, and for five seconds afterwards, calls wait for an answer from there. ${developmentOnly}`,
  params: listenerParams,
  body: object({
    waitSeconds: optional(
      integer({ minimum: 0, maximum: 20, description: 'How long to wait for a call; 0 stops listening. Default: 20' }),
    ),
  }),
  response: object({ calls: array(HookListenerCall) }),
  errors: ['not_found', 'too_many_streams'],
  example: { params: listenerExample, body: { waitSeconds: 20 }, response: { calls: [] } },
})

export const answerHookCall = endpoint({
  ...ofListener,
  id: 'answerHookCall',
  method: 'POST',
  path: '/tenants/{tenantId}/hooks/answers',
  summary: "Answer a call that a developer's machine has received",
  description: `\`accepted\` is false if the call no longer waits. ${developmentOnly}`,
  params: listenerParams,
  body: object({ id: plainId(), ...HookListenerAnswer.properties }),
  response: object({ accepted: boolean() }),
  errors: ['not_found'],
  example: {
    params: listenerExample,
    body: { id: sample.hookCall.id, status: 200, headers: {}, body: '{"decision":"allow"}' },
    response: { accepted: true },
  },
})
