// Events of applications, the resources that they call, and what users allow them.
import {
  array,
  boolean,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
} from '../schema.ts'
import { change, event, record, texts } from './event-definition.ts'

const application = {
  clientId: text(),
  name: text(),
  type: text({ description: 'web, spa, native, machine or device' }),
  redirectUris: texts(),
  grantTypes: texts(),
}
const fields = () => record('The names of the fields that changed')
const secret = { secretId: text(), last4: text({ description: "The secret's last four characters" }) }
const resource = {
  indicator: text(),
  name: text(),
  scopes: texts(),
  accessTokenFormat: nullableText(),
  accessTokenTtl: nullableInteger({ description: 'In seconds' }),
}
const grant = {
  userId: text(),
  applicationId: text(),
  organizationId: nullableText(),
  scopes: texts(),
  resources: array(object({ indicator: text(), scopes: texts() })),
  claims: array(text(), { description: 'Single claims that were allowed outside of scopes' }),
}
const issued = {
  userId: nullableText({ description: 'null is the application itself' }),
  organizationId: nullableText(),
  scopes: texts(),
  resource: nullableText({ description: 'The indicator of the resource for which the access token is valid' }),
}

export const applicationEvents = {
  'application.created': event({
    subject: 'application',
    permission: 'config:read',
    sentence: 'An application was registered.',
    data: object({ after: object(application) }),
  }),
  'application.updated': event({
    subject: 'application',
    permission: 'config:read',
    sentence: 'An application was changed.',
    data: object({ before: fields(), after: fields() }),
  }),
  'application.deleted': event({
    subject: 'application',
    permission: 'config:read',
    sentence: 'An application was deleted with its secrets, grants and tokens.',
    data: object({ before: object(application) }),
  }),
  'application.secret_rotated': event({
    subject: 'application',
    permission: 'config:read',
    sentence: 'An application got a new secret.',
    data: object({
      ...secret,
      previousUntil: nullableTimestamp({ description: 'Until when the previous secret also works' }),
    }),
  }),
  'application.secret_deleted': event({
    subject: 'application',
    permission: 'config:read',
    sentence: 'A secret of an application was deleted.',
    data: object(secret),
  }),
  'application.token_issued': event({
    subject: 'application',
    permission: 'users:read',
    sentence: 'An application got an access token.',
    data: object({ grantType: text(), ...issued }),
  }),
  'application.token_revoked': event({
    subject: 'application',
    permission: 'users:read',
    sentence: 'A token of an application was revoked.',
    data: object({ userId: nullableText(), kind: oneOf(['access_token', 'refresh_token']) }),
  }),
  'application.token_reused': event({
    subject: 'application',
    permission: 'users:read',
    sentence:
      'An authorization code or refresh token was used a second time, which ends all tokens of that authorization.',
    data: object({ userId: nullableText(), kind: oneOf(['authorization_code', 'refresh_token', 'device_code']) }),
  }),
  'application.logout_delivered': event({
    subject: 'application',
    permission: 'users:read',
    sentence: "An application was notified that a user's session has ended.",
    data: object({ userId: text(), sessionId: text(), attempts: integer() }),
  }),
  'application.logout_failed': event({
    subject: 'application',
    permission: 'users:read',
    sentence: "An application could not be notified that a user's session has ended; no further attempt is made.",
    data: object({ userId: text(), sessionId: text(), error: text() }),
  }),
  'resource.created': event({
    subject: 'resource',
    permission: 'config:read',
    sentence: 'A resource for applications to call was created.',
    data: object({ after: object(resource) }),
  }),
  'resource.updated': event({
    subject: 'resource',
    permission: 'config:read',
    sentence: 'A resource was changed.',
    data: object(change(resource)),
  }),
  'resource.deleted': event({
    subject: 'resource',
    permission: 'config:read',
    sentence: 'A resource was deleted.',
    data: object({ before: object(resource) }),
  }),
  'grant.created': event({
    subject: 'grant',
    permission: 'users:read',
    sentence: 'A user gave an application access, or a trusted application signed the user in for the first time.',
    data: object({ ...grant, isConsented: boolean({ description: 'Whether the user was asked' }) }),
  }),
  'grant.updated': event({
    subject: 'grant',
    permission: 'users:read',
    sentence: 'A user changed what an application has access to.',
    data: object({ ...change(grant), isConsented: boolean() }),
  }),
  'grant.deleted': event({
    subject: 'grant',
    permission: 'users:read',
    sentence: "An application's access to a user's account was withdrawn, which ends its tokens.",
    data: object({ before: object(grant) }),
  }),
  'oauth_settings.updated': event({
    subject: 'tenant',
    permission: 'config:read',
    sentence: "The settings of a tenant's authorization server were changed.",
    data: object({ before: fields(), after: fields(), initialAccessTokenRotated: optional(boolean()) }),
  }),
}
