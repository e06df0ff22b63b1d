// Whether a connection works: what its provider says of itself, and of a person who signs in for a test.
import type { Static } from 'typebox'
import {
  anyJson,
  array,
  integer,
  nullable,
  nullableOneOf,
  nullableText,
  object,
  oneOf,
  text,
  timestamp,
} from '../../schema.ts'
import { customProviderProblems } from '../tenancy/custom-provider.ts'
import { connectionRefusals } from './connection-refusal.ts'

/** What the provider of a connection says of itself. */
export const ConnectionCheck = object({
  problem: nullableOneOf([...customProviderProblems, 'no_keys'] as const, {
    description: 'null if users can sign in with the provider',
  }),
  reason: nullableText({ description: 'The problem as a sentence' }),
  authorizationEndpoint: nullableText(),
  keys: integer({ description: 'How many keys the provider publishes for its signatures' }),
  callbackUri: text({ description: 'The callback URL to register at the provider' }),
})
export type ConnectionCheck = Static<typeof ConnectionCheck>

/** Where the browser of a test goes. */
export const BegunConnectionTest = object({
  authorizeUri: nullableText({
    description:
      'Open it in a browser, and sign in at the provider. null: the provider cannot be used, as the report says',
  }),
  expiresAt: timestamp(),
})
export type BegunConnectionTest = Static<typeof BegunConnectionTest>

export const connectionTestStates = ['open', 'passed', 'failed'] as const

/** What the provider said, and what a sign-in would have done. Nothing of it was done. */
export const ConnectionTestReport = object({
  problem: nullableText({ description: 'Why the test has failed; null if it has not' }),
  subject: nullableText(),
  email: nullableText(),
  name: nullableText(),
  givenName: nullableText(),
  familyName: nullableText(),
  claims: anyJson({ description: 'The claims that rules can compare' }),
  attributes: array(
    object({
      attribute: text({ description: 'Its key' }),
      source: text({ description: 'The claim' }),
      value: anyJson({ description: 'What would be written; null if nothing would be' }),
      problem: nullableText({ description: 'Why the value cannot be used; null if it can' }),
    }),
    { description: 'What the mappings make of the claims, for users whom the connection makes' },
  ),
  refusal: nullableOneOf(connectionRefusals, { description: 'Why this person could not sign in; null if they could' }),
  user: nullableOneOf(['known', 'linked', 'created'] as const, {
    description:
      'known: has signed in before. linked: the user with this address would be connected. created: a user would be made',
  }),
  userId: nullableText(),
  membership: nullableOneOf(['existing', 'created'] as const),
  roleId: nullableText({ description: 'The role that the member would have' }),
})
export type ConnectionTestReport = Static<typeof ConnectionTestReport>

/** The last test of a connection. */
export const ConnectionTest = object({
  connectionId: text(),
  state: oneOf(connectionTestStates),
  report: nullable(ConnectionTestReport),
  createdAt: timestamp(),
  expiresAt: timestamp({ description: 'When the report is removed' }),
})
export type ConnectionTest = Static<typeof ConnectionTest>

/** Who can sign in only with a connection once it is required. */
export const ConnectionPreview = object({
  members: integer({ description: 'The members of the organization who were looked at: the newest 10,000' }),
  bound: integer({ description: 'How many of them have an address of the verified domains and no other way in' }),
  neverConnected: integer({ description: 'How many of those have never signed in with the connection' }),
  neverConnectedUserIds: array(text(), { description: 'The first twenty of those' }),
})
export type ConnectionPreview = Static<typeof ConnectionPreview>
