// Events of what users sign in with, of their sign-ins and their sessions.
import {
  array,
  boolean,
  integer,
  nullableOneOf,
  nullableText,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../schema.ts'
import { signInStatuses, signInStrategies, signUpStatuses } from '../shapes/identity/attempt.ts'
import { anyProviderKey } from '../shapes/tenancy/custom-provider.ts'
import { event, nothing } from './event-definition.ts'

const userId = { userId: text() }
const factor = object({ ...userId, kind: oneOf(['authenticator_code', 'security_key']) })
const factorName = object({ name: nullableText() })
const connection = object({ ...userId, providerKey: anyProviderKey() })
const access = object({
  ...connection.properties,
  scopes: array(text(), { description: 'What the provider says that the user has allowed' }),
})
const connectionOwner = object({ email: nullableText() })
const userApiKey = object({
  userId: nullableText(),
  organizationId: nullableText(),
  scopes: array(text()),
  last4: text(),
  expiresAt: nullableText(),
})
const trusted = object({ ...userId, factor: text(), expiresAt: timestamp() })

export const factorEvents = {
  'authenticator.created': event({
    subject: 'authenticator',
    permission: 'users:read',
    sentence: 'A user added an authenticator app or a passkey.',
    data: factor,
    personal: factorName,
  }),
  'authenticator.updated': event({
    subject: 'authenticator',
    permission: 'users:read',
    sentence: 'A user renamed a passkey.',
    data: factor,
    personal: factorName,
  }),
  'authenticator.flagged': event({
    subject: 'authenticator',
    permission: 'users:read',
    sentence: 'A passkey was refused because its counter did not advance: a copy of it may exist.',
    data: factor,
    personal: factorName,
  }),
  'authenticator.deleted': event({
    subject: 'authenticator',
    permission: 'users:read',
    sentence: 'An authenticator app or a passkey was removed.',
    data: factor,
    personal: factorName,
  }),
  'trusted_device.created': event({
    subject: 'trusted_device',
    permission: 'users:read',
    sentence: 'A user asked not to be asked for a second factor on a device for some days.',
    data: trusted,
  }),
  'trusted_device.deleted': event({
    subject: 'trusted_device',
    permission: 'users:read',
    sentence: 'A device of a user is asked for a second factor again.',
    data: trusted,
  }),
  'user_api_key.created': event({
    subject: 'user_api_key',
    permission: 'users:read',
    sentence: 'An API key of a user or an organization was created.',
    data: userApiKey,
  }),
  'user_api_key.rotated': event({
    subject: 'user_api_key',
    permission: 'users:read',
    sentence: 'An API key of a user or an organization was replaced; the previous one has ended.',
    data: userApiKey,
  }),
  'user_api_key.deleted': event({
    subject: 'user_api_key',
    permission: 'users:read',
    sentence: 'An API key of a user or an organization was ended.',
    data: object({
      ...userApiKey.properties,
      reason: oneOf(['ended', 'leaked'], { description: 'leaked: it was reported' }),
      foundAt: nullableText({ description: 'Where a leaked key was found' }),
    }),
  }),
  'recovery_codes.created': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user got new recovery codes, which replace the previous ones.',
    data: object({ count: integer() }),
  }),
  'recovery_codes.used': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user signed in with a recovery code.',
    data: object({ left: integer({ description: 'How many codes are left' }) }),
  }),
  'recovery_codes.deleted': event({
    subject: 'user',
    permission: 'users:read',
    sentence: "The tenant removed a user's recovery codes.",
    data: nothing(),
  }),
  'social_connection.created': event({
    subject: 'social_connection',
    permission: 'users:read',
    sentence: "A user's account at a social provider was connected.",
    data: connection,
    personal: connectionOwner,
  }),
  'social_connection.deleted': event({
    subject: 'social_connection',
    permission: 'users:read',
    sentence: "A user's account at a social provider was disconnected.",
    data: connection,
    personal: connectionOwner,
  }),
  'social_connection.access_granted': event({
    subject: 'social_connection',
    permission: 'users:read',
    sentence: 'A user let the tenant keep access to an account at a social provider.',
    data: access,
  }),
  'social_connection.access_used': event({
    subject: 'social_connection',
    permission: 'users:read',
    sentence: "A server got a token for a user's account at a social provider. Written at most once an hour.",
    data: access,
  }),
  'social_connection.access_lapsed': event({
    subject: 'social_connection',
    permission: 'users:read',
    sentence: 'A social provider no longer accepts the access that a user allowed: the user must agree again.',
    data: access,
  }),
  'social_connection.access_removed': event({
    subject: 'social_connection',
    permission: 'users:read',
    sentence: "Access to a user's account at a social provider was withdrawn.",
    data: access,
  }),
}

export const signInEvents = {
  'session.created': event({
    subject: 'session',
    permission: 'users:read',
    sentence: "A session began: the user's own, or one that impersonates the user.",
    data: object({ ...userId, expiresAt: timestamp(), isImpersonation: boolean() }),
    personal: object({
      browser: nullableText(),
      os: nullableText(),
      reason: optional(text({ description: 'The reason for the impersonation' })),
    }),
  }),
  'session.updated': event({
    subject: 'session',
    permission: 'users:read',
    sentence: 'A session changed the organization for which it acts.',
    data: object({ ...userId, organizationId: nullableText() }),
  }),
  'session.proof_renewed': event({
    subject: 'session',
    permission: 'users:read',
    sentence: 'The user of a session proved once more who it is.',
    data: object({ ...userId, hasSecondFactor: boolean({ description: 'Whether a second factor was proven' }) }),
  }),
  'session.revoked': event({
    subject: 'session',
    permission: 'users:read',
    sentence: 'A session was ended.',
    data: object(userId),
  }),
  'sign_in_attempt.created': event({
    subject: 'sign_in_attempt',
    permission: 'users:read',
    sentence: 'An attempt to sign in began.',
    data: nothing(),
  }),
  'sign_in_attempt.completed': event({
    subject: 'sign_in_attempt',
    permission: 'users:read',
    sentence: 'A user signed in.',
    data: object({
      ...userId,
      firstFactor: nullableOneOf(signInStrategies),
      secondFactor: nullableOneOf(signInStrategies),
    }),
  }),
  'sign_in_attempt.failed': event({
    subject: 'sign_in_attempt',
    permission: 'users:read',
    sentence: 'A password, a code or another factor was wrong.',
    data: object({
      strategy: oneOf(signInStrategies),
      userId: nullableText({ description: 'The user with this identifier, if there is one' }),
    }),
  }),
  'sign_in_attempt.deleted': event({
    subject: 'sign_in_attempt',
    permission: 'users:read',
    sentence: 'An attempt to sign in was deleted.',
    data: object({ userId: nullableText(), status: oneOf(signInStatuses) }),
  }),
  'sign_up_attempt.created': event({
    subject: 'sign_up_attempt',
    permission: 'users:read',
    sentence: 'An attempt to sign up began.',
    data: nothing(),
  }),
  'sign_up_attempt.completed': event({
    subject: 'sign_up_attempt',
    permission: 'users:read',
    sentence: 'A new user signed up.',
    data: object(userId),
  }),
  'sign_up_attempt.deleted': event({
    subject: 'sign_up_attempt',
    permission: 'users:read',
    sentence: 'An attempt to sign up was deleted.',
    data: object({ userId: nullableText(), status: oneOf(signUpStatuses) }),
  }),
}
