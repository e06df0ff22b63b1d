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
      "Where the user's browser goes next with the code; without such an address the host of the client's own document",
  }),
  isTrusted: boolean({ description: 'Whether the tenant has registered it; false for a client that describes itself' }),
})

export const AskedScope = object({
  name: text(),
  description: nullableText({ description: 'null for the scopes of OpenID Connect, which the page names itself' }),
  resource: nullableText({ description: 'The name of the resource; null for a scope of OpenID Connect' }),
  isGranted: boolean({ description: "Whether the user has allowed it before, for the interaction's organizationId" }),
})

export const OAuthInteraction = object({
  uid: text(),
  prompt: oneOf(['login', 'consent']),
  application: ShownApplication,
  scopes: array(AskedScope),
  organizationId: nullableText({
    description:
      'The organization for which the application already acts, or otherwise the one that the session acts for; null if none',
  }),
  resources: array(object({ name: text(), indicator: text(), isGranted: boolean() }), {
    description: 'The resources without scopes that the application asks for; they are allowed as a whole',
  }),
  isOrganizationRequested: boolean({
    description: 'Whether the application asks for that organization, so that the user cannot choose another one',
  }),
  mustSignInAnew: boolean({
    description: 'Whether a session that is older than this interaction does not do, because of prompt or max_age',
  }),
  mustChooseAccount: boolean({
    description:
      'Whether the user chooses first, although signed in, between going on with this account and another one, because of prompt=select_account',
  }),
  isAnotherAccountWanted: boolean({
    description:
      'Whether the application asks for another account than the one that is signed in, by id_token_hint or claims',
  }),
  prefersSignUp: boolean({
    description:
      'Whether the application asks for a new account, because of prompt=create. An existing account will do, too.',
  }),
  maxAgeSeconds: nullableInteger(),
  acrValues: array(text()),
  loginHint: nullableText({ description: 'As the application gave it; never to be trusted' }),
  uiLocales: array(text()),
  isDevice: boolean({ description: 'Whether a device waits for it, to which the browser does not go back' }),
  expiresAt: timestamp(),
})
export type OAuthInteraction = Static<typeof OAuthInteraction>

export const Authorization = object({
  id: text(),
  application: ShownApplication,
  organizationId: nullableText(),
  scopes: array(text()),
  resources: array(object({ name: text(), indicator: text(), scopes: array(text()) })),
  createdAt: timestamp(),
  lastUsedAt: timestamp(),
})
export type Authorization = Static<typeof Authorization>
