/**
 * What each key or token begins with, so that people and scanners of secrets recognise it, and one kind is never taken for another. No two
 * kinds share a prefix.
 */
export const tokenPrefixes = {
  secretKey: 'sk_',
  publicKey: 'pk_',
  operatorKey: 'op_',
  apiKey: 'ak_',
  /** Of users and organizations, unless the tenant chooses another prefix. */
  userApiKey: 'uk_',
  session: 'se_',
  /** A sign-up, sign-in or password reset under way. */
  flow: 'fl_',
  device: 'dv_',
  signInLink: 'vl_',
  organizationInvitation: 'oi_',
  tenantInvitation: 'ti_',
  /** With which somebody whom the tenant has approved signs up. */
  waitlistInvitation: 'wi_',
  /** Opens the pages on which the administrator of an organization sets up its connection. */
  setupLink: 'sl_',
  /** With which whoever reads a security notice says that it was somebody else. */
  securityNotice: 'sn_',
  upload: 'up_',
  webhookSecret: 'whsec_',
  applicationSecret: 'as_',
  /** With which clients register themselves (RFC 7591). */
  initialAccess: 'ri_',
  /** With which a client that has registered itself manages its registration (RFC 7592). */
  registrationAccess: 'ra_',
  /** Brings a user from an application's request to the page that answers it, and back. */
  interactionTicket: 'in_',
  /** With which the directory of an organization provisions its members. */
  scim: 'scim_',
  /** What a sign-in at a social provider carries there and back. */
  providerState: 'os_',
  providerNonce: 'on_',
  /** With which an app picks up the result of a sign-in at a social provider. */
  providerTicket: 'ot_',
} as const
export type TokenKind = keyof typeof tokenPrefixes

/** How long a prefix can be that a tenant chooses for the API keys of its users. */
export const keyPrefixLengthMax = 24

export const keyPrefixRule = `must be 2 to ${keyPrefixLengthMax} lower-case letters, digits and underscores, begin with a letter, end in an underscore, and not begin like other keys and tokens, such as sk_`

const keyPrefixShape = /^[a-z][a-z0-9_]{0,22}_$/

/** Returns whether keys of users can begin with it: nobody may take one kind of secret for another. */
export const isKeyPrefix = (text: string): boolean =>
  keyPrefixShape.test(text) &&
  Object.values(tokenPrefixes).every((prefix) => prefix === tokenPrefixes.userApiKey || !text.startsWith(prefix))
