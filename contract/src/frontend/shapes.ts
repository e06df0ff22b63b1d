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
  metaJson,
} from '../schema.ts'
import {
  descriptionOfSetting,
  optionalSettings,
  requiredSettings,
  tenantAuthSettings,
} from '../settings/tenant-auth-settings.ts'
import { SignInAttempt, SignUpAttempt, signInStrategies, verificationLevels } from '../shapes/identity/attempt.ts'
import { Session } from '../shapes/identity/session.ts'
import { passkeyFacts } from '../shapes/identity/sign-in-means.ts'
import { OrganizationUserSummary, UserRole, personDetails, personName } from '../shapes/identity/user.ts'
import { Attribute } from '../shapes/tenancy/attributes.ts'
import { anyProviderKey } from '../shapes/tenancy/custom-provider.ts'
import { environments } from '../shapes/tenancy/tenant.ts'
import { providerScopes } from '../shapes/tenancy/token-settings.ts'
import { providerKeys } from '../social-providers.ts'

const publicSettings = Object.entries({ ...requiredSettings, ...optionalSettings }).filter(
  ([, setting]) => setting.kind !== 'reference' && setting.kind !== 'list',
)

/** The settings that pages need: everything except channels, templates and lists. */
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

const attributeValues = () =>
  metaJson({
    type: 'object',
    description: "Values of the tenant's attributes by key, which are stored in publicMeta; null removes one",
  })

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

/** The answer of a step that may sign a user in, beside its attempt. The session's properties are present once the user is signed in. */
const signedIn = {
  session: optional(OwnSession),
  sessionUser: optional(SessionUser),
  jwt: optional(text({ description: 'A JWT for resource servers; valid for one minute' })),
  sessionToken: optional(
    text({ description: 'Only with `x-session-transport: body`: send it as Authorization: Bearer' }),
  ),
  deviceToken: optional(
    text({
      description:
        'Only with `x-session-transport: body`: send it as x-device-token at later sign-ins; it identifies a known device',
    }),
  ),
  anonymousUserId: optional(
    text({
      description:
        'The anonymous user of the session that this sign-in replaces, if it is another user than the one who signed in: your server may merge what belongs to it',
    }),
  ),
  flowToken: optional(
    text({ description: 'Only with `x-session-transport: body`, once: send it as x-flow-token with every step' }),
  ),
  authorizeUri: optional(
    text({ description: 'The URL to which the browser must go next to sign in with a social provider' }),
  ),
  publicKeyOptions: optional(
    anyJson({
      description: 'The options for navigator.credentials.get(); with `needs_enrolment` those for create()',
    }),
  ),
}

/** A session that has begun, as the answer that begins one without an attempt contains it. */
export const SignedIn = object({
  session: OwnSession,
  sessionUser: SessionUser,
  jwt: text({ description: 'A JWT for resource servers; valid for one minute' }),
  sessionToken: signedIn.sessionToken,
})

export const NewAuthenticator = object({
  secret: text({ description: 'Base32' }),
  uri: text({ description: 'The otpauth: URI to show as a QR code' }),
})

/** What reading an attempt returns: no step is taken, so nothing else comes with it. */
export const SignInState = object({
  signInAttempt: SignInAttempt,
  connections: optional(
    array(object({ id: text(), name: text() }), {
      description:
        "The connections of the organization that has verified the address's domain, if there are any: `enterprise` is then among the first factors. They say nothing about whether a user has the address",
    }),
  ),
  missingFields: optional(
    array(text(), {
      description:
        'Once the provider of an organization has sent a new user back: the attributes that the tenant requires, such as `attributes/company`. Send them in `attributes` with attempt-first-factor and the strategy `enterprise`',
    }),
  ),
})

export type SignInState = Static<typeof SignInState>

export const SignInAnswer = object({
  ...SignInState.properties,
  ...signedIn,
  authenticator: optional(NewAuthenticator),
  recoveryCodes: optional(
    array(text(), { description: 'With a second factor that was set up in this step; shown only this once' }),
  ),
})
export type SignInAnswer = Static<typeof SignInAnswer>
export const SignUpAnswer = object({
  signUpAttempt: SignUpAttempt,
  signInAttempt: optional(SignInAttempt),
  ...signedIn,
})
export type SignUpAnswer = Static<typeof SignUpAnswer>

const identifier = () => text({ minLength: 1, maxLength: 320, format: 'text', pattern: '\\S' })
/** A password to check. Any text is allowed, because a malformed one is simply wrong. */
const anyPassword = () => text({ minLength: 1, maxLength: 1024 })
const code = () => text({ minLength: 1, maxLength: 128 })
const redirectUri = () =>
  text({
    format: 'redirect-uri',
    maxLength: 2048,
    description:
      "The URL to which the browser returns in the end: one of the URLs in the tenant's sign-in rules (redirectUris, homeUri and the like), compared as a whole",
  })

