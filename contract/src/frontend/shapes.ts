// The records that end users see about themselves and their tenant.
import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  id,
  nullable,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  plainId,
  text,
  timestamp,
  boolean as flag,
  integer,
} from '../schema.ts'
import {
  descriptionOfSetting,
  optionalSettings,
  requiredSettings,
  tenantAuthSettings,
} from '../settings/tenant-auth-settings.ts'
import { signInStrategies } from '../shapes/identity/attempt.ts'
import { Session } from '../shapes/identity/session.ts'
import { passkeyFacts } from '../shapes/identity/sign-in-means.ts'
import { OrganizationUserSummary, UserRole, personDetails } from '../shapes/identity/user.ts'
import { Attribute, attributeValues } from '../shapes/tenancy/attributes.ts'
import { anyProviderKey } from '../shapes/tenancy/custom-provider.ts'
import { environments } from '../shapes/tenancy/tenant.ts'
import { providerKeys } from '../social-providers.ts'

const publicSettings = Object.entries({ ...requiredSettings, ...optionalSettings }).filter(
  ([, setting]) => setting.kind !== 'reference' && setting.kind !== 'list' && setting.group !== 'eventLog',
)

/** The settings that pages need: everything except channels, templates, lists and what concerns the log of events. */
export const PublicAuth = object(
  Object.fromEntries(
    publicSettings.map(([name, setting]) => {
      const { kind } = setting
      const rules = { description: descriptionOfSetting(name as keyof typeof tenantAuthSettings) }
      if (kind === 'choice') return [name, oneOf(setting.values, rules)]
      return [name, kind === 'boolean' ? flag(rules) : kind === 'integer' ? integer(rules) : nullableText(rules)]
    }),
  ),
)
export const publicSettingNames = publicSettings.map(([name]) => name) as Exclude<
  keyof typeof tenantAuthSettings,
  | 'eventRetentionDays'
  | 'organizationRolePermissions'
  | 'passkeyDomains'
  | 'redirectUris'
  | 'signUpDomains'
  | 'signUpBlockedDomains'
  | 'signUpBlockedAddresses'
>[]

/** What a tenant may ask new users for, in the order of forms. */
export const signUpFieldNames = ['email', 'phone', 'username', 'name', 'password'] as const
export type SignUpFieldName = (typeof signUpFieldNames)[number]

/** The part of a tenant that anybody may see. */
export const PublicTenant = object({
  id: id(),
  name: text(),
  slug: text(),
  publicKey: text(),
  environment: oneOf(environments),
  logoUri: nullableText(),
  iconUri: nullableText(),
  brand: anyJson({ description: 'The brand, as GET /tenants/{id}/brand returns it' }),
  auth: PublicAuth,
  signUpFields: array(oneOf(signUpFieldNames), {
    description:
      'The fields with which sign-up begins, in this order; `missingFields` of the attempt then names the fields that are still missing',
  }),
  attributes: array(Attribute, {
    description: 'The attributes that users write themselves and that forms of sign-up or of the profile ask for',
  }),
  socialProviders: array(object({ id: text(), providerKey: oneOf(providerKeys) }), {
    description: 'The social providers that are enabled and with which users can sign in',
  }),
  customProviders: array(object({ id: text(), providerKey: anyProviderKey(), name: text(), logoUri: nullableText() }), {
    description: 'The custom providers that are enabled and with which users can sign in',
  }),
})
export type PublicTenant = Static<typeof PublicTenant>

const contact = {
  id: text(),
  verifiedAt: nullableTimestamp(),
  primary: boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}
export const OwnEmail = object({ email: text(), ...contact })
export type OwnEmail = Static<typeof OwnEmail>
export const OwnPhone = object({ phone: text(), ...contact })
export type OwnPhone = Static<typeof OwnPhone>

