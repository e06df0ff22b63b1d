import { CreateHook, type HookCallResult, type HookFailureRule, type HookPoint } from '@bailiwick/contract'
import { fieldsOf, matching } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { HookCallId, HookId, TenantId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'

export const callCounter = (hookId: string) => `hook_calls:${hookId}`

const secret = matching(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be the secret of a hook')

export const hooks = table(
  'hooks',
  {
    ...record<HookId>(),
    point: text<HookPoint>(),
    ...many(text(), 'url', 'sealed_secret'),
    timeout_ms: integer(),
    on_failure: text<HookFailureRule>(),
    enabled: flag().default(0),
    /** The roles that answers may give to a new user. */
    role_ids: json<readonly string[]>().default(toJson([])),
    receives_passwords: flag().default(0),
    sealed_previous_secret: text().nullable(),
    previous_secret_until: time().nullable(),
  },
  {
    counted: [{ counter: 'hooks' }],
    sealed: { sealed_secret: 'secret', sealed_previous_secret: 'previous_secret' },
    accepts: { ...fieldsOf(CreateHook), sealed_secret: secret, sealed_previous_secret: secret },
  },
)

export const hookCalls = table(
  'hook_calls',
  {
    ...record<HookCallId>(),
    hook_id: id<HookId>(),
    result: text<HookCallResult>(),
    error: text().nullable(),
    duration_ms: integer(),
  },
  {
    counted: [{ by: 'hook_id', counter: callCounter }],
    notExported: 'what was asked stays with who asked it',
  },
)

/** Tenants of which a developer's machine answers the calls. */
export const hookListeners = table(
  'hook_listeners',
  { tenant_id: id<TenantId>(), listening_until: time() },
  { key: ['tenant_id'], notExported: 'they last some seconds' },
)

/** Calls that wait for the answer of a developer's machine. */
export const hookRelays = table(
  'hook_relays',
  {
    ...record<HookCallId>(),
    hook_id: id<HookId>(),
    point: text<HookPoint>(),
    timeout_ms: integer(),
    sealed_call: text(),
    is_taken: flag().default(0),
    sealed_answer: text().nullable(),
    expires_at: time(),
  },
  { sealed: { sealed_call: 'call', sealed_answer: 'answer' }, notExported: 'they last some seconds' },
)
