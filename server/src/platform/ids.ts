import { randomBytes } from 'node:crypto'
import { base36, createRandomText } from './crypto/random-text.ts'

declare const brand: unique symbol

/** An id of one kind of record. Kinds do not mix: passing an organization's id where a user's is expected does not compile. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind }

export type ApiKeyId = Id<'ApiKeyId'>
export type ApplicationId = Id<'ApplicationId'>
export type ApplicationSecretId = Id<'ApplicationSecretId'>
export type AuthenticatorId = Id<'AuthenticatorId'>
export type ConnectionId = Id<'ConnectionId'>
export type SetupLinkId = Id<'SetupLinkId'>
export type WaitlistEntryId = Id<'WaitlistEntryId'>
export type DomainId = Id<'DomainId'>
export type OrganizationDomainId = Id<'OrganizationDomainId'>
export type OrganizationGroupId = Id<'OrganizationGroupId'>
export type EmailAddressId = Id<'EmailAddressId'>
export type EventId = Id<'EventId'>
export type FileId = Id<'FileId'>
export type GrantId = Id<'GrantId'>
export type ImportJobId = Id<'ImportJobId'>
export type InvitationId = Id<'InvitationId'>
export type MemberId = Id<'MemberId'>
export type MessageId = Id<'MessageId'>
export type OrganizationId = Id<'OrganizationId'>
export type PhoneNumberId = Id<'PhoneNumberId'>
export type ResourceId = Id<'ResourceId'>
export type RoleId = Id<'RoleId'>
export type SecretKeyId = Id<'SecretKeyId'>
export type ScimGroupId = Id<'ScimGroupId'>
export type ScimLogId = Id<'ScimLogId'>
export type ScimTokenId = Id<'ScimTokenId'>
export type ScimUserId = Id<'ScimUserId'>
export type SessionId = Id<'SessionId'>
export type SignInAttemptId = Id<'SignInAttemptId'>
export type TrustedDeviceId = Id<'TrustedDeviceId'>
export type SignUpAttemptId = Id<'SignUpAttemptId'>
export type SigningKeyId = Id<'SigningKeyId'>
export type SocialConnectionId = Id<'SocialConnectionId'>
export type SocialProviderId = Id<'SocialProviderId'>
export type TemplateId = Id<'TemplateId'>
export type TenantId = Id<'TenantId'>
export type TransformationId = Id<'TransformationId'>
export type UserApiKeyId = Id<'UserApiKeyId'>
export type UserId = Id<'UserId'>
export type HookCallId = Id<'HookCallId'>
export type HookId = Id<'HookId'>
export type WebhookDeliveryId = Id<'WebhookDeliveryId'>
export type WebhookId = Id<'WebhookId'>

const timeLength = 9
const randomLength = 15
const msMax = 36 ** timeLength - 1
const randomText = createRandomText(base36)

let lastMs = Number.NaN
let lastPrefix = ''

function prefixOf(ms: number): string {
  if (ms !== lastMs) {
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > msMax)
      throw new RangeError('the time of an id must be whole milliseconds')
    lastPrefix = `c${ms.toString(36).padStart(timeLength, '0')}`
    lastMs = ms
  }
  return lastPrefix
}

/**
 * Returns a new id: `c`, nine base36 characters of milliseconds, so that ids made at about the same time are neighbours in an index, and
 * fifteen random characters (77 bits). The context decides its kind: `const id: UserId = newId()`, or `newId<'UserId'>()`.
 * @param nowMs milliseconds since 1970.
 */
export function newId<Kind extends string>(nowMs: number = Date.now()): Id<Kind> {
  return (prefixOf(nowMs) + randomText(randomLength)) as Id<Kind>
}

/**
 * Returns a key for a tenant's record in this process's memory. The id alone is not enough, because an import may bring the same id into
 * another tenant, which must not use or change this tenant's entry.
 */
export const inTenant = (tenantId: string, id: string): string => `${tenantId} ${id}`

const requestPrefix = randomBytes(9).toString('base64url')
let requests = 0

/** Returns an id that is unique in this process by counting and across processes by a random prefix. The caller never chooses it. */
export const newRequestId = () => `${requestPrefix}-${(requests++).toString(36)}`
