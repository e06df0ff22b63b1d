// Declares an operation of the frontend interface, which end users' browsers and apps call. The tenant comes from the request, and the
// caller's permissions from the session.
import type { Static, TArray, TSchema } from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { pageOf } from '../examples.ts'
import { array, object, oneOf, pageMeta } from '../schema.ts'

/** How an operation names its tenant in its path; most use the host or the public key of the request. */
type FrontendTenantSource = { readonly from: 'params.id' } | { readonly finds: 'params.publicKey' | 'params.domain' }

interface Definition extends Omit<Endpoint, 'permission' | 'response' | 'tenant'> {
  readonly tenant?: FrontendTenantSource
  /** Whether the operation requires a signed-in user, or only looks for one. */
  readonly session: 'none' | 'optional' | 'required'
  /** Whether the operation issues the token that binds a flow's steps to one browser or app, or is such a step. */
  readonly flow?: 'begins' | 'continues'
  /** The schema of `data` in the answer. */
  readonly data: TSchema
}

/** The error codes of every frontend operation, in addition to those of all operations. */
export const frontendErrorCodes = [
  'not_found',
  'origin_refused',
  'public_key_required',
  'rate_limited',
] as const satisfies readonly ErrorCode[]

/** The further errors of an operation with which an anonymous user signs up. */
export const upgradeErrorCodes = [
  'email_not_allowed',
  'enterprise_sign_in_required',
  'sign_up_denied',
  'sign_up_disabled',
] as const satisfies readonly ErrorCode[]

const flowNotes = {
  begins:
    'Callers without cookies send `x-session-transport: body` here and with every step: the response then has a `flowToken`, which the ' +
    'steps must send as the header `x-flow-token`.',
  continues:
    'Needs the token of the attempt, which is in a cookie; with `x-session-transport: body` send it as the header `x-flow-token`. Without it ' +
    'the response is 404.',
} as const

function describedFlow({ description, flow }: Definition) {
  if (flow === undefined) return {}
  return { description: description === undefined ? flowNotes[flow] : `${description} ${flowNotes[flow]}` }
}

/** Returns the errors for a session's JWT that is sent as a credential. */
function jwtErrorsOf({ session, method }: Definition): readonly ErrorCode[] {
  if (session === 'none') return []
  if (method === 'GET') return ['token_expired']
  return session === 'required' ? ['session_token_required', 'anonymous_user'] : ['session_token_required']
}

/** Declares an operation; its answer is `{"status": "success", "data": …}`. */
export function frontendEndpoint<const E extends Definition>(definition: E) {
  return {
    ...definition,
    ...describedFlow(definition),
    permission: 'public' as const,
    response: object({ status: oneOf(['success']), data: definition.data }),
    errors: [...new Set<ErrorCode>([...frontendErrorCodes, ...jwtErrorsOf(definition), ...definition.errors])],
    example: { ...definition.example, response: { status: 'success', data: definition.example.response } },
  }
}

export interface FrontendEndpoint extends Endpoint {
  readonly tenant?: FrontendTenantSource
  readonly session: Definition['session']
  readonly flow?: Definition['flow']
  readonly data: TSchema
}

export type DataOf<E extends FrontendEndpoint> = Static<E['data']>

/** Returns the schema of a list in the frontend interface: its rows under their own name, and the position of the page. */
export const listOf = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  object({ [name]: array(item), meta: pageMeta } as Record<Name, TArray<Item>> & { meta: typeof pageMeta })

/** Returns the example of such a list with one page and one row. */
export const listExample = <Name extends string>(name: Name, row: unknown) => ({
  [name]: [row],
  meta: pageOf(row).meta,
})
