import type { Static } from 'typebox'
import {
  anyJson,
  metaJson,
  boolean,
  id,
  nullableBoolean,
  nullableText,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../schema.ts'

export const providerKeys = ['google', 'github', 'gitlab', 'apple', 'facebook'] as const
export type ProviderKey = (typeof providerKeys)[number]

export const SocialProvider = object({
  id: text(),
  tenantId: text(),
  providerKey: oneOf(providerKeys),
  enabled: boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  useCustomCredentials: optional(nullableBoolean()),
  clientId: optional(nullableText()),
  redirectUri: optional(nullableText()),
  additionalScopes: optional(anyJson()),
  authenticatable: optional(nullableBoolean()),
  autoConnectAccounts: optional(nullableBoolean()),
  config: optional(anyJson()),
})
export type SocialProvider = Static<typeof SocialProvider>

const settings = {
  useCustomCredentials: optional(boolean()),
  clientId: optional(nullableText({ maxLength: 512 })),
  clientSecret: optional(nullableText({ maxLength: 8192, description: 'Kept sealed, never in an answer' })),
  redirectUri: optional(nullableText({ format: 'web-uri' })),
  additionalScopes: optional(metaJson()),
  authenticatable: optional(boolean()),
  autoConnectAccounts: optional(boolean()),
  config: optional(metaJson()),
}

export const CreateSocialProvider = object({
  tenantId: id(),
  providerKey: oneOf(providerKeys),
  enabled: boolean(),
  ...settings,
})
export type CreateSocialProvider = Static<typeof CreateSocialProvider>

export const UpdateSocialProvider = object({ enabled: optional(boolean()), ...settings })
export type UpdateSocialProvider = Static<typeof UpdateSocialProvider>
