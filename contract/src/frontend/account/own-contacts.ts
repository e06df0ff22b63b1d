// The same six operations for e-mail addresses and for phone numbers.
import { object, shortListQuery, text } from '../../schema.ts'
import { sampleProfile } from '../examples.ts'
import { frontendEndpoint, listExample, listOf, upgradeErrorCodes } from '../frontend-endpoint.ts'
import { OwnEmail, OwnPhone, idParams } from '../shapes.ts'

const [sampleEmail] = sampleProfile.emails
const { email: _, ...sampleContact } = sampleEmail ?? { email: undefined }
const samplePhone = { ...sampleContact, phone: '+4915112345678', primary: false, verifiedAt: null }
const params = { id: String(sampleEmail?.id) }

const emails = {
  tag: 'Own e-mail addresses',
  session: 'required',
  data: object({ email: OwnEmail, emailAddress: OwnEmail }),
} as const
const phones = {
  tag: 'Own phone numbers',
  session: 'required',
  data: object({ phone: OwnPhone, phoneNumber: OwnPhone }),
} as const
const changeErrors = ['reauthentication_required'] as const
const proofErrors = ['factor_refused', 'too_many_attempts', 'contact_limit_reached'] as const
const codeBody = object({ code: text({ minLength: 1, maxLength: 128 }) })
const code = '314159'
/** The record stands there twice, because clients differ on its name. */
const emailExample = { response: { email: sampleEmail, emailAddress: sampleEmail } }
const phoneExample = { response: { phone: samplePhone, phoneNumber: samplePhone } }

const addDescription =
  'It belongs to the user once it is verified; otherwise it is removed after a day. The response is the same if another user has it. ' +
  'Needs a session that began at most ten minutes ago, and a verified address or number if the user has any.'

export const listOwnEmails = frontendEndpoint({
  ...emails,
  id: 'listOwnEmails',
  method: 'GET',
  path: '/user/emails',
  summary: "List the user's e-mail addresses, including unverified ones",
  description:
    'Lists the oldest first. `verifiedAt` is null for an unverified address; `primary` marks the one to which messages are sent.',
  query: shortListQuery,
  data: listOf('emails', OwnEmail),
  errors: [],
  example: { response: listExample('emails', sampleEmail) },
})

export const createOwnEmail = frontendEndpoint({
  ...emails,
  id: 'createOwnEmail',
  method: 'POST',
  path: '/user/emails',
  summary: 'Add an address, which must then be verified',
  description: addDescription,
  body: object({ email: text({ format: 'email' }) }),
  errors: [...changeErrors, 'contact_limit_reached', 'contact_unverified'],
  example: { body: { email: sampleEmail?.email }, ...emailExample },
})

export const deleteOwnEmail = frontendEndpoint({
  ...emails,
  id: 'deleteOwnEmail',
  method: 'DELETE',
  path: '/user/emails/{id}',
  summary: 'Remove an address',
  description:
    "Needs a session that began at most ten minutes ago. Refused with `last_contact` for the last one that the tenant requires or the user needs to sign in. The user's other addresses are notified.",
  params: idParams,
  errors: [...changeErrors, 'last_contact', 'managed_by_directory'],
  example: { params, ...emailExample },
})

export const prepareOwnEmail = frontendEndpoint({
  ...emails,
  id: 'prepareOwnEmail',
  method: 'POST',
  path: '/user/emails/{id}/prepare',
  summary: 'Send the code that verifies an address',
  description: 'Each code replaces the previous one. Nothing is sent to an address that is already verified.',
  params: idParams,
  errors: ['strategy_unavailable', 'too_many_attempts'],
  example: { params, ...emailExample },
})

export const verifyOwnEmail = frontendEndpoint({
  ...emails,
  id: 'verifyOwnEmail',
  method: 'POST',
  path: '/user/emails/{id}/verify',
  summary: 'Verify an address, which then belongs to the user',
  description:
    'The address keeps its id. Only this operation returns `email_taken`, because the caller has proved to read the address.',
  params: idParams,
  body: codeBody,
  errors: [...proofErrors, ...upgradeErrorCodes, 'email_taken'],
  example: { params, body: { code }, ...emailExample },
})

export const makeOwnEmailPrimary = frontendEndpoint({
  ...emails,
  id: 'makeOwnEmailPrimary',
  method: 'POST',
  path: '/user/emails/{id}/primary',
  summary: 'Make a verified address the primary one',
  description:
    'Messages to the user are sent to the primary address. Needs a session that began at most ten minutes ago; both addresses are notified.',
  params: idParams,
  errors: [...changeErrors, 'contact_unverified', 'managed_by_directory'],
  example: { params, ...emailExample },
})

export const listOwnPhones = frontendEndpoint({
  ...phones,
  id: 'listOwnPhones',
  method: 'GET',
  path: '/user/phones',
  summary: "List the user's phone numbers, including unverified ones",
  description:
    'Lists the oldest first. `verifiedAt` is null for an unverified number; `primary` marks the one to which text messages are sent.',
  query: shortListQuery,
  data: listOf('phones', OwnPhone),
  errors: [],
  example: { response: listExample('phones', samplePhone) },
})

export const createOwnPhone = frontendEndpoint({
  ...phones,
  id: 'createOwnPhone',
  method: 'POST',
  path: '/user/phones',
  summary: 'Add a number, which must then be verified',
  description: addDescription,
  body: object({ phone: text({ format: 'phone', maxLength: 64 }) }),
  errors: [...changeErrors, 'contact_limit_reached', 'contact_unverified'],
  example: { body: { phone: samplePhone.phone }, ...phoneExample },
})

export const deleteOwnPhone = frontendEndpoint({
  ...phones,
  id: 'deleteOwnPhone',
  method: 'DELETE',
  path: '/user/phones/{id}',
  summary: 'Remove a number',
  description:
    'Needs a session that began at most ten minutes ago. Refused with `last_contact` for the last one that the tenant requires or the user needs to sign in.',
  params: idParams,
  errors: [...changeErrors, 'last_contact'],
  example: { params, ...phoneExample },
})

export const prepareOwnPhone = frontendEndpoint({
  ...phones,
  id: 'prepareOwnPhone',
  method: 'POST',
  path: '/user/phones/{id}/prepare',
  summary: 'Send the code that verifies a number',
  description: 'Each code replaces the previous one. Nothing is sent to a number that is already verified.',
  params: idParams,
  errors: ['strategy_unavailable', 'too_many_attempts'],
  example: { params, ...phoneExample },
})

export const verifyOwnPhone = frontendEndpoint({
  ...phones,
  id: 'verifyOwnPhone',
  method: 'POST',
  path: '/user/phones/{id}/verify',
  summary: 'Verify a number, which then belongs to the user',
  description:
    'The number keeps its id. Only this operation returns `phone_taken`, because the caller has proved to read its messages.',
  params: idParams,
  body: codeBody,
  errors: [...proofErrors, ...upgradeErrorCodes, 'phone_taken'],
  example: { params, body: { code }, ...phoneExample },
})

export const makeOwnPhonePrimary = frontendEndpoint({
  ...phones,
  id: 'makeOwnPhonePrimary',
  method: 'POST',
  path: '/user/phones/{id}/primary',
  summary: 'Make a verified number the primary one',
  description:
    'Text messages to the user are sent to the primary number. Needs a session that began at most ten minutes ago.',
  params: idParams,
  errors: [...changeErrors, 'contact_unverified'],
  example: { params, ...phoneExample },
})
