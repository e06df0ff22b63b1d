// What users are shown of applications that ask for access, or have it.
import type { Static } from 'typebox'
import { array, boolean, nullableInteger, nullableText, object, oneOf, text, timestamp } from '../schema.ts'

/** An application as the user is shown it. */
export const ShownApplication = object({
  clientId: text(),
  name: text(),
  type: oneOf(['web', 'spa', 'native', 'machine', 'device']),
  logoUri: nullableText(),
  termsUri: nullableText(),
  policyUri: nullableText(),
  host: nullableText({
    description:
      "The host to which the browser returns with the code; without a redirect URL the host of the client's metadata document",
  }),
  isTrusted: boolean({
    description: 'Whether the tenant has registered the application; false for a client with a metadata document',
  }),
})

export const AskedScope = object({
  name: text(),
  description: nullableText({
    description: 'null for the scopes of OpenID Connect, for which the page has its own texts',
  }),
  resource: nullableText({ description: 'The name of the resource; null for a scope of OpenID Connect' }),
  isGranted: boolean({
    description: 'Whether the user has allowed the scope before, for the organization in organizationId',
  }),
})

export const OAuthInteraction = object({
  uid: text(),
  prompt: oneOf(['login', 'consent']),
  application: ShownApplication,
  scopes: array(AskedScope),
  organizationId: nullableText({
    description:
      'The organization for which the application already acts, otherwise the one for which the session acts; null if there is none',
  }),
  resources: array(object({ name: text(), indicator: text(), isGranted: boolean() }), {
    description: 'The requested resources that have no scopes; they are allowed as a whole',
  }),
  isOrganizationRequested: boolean({
    description: 'Whether the application requests this organization, so that the user cannot choose another one',
  }),
  mustSignInAnew: boolean({
    description: 'Whether the user must sign in again because of prompt or max_age, even with a session',
  }),
  mustChooseAccount: boolean({
    description:
      'Whether the signed-in user must first choose between this account and another one, because of prompt=select_account',
  }),
  isAnotherAccountWanted: boolean({
    description:
      'Whether the application requests a different account than the signed-in one, by id_token_hint or claims',
  }),
  prefersSignUp: boolean({
    description:
      'Whether the application requests a new account, because of prompt=create. The user can still use an existing account.',
  }),
  maxAgeSeconds: nullableInteger(),
  acrValues: array(text()),
  loginHint: nullableText({ description: 'The value that the application sent; do not trust it' }),
  uiLocales: array(text()),
  isDevice: boolean({ description: 'Whether a device waits for the result, so that the browser is not redirected' }),
  expiresAt: timestamp(),
})
export type OAuthInteraction = Static<typeof OAuthInteraction>

export const Authorization = object({
  id: text(),
  application: ShownApplication,
  organizationId: nullableText(),
  isAgent: boolean({
    description:
      'Whether it may act without the user, because the identity provider of the organization allows it (ID-JAG)',
  }),
  scopes: array(text()),
  resources: array(object({ name: text(), indicator: text(), scopes: array(text()) })),
  createdAt: timestamp(),
  lastUsedAt: timestamp(),
})
export type Authorization = Static<typeof Authorization>