/** The signed-in user as the user may see it: without privateMeta. */
export const Profile = object({
  id: text(),
  tenantId: text(),
  name: nullableText(),
  username: nullableText(),
  imageUri: nullableText(),
  firstName: nullableText(),
  lastName: nullableText(),
  timezone: nullableText({ description: 'An IANA time zone' }),
  locale: nullableText({ description: 'A BCP 47 language tag' }),
  emails: array(OwnEmail),
  phones: array(OwnPhone),
  role: nullable(UserRole),
  publicMeta: anyJson(),
  hasPassword: boolean(),
  secondFactors: array(oneOf(['authenticator_code', 'security_key']), {
    description: 'The second factors that the user has set up',
  }),
  isAnonymous: boolean({ description: 'Whether the user has not signed up yet' }),
  lastSignInAt: nullableTimestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Profile = Static<typeof Profile>

export const UpdateProfile = object({
  name: optional(nullableText({ minLength: 1, maxLength: 256, format: 'text', pattern: '\\S' })),
  username: optional(nullableText({ format: 'username' })),
  imageUri: optional(nullableText({ format: 'web-uri', maxLength: 2048 })),
  ...personDetails,
  attributes: optional(attributeValues()),
})
export type UpdateProfile = Static<typeof UpdateProfile>

/** The signed-in user, with the claims of the JWT beside it that say whose it is and how long it is valid. */
export const SessionUser = object({
  ...Profile.properties,
  sub: text({ description: "The user's id" }),
  iss: text(),
  aud: text({ description: "The tenant's public key" }),
  exp: integer({ description: 'When the JWT expires, in seconds since 1970' }),
  auth_time: optional(integer({ description: 'When the user last proved who it is, in seconds since 1970' })),
  acr: optional(
    text({ description: '`urn:bailiwick:2fa` if a second factor was proven, otherwise `urn:bailiwick:1fa`' }),
  ),
  amr: optional(
    array(text(), { description: 'How it was proven (RFC 8176), such as `pwd`, `otp`, `sms`, `hwk`, `fed` and `mfa`' }),
  ),
})
export type SessionUser = Static<typeof SessionUser>

/** One of the user's own sessions. */
export const OwnSession = object({ ...Session.properties, current: boolean() })
export type OwnSession = Static<typeof OwnSession>

/** A session that a browser holds, by its id, and whose it is. */
export const BrowserAccount = object({ id: plainId(), current: boolean(), user: OrganizationUserSummary })
export type BrowserAccount = Static<typeof BrowserAccount>

/** Sent when the way in which the user signs in has changed: the session gets a new token, and the old one is invalid. */
export const rotated = {
  sessionToken: optional(
    text({
      description: 'Only if the session was sent as Authorization: Bearer: replaces the token of this request',
    }),
  ),
}

export const CreateToken = object({
  orgId: optional(
    nullableText({ minLength: 1, maxLength: 256, description: 'The organization for which the token is issued' }),
  ),
  ttl: optional(
    integer({ minimum: 10, maximum: 900, description: 'How long the token is valid, in seconds. Default: 60' }),
  ),
})
export type CreateToken = Static<typeof CreateToken>

export const TokenAnswer = object({ jwt: text(), sessionUser: SessionUser })
export const idParams = object({ id: plainId() })

export const RecoveryCodes = object({ recoveryCodes: array(text()), ...rotated })

const passkeyName = () => nullableText({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })

/** A passkey or security key of the user. */
export const Passkey = object({
  id: text(),
  name: nullableText(),
  relyingPartyId: text({ description: 'The domain for which the passkey is valid, including its subdomains' }),
  ...passkeyFacts,
  lastUsedAt: nullableTimestamp(),
  flaggedAt: nullableTimestamp({
    description: 'When the counter of the passkey last went backwards, which can mean that a copy of it exists',
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Passkey = Static<typeof Passkey>

/** A device on which the user is not asked for a second factor. */
export const TrustedDevice = object({
  id: text(),
  browser: nullableText(),
  os: nullableText(),
  factor: oneOf(signInStrategies, { description: 'The second factor that was proven on it' }),
  current: boolean({ description: 'Whether it is the device of this request' }),
  expiresAt: timestamp({ description: 'From when on the user is asked again' }),
  createdAt: timestamp(),
})
export type TrustedDevice = Static<typeof TrustedDevice>

export const CreationOptions = anyJson({ description: 'PublicKeyCredentialCreationOptionsJSON' })
const mediation = () =>
  optional(
    oneOf(['conditional'], {
      description:
        'conditional: the browser makes the passkey without asking the user, as navigator.credentials.create() is told',
    }),
  )
export const PasskeyOptionsInput = object({ mediation: mediation() })
export type PasskeyOptionsInput = Static<typeof PasskeyOptionsInput>
export const CreatePasskey = object({
  credential: anyJson({ 'x-bytes-max': 32_768, description: 'The result of navigator.credentials.create(), as JSON' }),
  name: optional(passkeyName()),
  mediation: mediation(),
  secondFactor: optional(
    boolean({
      description:
        'Whether every sign-in then asks for a second factor. Default: true, but false with mediation, where true is refused.',
    }),
  ),
})
export type CreatePasskey = Static<typeof CreatePasskey>
export const CreatedPasskey = object({ passkey: Passkey, recoveryCodes: optional(array(text())), ...rotated })
/** What password managers should know of the passkeys of the signed-in user, and whether to offer one. */
export const PasskeySignals = object({
  offered: boolean({
    description: 'Whether to offer a passkey: the user has just signed in with a password, and has none for this page',
  }),
  /** Null where passkeys do not work, and for somebody who acts as the user. */
  signals: nullable(
    object({
      rpId: text(),
      userId: text({ description: 'The handle of the user, in base64url' }),
      allAcceptedCredentialIds: array(text()),
      name: text(),
      displayName: text(),
    }),
  ),
})
export type PasskeySignals = Static<typeof PasskeySignals>

export const UpdatePasskey = object({ name: passkeyName() })
export type UpdatePasskey = Static<typeof UpdatePasskey>
