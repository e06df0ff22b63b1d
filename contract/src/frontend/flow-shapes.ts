// What the steps of flows take and answer: signing in and up, resetting a password, connecting an account at a provider.
import type { Static } from 'typebox'
import { anyJson, array, boolean, integer, object, oneOf, optional, plainId, text, timestamp } from '../schema.ts'
import { SignInAttempt, SignUpAttempt, signInStrategies, verificationLevels } from '../shapes/identity/attempt.ts'
import { personName } from '../shapes/identity/user.ts'
import { attributeValues } from '../shapes/tenancy/attributes.ts'
import { anyProviderKey } from '../shapes/tenancy/custom-provider.ts'
import { providerScopes } from '../shapes/tenancy/token-settings.ts'
import { OwnSession, SessionUser } from './shapes.ts'

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

export const ConfirmAuthenticatorCode = object({ code: code() })
