// Events of users, their addresses and the lists that bring them.
import type { TOptional } from 'typebox'
import { array, boolean, integer, nullableText, object, oneOf, optional, text, timestamp } from '../schema.ts'
import { importJobStates } from '../shapes/identity/user-transfer.ts'
import { userStatuses } from '../shapes/identity/user.ts'
import { change, event, nothing, roleId } from './event-definition.ts'
import { factorEvents, signInEvents } from './sign-in.ts'

const status = change({ status: oneOf(userStatuses) })
const userId = { userId: text() }
const aboutPerson = ['name', 'username', 'imageUri', 'firstName', 'lastName', 'timezone', 'locale'] as const
const changeable = [...aboutPerson, 'roleId', 'roleExpiresAt', 'publicMeta', 'privateMeta'] as const
const role = object({
  ...roleId,
  roleExpiresAt: optional(nullableText({ description: 'When the role ends. Missing in events of earlier versions' })),
})
const changedNames = () => {
  const names = Object.fromEntries(aboutPerson.map((name) => [name, optional(nullableText())]))
  return object(names as Record<(typeof aboutPerson)[number], TOptional<ReturnType<typeof nullableText>>>)
}
const verified = object({
  ...userId,
  verifiedAt: optional(timestamp({ description: 'Present if the tenant marked it as verified' })),
  isPasswordRemoved: optional(
    boolean({ description: 'Whether a password was removed that had been set before any address was verified' }),
  ),
  isConnectionRemoved: optional(
    boolean({
      description:
        'Whether accounts at social providers were removed that had been connected before any address was verified',
    }),
  ),
})
const madePrimary = object({ ...userId, before: nullableText({ description: 'The id of the previous primary one' }) })
const removedContact = object({
  ...userId,
  primaryBefore: optional(text({ description: 'The id of the removed one, if it was the primary one' })),
  primaryAfter: optional(nullableText({ description: 'The id of the new primary one' })),
})
const addedContact = object({ ...userId, primary: boolean() })
const email = object({ email: text() })
const phone = object({ phone: text() })

const importCounts = { lines: integer(), created: integer(), exists: integer(), error: integer() }

const importEvents = {
  'import_job.created': event({
    subject: 'import_job',
    permission: 'users:read',
    sentence: 'An import of users in the background began.',
    data: object({ lines: integer() }),
  }),
  'import_job.completed': event({
    subject: 'import_job',
    permission: 'users:read',
    sentence: 'An import of users in the background reached its last line.',
    data: object(importCounts),
  }),
  'import_job.failed': event({
    subject: 'import_job',
    permission: 'users:read',
    sentence: 'An import of users in the background was given up before its last line.',
    data: object(importCounts),
  }),
  'import_job.deleted': event({
    subject: 'import_job',
    permission: 'users:read',
    sentence: 'An import of users in the background was cancelled, or its results were removed.',
    data: object({ ...importCounts, state: oneOf(importJobStates) }),
  }),
}

const userEvents = {
  'user.created': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user was created, by the tenant or by signing up.',
    data: object({
      ...roleId,
      hasPassword: boolean(),
      status: optional(oneOf(userStatuses, { description: 'Present if the user is not active' })),
      isAnonymous: optional(boolean({ description: 'Present if the user has not signed up yet' })),
    }),
    personal: object({
      name: nullableText(),
      username: nullableText(),
      email: nullableText(),
      phone: nullableText(),
    }),
  }),
  'user.upgraded': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'An anonymous user signed up, or got a way to sign in, and keeps its id.',
    data: object({ ...roleId, hasPassword: boolean() }),
    personal: object({
      name: nullableText(),
      username: nullableText(),
      email: nullableText(),
      phone: nullableText(),
    }),
  }),
  'user.merge_suggested': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user signed in from the session of an anonymous user, whose data may be merged.',
    data: object({ anonymousUserId: text() }),
  }),
  'user.updated': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'The record of a user was changed.',
    data: object({
      changed: array(oneOf(changeable), {
        description: 'The names of the fields that changed',
      }),
      before: optional(role),
      after: optional(role),
    }),
    personal: object({ before: changedNames(), after: changedNames() }),
  }),
  'user.role_expired': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'The role of a user in the tenant has expired.',
    data: object(roleId),
  }),
  'user.suspended': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user was suspended, which ends all sessions.',
    data: object(status),
  }),
  'user.unsuspended': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A suspended user was made active again.',
    data: object(status),
  }),
  'user.deactivated': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user was made inactive, which ends all sessions.',
    data: object(status),
  }),
  'user.activated': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'An inactive user was made active.',
    data: object(status),
  }),
  'user.unlocked': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user who had been locked out by wrong guesses was unlocked.',
    data: nothing(),
  }),
  'user.password_change_required': event({
    subject: 'user',
    permission: 'users:read',
    sentence:
      'An administrator has ended the sessions of a user, who has to choose a new password at the next sign-in.',
    data: object({}),
  }),
  'user.password_changed': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'The password of a user was set or replaced.',
    data: object({
      mustChange: boolean({ description: 'Whether the user must choose another one at the next sign-in' }),
      isReset: optional(boolean({ description: 'Whether it was replaced because it had been forgotten' })),
    }),
  }),
  'user.password_migrated': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A hook confirmed the password of a user of the former system; its hash is stored here from now on.',
    data: nothing(),
  }),
  'user.password_removed': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user removed their password.',
    data: nothing(),
  }),
  'user.password_change_refused': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A signed-in user entered a wrong current password when changing it.',
    data: nothing(),
  }),
  'user.unproven_access_ended': event({
    subject: 'user',
    permission: 'users:read',
    sentence:
      'The owner of an e-mail address or phone number took over an account, and everything that another user had set up in it was removed.',
    data: object({
      hadPassword: boolean(),
      authenticators: integer(),
      connections: integer(),
      contacts: integer(),
      sessions: integer(),
    }),
  }),
  'user.secured': event({
    subject: 'user',
    permission: 'users:read',
    sentence:
      'A user reported by the link of a security notice that somebody else used the account, and access to it was ended.',
    data: object({
      notice: text(),
      hadPassword: boolean(),
      authenticators: integer(),
      connections: integer(),
      contacts: integer(),
      grants: integer(),
      sessions: integer(),
    }),
  }),
  'user.deleted': event({
    subject: 'user',
    permission: 'users:read',
    sentence: 'A user was erased with everything that belongs to it.',
    data: object({ ...roleId, status: oneOf(userStatuses), organizationMemberships: integer() }),
  }),
}

