import type { Static } from 'typebox'
import { nullableText, object, text, timestamp } from '../../schema.ts'
import { anyProviderKey } from '../tenancy/custom-provider.ts'

/** An account at a social provider that signs its user in. */
export const SocialConnection = object({
  id: text(),
  providerKey: anyProviderKey(),
  email: nullableText({ description: 'The value that the provider sent last' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type SocialConnection = Static<typeof SocialConnection>
