// A link with which an organization's own administrator sets up its connection, without an account at the console.
import type { Static } from 'typebox'
import { array, integer, nullableTimestamp, object, oneOf, optional, text, timestamp } from '../../schema.ts'

export const setupSteps = ['domain', 'sso', 'scim'] as const
export type SetupStep = (typeof setupSteps)[number]

const daySeconds = 24 * 60 * 60

/** A link with which an administrator of an organization sets up its connection. */
export const SetupLink = object({
  id: text(),
  tenantId: text(),
  organizationId: text(),
  email: text({ description: 'The mailbox that gets a code whenever the link is opened' }),
  steps: array(oneOf(setupSteps)),
  openedAt: nullableTimestamp({ description: 'When somebody first entered the code from the mailbox' }),
  finishedAt: nullableTimestamp({ description: 'When a connection was last switched on with the link' }),
  expiresAt: timestamp(),
  createdAt: timestamp(),
})
export type SetupLink = Static<typeof SetupLink>

/** A new set-up link with its address, which no other answer contains. */
export const NewSetupLink = object({
  ...SetupLink.properties,
  uri: text({ description: 'The address of the link, which is returned only here' }),
})
export type NewSetupLink = Static<typeof NewSetupLink>

/** For whom a set-up link is, what it allows, and for how long. */
export const CreateSetupLink = object({
  email: text({ format: 'email', description: "The address of the customer's administrator" }),
  steps: optional(
    array(oneOf(setupSteps), {
      minItems: 1,
      maxItems: setupSteps.length,
      description:
        'What the administrator can do: prove a domain (domain), set up single sign-on (sso), set up provisioning (scim). Default: all',
    }),
  ),
  expiresInSeconds: optional(
    integer({ minimum: 300, maximum: 7 * daySeconds, description: 'Default: 604800, which is seven days' }),
  ),
})
export type CreateSetupLink = Static<typeof CreateSetupLink>
