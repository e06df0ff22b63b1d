import type { Static } from 'typebox'
import { object, text, timestamp } from '../../schema.ts'

/** The public half of a key that signs a tenant's tokens. */
export const JwkCertificate = object({
  id: text(),
  tenantId: text(),
  public: text({ description: 'PEM' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type JwkCertificate = Static<typeof JwkCertificate>
