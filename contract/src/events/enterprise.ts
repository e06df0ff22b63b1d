// Events of connections of organizations, and of the people who arrive by them.
import { array, boolean, integer, nullableOneOf, nullableText, object, oneOf, text } from '../schema.ts'
import { connectionRefusals } from '../shapes/enterprise/connection-refusal.ts'
import { samlRefusalReasons } from '../shapes/enterprise/saml-refusal.ts'
import { setupSteps } from '../shapes/enterprise/setup-link.ts'
import { event, record } from './event-definition.ts'

const permission = 'organizations:read'
const subject = 'connection'
const organizationId = { organizationId: text() }
const before = { before: record('The changed properties of the connection, without its secret') }
const after = { after: before.before }
const secretChanged = { secretChanged: boolean() }

const setupLink = { ...organizationId, steps: array(oneOf(setupSteps)) }

export const enterpriseEvents = {
  'connection.created': event({
    subject,
    permission,
    sentence: 'An organization was connected with an identity provider.',
    data: object({ ...organizationId, ...after, ...secretChanged }),
  }),
  'connection.updated': event({
    subject,
    permission,
    sentence: 'The connection of an organization was changed.',
    data: object({ ...organizationId, ...before, ...after, ...secretChanged }),
  }),
  'connection.activated': event({
    subject,
    permission,
    sentence: 'The connection of an organization was switched on, so that its users sign in with it.',
    data: object({ ...organizationId, ...before, ...after, ...secretChanged }),
  }),
  'connection.certificate_expiring': event({
    subject,
    permission,
    sentence: "The last certificate of an organization's SAML provider ends in 30, 7 or 1 days.",
    data: object({ ...organizationId, expiresAt: text(), days: integer() }),
  }),
  'connection.deleted': event({
    subject,
    permission,
    sentence: 'The connection of an organization was removed.',
    data: object({ ...organizationId, ...before }),
  }),
  'connection.tested': event({
    subject,
    permission,
    sentence: 'The connection of an organization was tested.',
    data: object({
      ...organizationId,
      state: oneOf(['passed', 'failed'] as const),
      problem: nullableText(),
      refusal: nullableOneOf(connectionRefusals),
    }),
  }),
  'connection.user_signed_out': event({
    subject,
    permission,
    sentence: 'The provider of an organization has signed a user out.',
    data: object({
      ...organizationId,
      userId: text(),
      sessions: integer({ description: 'How many sessions were ended' }),
      everywhere: boolean({
        description:
          'Whether the account is the organization’s own; otherwise only what acted for the organization was ended',
      }),
    }),
  }),
  'connection.values_refused': event({
    subject,
    permission,
    sentence: 'Values that the provider or the directory of an organization has sent of a user were not used.',
    data: object({
      ...organizationId,
      userId: text(),
      values: array(
        object({
          source: text({ description: 'The claim, or the attribute of the directory' }),
          attribute: nullableText({
            description: 'The key of the attribute; null for claims that tokens would contain',
          }),
          code: text({ description: 'The rule that the value breaks, such as invalid_type or too_large' }),
        }),
      ),
    }),
  }),
  'connection.assertion_redeemed': event({
    subject,
    permission,
    sentence: 'An application got an access token for a user by an assertion of the provider of an organization.',
    data: object({
      ...organizationId,
      userId: text(),
      applicationId: text(),
      resource: text({ description: 'The indicator of the resource' }),
      scopes: array(text()),
    }),
  }),
  'connection.sign_in_refused': event({
    subject,
    permission,
    sentence: 'A person whom the provider of an organization had identified was refused.',
    data: object({
      ...organizationId,
      reason: oneOf([...connectionRefusals, ...samlRefusalReasons]),
      domain: nullableText(),
    }),
  }),
  'connection.identity_deleted': event({
    subject,
    permission: 'users:read',
    sentence: 'Who a user is at the connection of an organization was forgotten.',
    data: object({ ...organizationId, userId: text() }),
  }),
  'member.provisioned': event({
    subject: 'organization_membership',
    permission,
    sentence: 'A connection of an organization made a user a member or changed the role of the member.',
    data: object({
      ...organizationId,
      connectionId: text(),
      userId: text(),
      roleId: nullableText(),
      created: array(oneOf(['user', 'membership'] as const)),
    }),
  }),
  'setup_link.created': event({
    subject: 'setup_link',
    permission,
    sentence: 'A link was created with which an administrator of an organization sets up its connection.',
    data: object({ ...setupLink, expiresAt: text() }),
  }),
  'setup_link.opened': event({
    subject: 'setup_link',
    permission,
    sentence: 'A set-up link was opened with a code from its mailbox.',
    data: object(setupLink),
  }),
  'setup_link.finished': event({
    subject: 'setup_link',
    permission,
    sentence: 'A connection was switched on with a set-up link.',
    data: object({ ...organizationId, connectionId: text() }),
  }),
  'setup_link.deleted': event({
    subject: 'setup_link',
    permission,
    sentence: 'A set-up link was revoked.',
    data: object(setupLink),
  }),
}
