// What the matrices know about an operation's requests, and the kinds of requests that many operations share.
import type { BodyOf, Endpoint, EndpointId, ParamsOf, QueryOf, endpoints } from '@bailiwick/contract'
import type { Static, TSchema } from 'typebox'
import { unique } from '../harness/factories.ts'
import type { Names, World } from './world.ts'

/** A streamed body as its lines; a form as its parts. */
export type SentBody<E extends Endpoint> = E extends { bodyType: 'multipart/form-data' }
  ? Readonly<Record<string, string | Uint8Array>>
  : E extends { bodyType: string; body: infer S extends TSchema }
    ? readonly Static<S>[]
    : BodyOf<E>

export type Given<E extends Endpoint> = object &
  (E extends { params: TSchema } ? { readonly params: ParamsOf<E> } : unknown) &
  (E extends { query: TSchema } ? { readonly query?: QueryOf<E> } : unknown) &
  (E extends { body: TSchema } ? { readonly body: SentBody<E> } : unknown) &
  (E extends { requestHeaders: object } ? { readonly headers: Readonly<Record<string, string>> } : unknown)

/** How a request that names a record of another tenant is answered: like a missing record, or like a reference to nothing. */
export type ForeignAnswer = 'not_found' | 'null' | { readonly issueAt: string }

export interface ForeignRequest<E extends Endpoint> {
  /** The name in the request that belongs to another tenant. */
  readonly naming: string
  readonly request: Given<E>
  readonly answer: ForeignAnswer
}

export interface OperationRequests<E extends Endpoint> {
  /** The operation can succeed only once in a world. */
  readonly valid: (world: World) => Given<E>
  /**
   * One request for each name in it that can belong to another tenant; the other names are taken from `own`. Empty if a request names
   * nothing.
   */
  readonly foreign: (own: World, other: Names) => readonly ForeignRequest<E>[]
}

export type Entry<Id extends EndpointId> = OperationRequests<(typeof endpoints)[Id]>

/** The operations whose path names only the tenant. */
export const onTenant = {
  valid: ({ tenantId }: World) => ({ params: { tenantId } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'tenantId', request: { params: { tenantId } }, answer: 'not_found' as const },
  ],
}

export const onTenantById = {
  valid: ({ tenantId }: World) => ({ params: { id: tenantId } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'id', request: { params: { id: tenantId } }, answer: 'not_found' as const },
  ],
}

/** The operations on versions of a document of the tenant. */
export const onVersions = <Numbers extends Readonly<Record<string, string>>>(numbers: Numbers) => ({
  valid: ({ tenantId }: World) => ({ params: { id: tenantId, ...numbers } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'id', request: { params: { id: tenantId, ...numbers } }, answer: 'not_found' as const },
  ],
})

/** The operations that name an e-mail address or a phone number in the body, and nothing else. */
export const onContact = (name: 'emailId' | 'phoneId') => ({
  valid: (own: World) => ({ body: { id: own[name] } }),
  foreign: (_own: World, other: Names) => [
    { naming: 'id', request: { body: { id: other[name] } }, answer: 'not_found' as const },
  ],
})

/** The operations that create a record in the tenant that the body names. */
export const inTenant = <Body extends { tenantId: string }>(body: (own: World) => Body) => ({
  valid: (own: World) => ({ body: body(own) }),
  foreign: (own: World, { tenantId }: Names) => [
    { naming: 'tenantId', request: { body: { ...body(own), tenantId } }, answer: 'not_found' as const },
  ],
})

/** The operations whose path names one record by its id. */
export const onRecord = (name: keyof Names) => ({
  valid: (own: World) => ({ params: { id: own[name] } }),
  foreign: (_own: World, other: Names) => [
    { naming: 'id', request: { params: { id: other[name] } }, answer: 'not_found' as const },
  ],
})

export const onOrganization = {
  valid: ({ organizationId }: World) => ({ params: { organizationId } }),
  foreign: (_own: World, { organizationId }: Names) => [
    { naming: 'organizationId', request: { params: { organizationId } }, answer: 'not_found' as const },
  ],
}

/** A domain of the organization: neither may belong to another tenant. */
export const onOrganizationDomain = (
  name: 'organizationDomainId' | 'checkedOrganizationDomainId' | 'spareOrganizationDomainId',
) => ({
  valid: (own: World) => ({ params: { organizationId: own.organizationId, id: own[name] } }),
  foreign: (own: World, other: Names) => [
    {
      naming: 'organizationId',
      request: { params: { organizationId: other.organizationId, id: other[name] } },
      answer: 'not_found' as const,
    },
    {
      naming: 'id',
      request: { params: { organizationId: own.organizationId, id: other[name] } },
      answer: 'not_found' as const,
    },
  ],
})

/** The operations that give the record of the path's id another role. */
export const givingRole = (name: 'organizationMemberId' | 'organizationInvitationId') => ({
  valid: (own: World) => ({ params: { id: own[name] }, body: { roleId: own.roleId } }),
  foreign: (own: World, other: Names) => [
    { naming: 'id', request: { params: { id: other[name] }, body: {} }, answer: 'not_found' as const },
    {
      naming: 'roleId',
      request: { params: { id: own[name] }, body: { roleId: other.roleId } },
      answer: { issueAt: '/roleId' },
    },
  ],
})

/** The operations that set the flags of the path's member or invitation. */
export const settingFlags = (name: 'memberId' | 'invitationId') => ({
  valid: (own: World) => ({ params: { id: own[name] }, body: { roleViewUsers: true } }),
  foreign: (_own: World, other: Names) => [
    { naming: 'id', request: { params: { id: other[name] }, body: {} }, answer: 'not_found' as const },
  ],
})

/** The operations that name the tenant only in their query. */
export const queryingTenant = {
  valid: ({ tenantId }: World) => ({ query: { tenantId } }),
  foreign: (_own: World, { tenantId }: Names) => [
    { naming: 'tenantId', request: { query: { tenantId } }, answer: 'not_found' as const },
  ],
}

export const changingAuth = {
  valid: ({ tenantId }: World) => ({ params: { id: tenantId }, body: { signUpEnabled: false } }),
  foreign: (_own: World, { tenantId }: Names) => [
    {
      naming: 'id',
      request: { params: { id: tenantId }, body: { signUpEnabled: false } },
      answer: 'not_found' as const,
    },
  ],
}

/** The requests of some operations. */
export type Requests = { readonly [Id in EndpointId]?: Entry<Id> }

/** These are values that no other request has. */
export const newPhone = () => `+49${Math.random().toString().slice(2, 12)}`
export const newEmail = () => `${unique()}@example.com`
