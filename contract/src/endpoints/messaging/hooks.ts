import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, object, page, pageQuery, recordBasis } from '../../schema.ts'
import { CreateHook, Hook, HookCall, HookWithSecret, UpdateHook } from '../../shapes/messaging/hook.ts'

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