const contactEvents = {
  'email.addition_requested': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: 'A signed-in user asked to add an e-mail address, which has to be verified first.',
    data: object(userId),
    personal: email,
  }),
  'email.addition_withdrawn': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: 'A user removed an e-mail address that was not verified yet.',
    data: object(userId),
  }),
  'email.created': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: 'A user got an e-mail address.',
    data: addedContact,
    personal: email,
  }),
  'email.updated': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: 'An e-mail address was changed and has to be verified again.',
    data: object(userId),
    personal: object({ before: email, after: email }),
  }),
  'email.verification_completed': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: 'An e-mail address was verified.',
    data: verified,
    personal: email,
  }),
  'email.made_primary': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: "An e-mail address became its user's primary one.",
    data: madePrimary,
    personal: email,
  }),
  'email.deleted': event({
    subject: 'email_address',
    permission: 'users:read',
    sentence: 'An e-mail address was removed from its user.',
    data: removedContact,
    personal: email,
  }),
  'phone.addition_requested': event({
    subject: 'phone_number',
    permission: 'users:read',
    sentence: 'A signed-in user asked to add a phone number, which has to be verified first.',
    data: object(userId),
    personal: phone,
  }),
  'phone.addition_withdrawn': event({
    subject: 'phone_number',
    permission: 'users:read',
    sentence: 'A user removed a phone number that was not verified yet.',
    data: object(userId),
  }),
  'phone.created': event({
    subject: 'phone_number',
    permission: 'users:read',
    sentence: 'A user got a phone number.',
    data: addedContact,
    personal: phone,
  }),
  'phone.verification_completed': event({
    subject: 'phone_number',
    permission: 'users:read',
    sentence: 'A phone number was verified.',
    data: verified,
    personal: phone,
  }),
  'phone.made_primary': event({
    subject: 'phone_number',
    permission: 'users:read',
    sentence: "A phone number became its user's primary one.",
    data: madePrimary,
    personal: phone,
  }),
  'phone.deleted': event({
    subject: 'phone_number',
    permission: 'users:read',
    sentence: 'A phone number was removed from its user.',
    data: removedContact,
    personal: phone,
  }),
}

const waitlistEvents = {
  'waitlist_entry.created': event({
    subject: 'waitlist_entry',
    permission: 'users:read',
    sentence: 'Somebody left an address on the waiting list.',
    data: nothing(),
  }),
  'waitlist_entry.repeated': event({
    subject: 'waitlist_entry',
    permission: 'users:read',
    sentence: 'Somebody left an address on the waiting list that was on it before.',
    data: nothing(),
  }),
  'waitlist_entry.approved': event({
    subject: 'waitlist_entry',
    permission: 'users:read',
    sentence: 'An address on the waiting list was approved, and got an invitation to sign up.',
    data: object({ expiresAt: timestamp() }),
  }),
  'waitlist_entry.declined': event({
    subject: 'waitlist_entry',
    permission: 'users:read',
    sentence: 'An address on the waiting list was declined.',
    data: nothing(),
  }),
  'waitlist_entry.deleted': event({
    subject: 'waitlist_entry',
    permission: 'users:read',
    sentence: 'An address was removed from the waiting list.',
    data: nothing(),
  }),
  'waitlist_entry.signed_up': event({
    subject: 'waitlist_entry',
    permission: 'users:read',
    sentence: 'Somebody from the waiting list signed up.',
    data: object(userId),
  }),
}

export const peopleEvents = {
  ...userEvents,
  ...waitlistEvents,
  ...importEvents,
  ...contactEvents,
  ...factorEvents,
  ...signInEvents,
}
