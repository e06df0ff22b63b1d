import type { Static } from 'typebox'
import { claimBytesMax, claimTokens, claimTypes, missingClaimRules } from '../../formats/claim-name.ts'
import { anyJson, array, boolean, id, integer, nullableId, object, oneOf, optional, text } from '../../schema.ts'

/** One claim, and what it is made from. */
export const TokenClaim = object({
  claim: text({ format: 'claim-name', description: 'The name of the claim' }),
  in: array(oneOf(claimTokens), { minItems: 1, uniqueItems: true, description: 'Where the claim appears' }),
  source: text({
    format: 'claim-source',
    description: 'What the value is taken from, such as user.publicMeta.plan; `constant` takes it from `value`',
  }),
  value: optional(
    anyJson({
      'x-bytes-max': 1024,
      description: 'The value of a constant: text, a number, true, false or a list of them',
    }),
  ),
  as: optional(
    oneOf(claimTypes, { description: 'The type of the claim. A value that cannot be converted counts as missing' }),
  ),
  ifMissing: optional(
    oneOf(missingClaimRules, { description: 'What becomes of the claim without a value. Default: omit' }),
  ),
  applicationId: optional(nullableId({ description: 'The only application whose tokens have the claim' })),
  audience: optional(
    text({
      minLength: 1,
      maxLength: 500,
      description: 'The indicator of the only resource whose access tokens have it',
    }),
  ),
  scope: optional(
    text({
      pattern: '^[!#-\\[\\]-~]{1,128}$',
      maxLength: 128,
      description: 'The scope that the application must request and the user must allow',
    }),
  ),
  exposePrivate: optional(
    boolean({
      description: 'Must be true for a source in privateMeta, because browsers and applications can read tokens',
    }),
  ),
})
export type TokenClaim = Static<typeof TokenClaim>

/** A scope of the tenant's own, to which claims are bound. */
export const ClaimScope = object({
  name: text({ pattern: '^[!#-\\[\\]-~]{1,128}$', maxLength: 128 }),
  description: text({
    minLength: 1,
    maxLength: 200,
    format: 'plain-line',
    description: 'What the consent page says, such as “see your plan”',
  }),
})

const document = {
  claims: array(TokenClaim, { maxItems: 50 }),
  scopes: array(ClaimScope, { maxItems: 20 }),
}

/** The claims of a tenant. A change replaces all of them. */
export const UpdateTenantClaims = object({ claims: document.claims, scopes: optional(document.scopes) })
export type UpdateTenantClaims = Static<typeof UpdateTenantClaims>

/** The claims as they are stored. */
export type ClaimsDocument = Required<UpdateTenantClaims>

/** The claims of a tenant, with the number of their version. */
export const TenantClaims = object({
  ...document,
  version: integer({ description: '0 until the claims are changed for the first time' }),
})
export type TenantClaims = Static<typeof TenantClaims>

/** For whom tokens are previewed. */
export const PreviewClaims = object({
  userId: id(),
  organizationId: optional(nullableId({ description: 'The organization that the user acts for' })),
  applicationId: optional(nullableId({ description: 'The application that gets the tokens, with all scopes' })),
  audience: optional(text({ minLength: 1, maxLength: 500, description: 'The resource that the access token is for' })),
  claims: optional(document.claims),
  scopes: optional(document.scopes),
})
export type PreviewClaims = Static<typeof PreviewClaims>

const previewed = () =>
  object({
    payload: anyJson({ description: 'All claims, as they would be signed or answered now' }),
    bytes: integer({ description: 'The length of the token, with header and signature' }),
    claimBytes: integer({ description: `The size of the claims of the tenant; at most ${claimBytesMax}` }),
    isTooLarge: boolean({
      description: 'Whether the token is issued without the claims of the tenant, because they are too large',
    }),
  })

/** What the tokens of a user would contain. */
export const ClaimsPreview = object({
  session: previewed(),
  id: previewed(),
  access: previewed(),
  userinfo: previewed(),
})
export type ClaimsPreview = Static<typeof ClaimsPreview>
