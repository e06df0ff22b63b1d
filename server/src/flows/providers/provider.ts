// A social provider, as the files in providers/ describe one, and what it says about a user.
import type { AnyProviderKey, ClaimMapping } from '@bailiwick/contract'
import type * as openid from 'openid-client'
import type { AssertedPerson } from '../../enterprise/connections/asserted-person.ts'
import type { ConnectionRow } from '../../enterprise/connections/find-connection.ts'
import type { SamlName } from '../../enterprise/saml/sign-ins.ts'
import type { GrantedTokens } from '../../identity/provider-tokens/provider-tokens.ts'
import type { ConnectionId, SocialProviderId } from '../../platform/ids.ts'

/** What one sign-in needs to know about a tenant's provider. */
export interface ProviderSettings {
  readonly tenantId: string
  /** The provider, or the connection of an organization. */
  readonly id: SocialProviderId | ConnectionId
  readonly key: AnyProviderKey
  readonly clientId: string
  /** For Apple: the private key that signs the secret. Empty for a public client of a custom provider. */
  readonly clientSecret: string
  readonly teamId: string | undefined
  readonly keyId: string | undefined
  /** The provider's address, if it is not the usual one. */
  readonly baseUrl: string | undefined
  readonly scopes: readonly string[]
  /** Whether the provider's claims about addresses are trusted. */
  readonly isTrusted: boolean
  /** The claims of a custom provider that say what; undefined for all others. */
  readonly claims?: ClaimMapping
}

/** What a provider says about a user. */
export interface ProviderUser {
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
}

/** A provider's user, as connections name it: by issuer and subject, never by the address. */
export interface Identity extends ProviderUser {
  readonly providerId: SocialProviderId
  readonly providerKey: AnyProviderKey
  readonly issuer: string
  /** What the tenant keeps, if the user has allowed it access. */
  readonly tokens?: GrantedTokens
}

/** A person whom the connection of an organization has identified, with what the connection was like at that moment. */
export interface VerifiedPerson {
  readonly connection: Pick<ConnectionRow, 'tenant_id' | 'id' | 'organization_id' | 'settings' | 'second_factor'>
  readonly person: AssertedPerson
  /** What a SAML provider calls the person, for signing out. */
  readonly saml?: SamlName
}

/** What a provider has returned, from which the user is read. */
export interface Granted {
  readonly tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers
  /** The claims of the ID token, whose signature and nonce are checked; undefined if the provider sends none. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
  /** What the browser brought along beside the code; nobody has signed it. */
  readonly parameters: URLSearchParams
  /** An answer of the provider's interface, as JSON. */
  readonly get: (url: string) => Promise<unknown>
  /** The claims of the userinfo endpoint, for the subject of the ID token. */
  readonly userInfo: () => Promise<Readonly<Record<string, unknown>>>
}

export interface RevocationRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Provider {
  /** Its address, unless the settings name another. */
  readonly baseUrl: string
  readonly scopes: readonly string[]
  /** The endpoints of a provider without published metadata; for others the metadata is fetched. */
  readonly metadata?: (settings: ProviderSettings) => openid.ServerMetadata
  readonly parameters?: Readonly<Record<string, string>>
  /** What a request for access that is kept needs so that the provider sends a refresh token. */
  readonly accessParameters?: Readonly<Record<string, string>>
  /** The request that revokes a token, if the provider has no endpoint of RFC 7009. */
  readonly revocation?: (settings: ProviderSettings, accessToken: string) => RevocationRequest
  /** Makes the client's secret for each request; undefined if it is in the settings. */
  readonly makeSecret?: (settings: ProviderSettings, issuer: string, nowMs: number) => Promise<string>
  /** Returns undefined if the answer names nobody. */
  readonly readUser: (granted: Granted, settings: ProviderSettings) => Promise<ProviderUser | undefined>
}
