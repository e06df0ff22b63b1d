import type { Static } from 'typebox'
import { nullableText, object, oneOf, text, timestamp } from '../schema.ts'
import { providerKeys } from './social-provider.ts'

/** An account at a social provider that signs its user in. */
export const SocialConnection = object({
  id: text(),
  providerKey: oneOf(providerKeys),
  email: nullableText({ description: 'As the provider last gave it' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type SocialConnection = Static<typeof SocialConnection>
