import type { Static } from 'typebox'
import { anyJson, integer, nullableText, object, text, timestamp } from '../../schema.ts'

/** One version of a settings document: the authentication configuration, the brand or the pages. */
export const SettingsVersion = object({
  version: integer(),
  actor: object({ type: text(), id: nullableText() }),
  actorName: nullableText({ description: 'The name of the administrator or API key; null if it no longer exists' }),
  createdAt: timestamp(),
})
export type SettingsVersion = Static<typeof SettingsVersion>

/** One setting that differs between two versions. */
export const SettingsDifference = object({
  setting: text(),
  from: anyJson({ description: 'null if the version does not have the setting' }),
  to: anyJson({ description: 'null if the version does not have the setting' }),
})
export type SettingsDifference = Static<typeof SettingsDifference>

/** The number of a version in a path. */
export const versionNumber = () => text({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of a version' })
/** The same for documents that new tenants do not have. */
export const versionNumberOrZero = () =>
  text({
    pattern: '^(?:0|[1-9][0-9]{0,8})$',
    description: 'The number of a version; 0 is the state of a new tenant',
  })
