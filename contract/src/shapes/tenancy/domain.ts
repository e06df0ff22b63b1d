import type { Static } from 'typebox'
import { boolean, id, nullableText, object, oneOf, text, timestamp } from '../../schema.ts'

/** A host name of a tenant, and the record that its owner has to publish to prove ownership. */
export const TenantDomain = object({
  id: text(),
  tenantId: text(),
  name: text(),
  primary: boolean(),
  type: oneOf(['protocol', 'external']),
  verified: boolean(),
  verificationRecordType: nullableText(),
  verificationRecordDomain: nullableText(),
  verificationRecordValue: nullableText(),
  verificationRecordReason: nullableText({ description: 'Why the last verification failed' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type TenantDomain = Static<typeof TenantDomain>

/** The domain to add to a tenant. */
export const CreateDomain = object({ tenantId: id(), name: text({ format: 'host-name' }) })
export type CreateDomain = Static<typeof CreateDomain>
