import type { Static, TOptional, TUnsafe } from 'typebox'
import {
  array,
  boolean,
  id,
  integer,
  nullableId,
  nullableText,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import type { ListSetting, Setting } from '../../settings/setting-kinds.ts'
import {
  descriptionOfSetting,
  optionalSettings,
  requiredSettings,
  tenantAuthSettings,
  type TenantAuthSettings,
} from '../../settings/tenant-auth-settings.ts'
import { SettingsDifference } from './settings-version.ts'

type Required = { [K in keyof typeof requiredSettings]: TUnsafe<TenantAuthSettings[K]> }
type Optional = { [K in keyof typeof optionalSettings]: TOptional<TUnsafe<TenantAuthSettings[K]>> }

type Name = keyof TenantAuthSettings

const schemaOf = (setting: Setting, name: Name) => {
  const rules = { description: descriptionOfSetting(name) }
  switch (setting.kind) {
    case 'boolean':
      return boolean(rules)
    case 'integer':
      return integer({ minimum: setting.minimum, maximum: setting.maximum, ...rules })
    case 'choice':
      return oneOf(setting.values, rules)
    case 'time':
      return nullableText({ format: 'date-time', ...rules })
    case 'text':
    case 'uri':
      return nullableText(rules)
    case 'reference':
      return nullableId(rules)
    case 'list':
      return array(text(), rules)
  }
}

const mapSettings = <S extends Partial<Record<Name, Setting>>>(
  settings: S,
  map: (setting: Setting, name: Name) => unknown,
) =>
  Object.fromEntries(
    (Object.entries(settings) as [Name, Setting][]).map(([name, setting]) => [name, map(setting, name)]),
  )

/** A tenant's authentication configuration, as in the tenant's record. */
export const TenantAuth = object({
  id: optional(id()),
  tenantId: id(),
  ...(mapSettings(requiredSettings, schemaOf) as Required),
  ...(mapSettings(optionalSettings, (setting, name) => optional(schemaOf(setting, name))) as Optional),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type TenantAuth = Static<typeof TenantAuth>

type Settable = { [K in keyof TenantAuthSettings]: TOptional<TUnsafe<TenantAuthSettings[K]>> }

const list = ({ format, itemsMax, lengthMax }: ListSetting, name: Name) =>
  array(text({ format, maxLength: lengthMax }), { maxItems: itemsMax, description: descriptionOfSetting(name) })

const settableOf = (setting: Setting, name: Name) => {
  if (setting.kind === 'uri') {
    return optional(nullableText({ format: 'web-uri', description: descriptionOfSetting(name) }))
  }
  if (setting.kind === 'text') {
    const { format, lengthMax } = setting
    return optional(nullableText({ format, maxLength: lengthMax, description: descriptionOfSetting(name) }))
  }
  if (setting.kind === 'time') {
    return optional(nullableText({ format: 'cursor', description: descriptionOfSetting(name) }))
  }
  return optional(setting.kind === 'list' ? list(setting, name) : schemaOf(setting, name))
}

/** Any subset of the settings; omitted ones stay as they are. Session limits are in seconds. */
export const UpdateTenantAuth = object(mapSettings(tenantAuthSettings, settableOf) as Settable)
export type UpdateTenantAuth = Static<typeof UpdateTenantAuth>

const session = UpdateTenantAuth.properties

/** The limits of sessions to change. */
export const UpdateTenantSession = object({
  sessionMaximumLifetimeEnabled: session.sessionMaximumLifetimeEnabled,
  sessionMaximumLifetime: session.sessionMaximumLifetime,
  sessionInactivityTimeoutEnabled: session.sessionInactivityTimeoutEnabled,
  sessionInactivityTimeout: session.sessionInactivityTimeout,
})
export type UpdateTenantSession = Static<typeof UpdateTenantSession>

/** How a change would affect the people who sign in. */
export const AuthPreview = object({
  differences: array(SettingsDifference),
  issues: array(object({ path: text(), code: text(), message: text() }), {
    description: 'Why the change would be refused; empty if it would not',
  }),
  usersChecked: integer({
    description:
      'How many active users were checked. If the change removes a way to sign in, at most the newest 100,000',
  }),
  usersLockedOut: integer({ description: 'How many users can sign in now, but could not after the change' }),
  sessionsWithoutFactor: integer({
    description:
      'How many of the newest 100,000 live sessions have proven no second factor, if the change begins to require one. They continue.',
  }),
  hooksThatDenyOnFailure: integer({
    description:
      'A warning: how many hooks let nobody sign in while their server does not answer. Administrators sign in at the console, which has no hooks',
  }),
  usersToEnrol: integer({
    description:
      'If the change makes a second factor required: how many of the newest 100,000 active users have none yet and set one up when they sign in',
  }),
  sample: array(
    object({
      userId: text(),
      reasons: array(text({ description: 'What each strategy that the user can use now would lack' })),
    }),
    { description: 'The first ten of these users' },
  ),
})
export type AuthPreview = Static<typeof AuthPreview>