/** Accepted wherever a password is proven, so that `password_change_required` is answered by the same request with one more property. */
const newPassword = () =>
  text({
    format: 'password',
    description:
      'The new password, if the present one must be changed, for example because an administrator has set it. Otherwise it is ignored',
  })

export const CreateSignIn = object({
  identifier: optional(identifier()),
  strategy: optional(oneOf(signInStrategies)),
  password: optional(anyPassword()),
  newPassword: optional(newPassword()),
  providerKey: optional(anyProviderKey()),
  connectionId: optional(
    plainId({ description: 'With `enterprise`: one of `connections`. Not needed if there is only one' }),
  ),
  redirectUri: optional(redirectUri()),
})
export type CreateSignIn = Static<typeof CreateSignIn>

export const CreateVerification = object({
  level: oneOf(verificationLevels, {
    description:
      '`recent`: the factors of a sign-in, within the last ten minutes or maxAgeSeconds. `second_factor`: a second factor, within this session or maxAgeSeconds.',
  }),
  maxAgeSeconds: optional(integer({ minimum: 0, maximum: 31_536_000 })),
  redirectUri: optional(redirectUri()),
})
export type CreateVerification = Static<typeof CreateVerification>

export const PrepareFactor = object({
  strategy: optional(oneOf(signInStrategies)),
  providerKey: optional(anyProviderKey()),
  connectionId: optional(
    plainId({ description: 'With `enterprise`: one of `connections`. Not needed if there is only one' }),
  ),
  redirectUri: optional(redirectUri()),
  identifier: optional(identifier()),
})
export type PrepareFactor = Static<typeof PrepareFactor>

export const AttemptFactor = object({
  strategy: optional(oneOf(signInStrategies)),
  identifier: optional(identifier()),
  code: optional(code()),
  password: optional(anyPassword()),
  newPassword: optional(newPassword()),
  trustDevice: optional(
    boolean({
      description:
        'With a second factor: do not ask for one on this device for as many days as the tenant allows. Ignored where it allows none',
    }),
  ),
  credential: optional(
    anyJson({ 'x-bytes-max': 16_384, description: 'The result of navigator.credentials.get(), as JSON' }),
  ),
  attributes: optional(attributeValues()),
})
export type AttemptFactor = Static<typeof AttemptFactor>

const signUpFields = {
  email: optional(text({ format: 'email' })),
  phone: optional(text({ format: 'phone', maxLength: 64 })),
  username: optional(text({ format: 'username' })),
  name: optional(personName()),
  password: optional(text({ format: 'password' })),
  attributes: optional(attributeValues()),
}

export const CreateSignUp = object({
  ...signUpFields,
  providerKey: optional(anyProviderKey()),
  redirectUri: optional(redirectUri()),
  invitationToken: optional(
    text({
      minLength: 1,
      maxLength: 128,
      description:
        'The token of an invitation to an organization or, at the console, to a tenant; accepted even if sign-up is off',
    }),
  ),
})
export type CreateSignUp = Static<typeof CreateSignUp>

export const UpdateSignUp = object(signUpFields)
export type UpdateSignUp = Static<typeof UpdateSignUp>

export const verificationStrategies = ['email_code', 'email_link', 'phone_code'] as const
export type VerificationStrategy = (typeof verificationStrategies)[number]

export const PrepareVerification = object({
  strategy: oneOf(verificationStrategies),
  redirectUri: optional(redirectUri()),
})
export type PrepareVerification = Static<typeof PrepareVerification>
/** With `oauth` an app sends the ticket that the browser brought back from a social provider. */
export const AttemptVerification = object({ strategy: oneOf([...verificationStrategies, 'oauth']), code: code() })
export type AttemptVerification = Static<typeof AttemptVerification>

export const PasswordReset = object({
  id: text(),
  status: oneOf(['needs_code', 'complete']),
  expiresAt: timestamp(),
})
export const CreatePasswordReset = object({ identifier: identifier() })
export const AttemptPasswordReset = object({ code: code(), password: text({ format: 'password' }) })

export const CreateOwnConnection = object({
  providerKey: anyProviderKey(),
  redirectUri: optional(redirectUri()),
  accessScopes: optional(
    providerScopes(
      'With this property the tenant keeps access to the account until the user withdraws it: with these scopes, of those in `tokenScopes` of the provider, and with those that it was allowed before. Ask the user first.',
    ),
  ),
})
export type CreateOwnConnection = Static<typeof CreateOwnConnection>
export const ConfirmOwnConnection = object({ code: code() })

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

export const ConfirmAuthenticatorCode = object({ code: code() })
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
