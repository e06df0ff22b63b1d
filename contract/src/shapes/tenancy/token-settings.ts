// What a provider of either kind is set up with so that users can let the tenant act for them there.
import { array, boolean, optional, text } from '../../schema.ts'

/** Scopes of a provider (RFC 6749 section 3.3), in requests. */
export const providerScopes = (description: string) =>
  array(text({ pattern: '^[!#-\\[\\]-~]{1,256}$' }), { maxItems: 20, description })

/** The settings in requests. */
export const tokenSettings = {
  keepTokens: optional(
    boolean({
      description:
        'Whether users can let your servers act for them at the provider. Its tokens are then kept, encrypted, once a user has agreed. Off by default.',
    }),
  ),
  tokenScopes: optional(
    providerScopes('The scopes that users can allow your servers, beside those of sign-in. None by default.'),
  ),
}

/** The settings in answers. */
export const presentedTokenSettings = { keepTokens: boolean(), tokenScopes: array(text()) }
