import type { Static, TOptional, TUnsafe } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  id,
  integer,
  nullableId,
  nullableText,
  object,
  optional,
  text,
  timestamp,
} from '../schema.ts'
import {
  optionalSettings,
  requiredSettings,
  tenantAuthSettings,
  type TenantAuthSettings,
} from '../tenant-auth-settings.ts'

type Setting =
  | { kind: 'boolean' }
  | { kind: 'integer'; minimum: number; maximum: number }
  | { kind: 'uri' }
  | { kind: 'reference' }
  | { kind: 'redirects' }
type Required = { [K in keyof typeof requiredSettings]: TUnsafe<TenantAuthSettings[K]> }
type Optional = { [K in keyof typeof optionalSettings]: TOptional<TUnsafe<TenantAuthSettings[K]>> }

const schemaOf = (setting: Setting) => {
  switch (setting.kind) {
    case 'boolean':
      return boolean()
    case 'integer':
      return integer({ minimum: setting.minimum, maximum: setting.maximum })
    case 'uri':
      return nullableText()
    case 'reference':
      return nullableId()
    case 'redirects':
      return array(text())
  }
}

const mapSettings = <S extends Record<string, Setting>>(settings: S, map: (setting: Setting) => unknown) =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, map(setting)]))

/** A tenant's authentication configuration, as it stands in the tenant's record. */
export const TenantAuth = object({
  id: optional(id()),
  tenantId: id(),
  ...(mapSettings(requiredSettings, schemaOf) as Required),
  ...(mapSettings(optionalSettings, (setting) => optional(schemaOf(setting))) as Optional),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type TenantAuth = Static<typeof TenantAuth>

type Settable = { [K in keyof TenantAuthSettings]: TOptional<TUnsafe<TenantAuthSettings[K]>> }

const redirectsMax = 100
const redirects = () =>
  array(text({ format: 'redirect-uri', maxLength: 2048 }), {
    maxItems: redirectsMax,
    description:
      'Addresses that a redirectUri may name, beside the addresses above: compared as a whole, with path and query. In a ' +
      'development tenant the port of http://localhost, http://127.0.0.1 and http://[::1] may differ. Apps are listed by their ' +
      'own scheme, such as com.example.app:/callback.',
  })

const settableOf = (setting: Setting) => {
  if (setting.kind === 'uri') return optional(nullableText({ format: 'web-uri' }))
  return optional(setting.kind === 'redirects' ? redirects() : schemaOf(setting))
}

/** Any subset of the settings; what is left out stays as it is. Session limits in seconds. */
export const UpdateTenantAuth = object(mapSettings(tenantAuthSettings, settableOf) as Settable)
export type UpdateTenantAuth = Static<typeof UpdateTenantAuth>

const session = UpdateTenantAuth.properties

export const UpdateTenantSession = object({
  sessionMaximumLifetimeEnabled: session.sessionMaximumLifetimeEnabled,
  sessionMaximumLifetime: session.sessionMaximumLifetime,
  sessionInactivityTimeoutEnabled: session.sessionInactivityTimeoutEnabled,
  sessionInactivityTimeout: session.sessionInactivityTimeout,
})
export type UpdateTenantSession = Static<typeof UpdateTenantSession>

/** One version of a tenant's authentication configuration. */
export const AuthVersion = object({
  version: integer(),
  actor: object({ type: text(), id: nullableText() }),
  createdAt: timestamp(),
})
export type AuthVersion = Static<typeof AuthVersion>

/** One setting that two versions have differently. */
export const AuthDifference = object({ setting: text(), from: anyJson(), to: anyJson() })
export type AuthDifference = Static<typeof AuthDifference>

/** What a change would do to those who sign in. */
export const AuthPreview = object({
  differences: array(AuthDifference),
  issues: array(object({ path: text(), code: text(), message: text() }), {
    description: 'Why the change would be refused; empty where it would not',
  }),
  usersChecked: integer(),
  usersLockedOut: integer({ description: 'Users who can sign in now and could not any more' }),
  sample: array(
    object({
      userId: text(),
      reasons: array(text({ description: 'What each strategy that they use now would lack' })),
    }),
    { description: 'The first ten of them' },
  ),
})
export type AuthPreview = Static<typeof AuthPreview>
