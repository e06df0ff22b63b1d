// A social provider, as the files in providers/ describe one, and what it says of who signs in.
import type { ProviderKey } from '@bailiwick/contract'
import type * as openid from 'openid-client'
import type { SocialProviderId } from '../../platform/ids.ts'

/** What one sign-in needs to know of a tenant's provider. */
export interface ProviderSettings {
  readonly tenantId: string
  readonly id: SocialProviderId
  readonly key: ProviderKey
  readonly clientId: string
  /** Of Apple the private key that makes the secret. */
  readonly clientSecret: string
  readonly teamId: string | undefined
  readonly keyId: string | undefined
  /** Where the provider is, when it is not in its usual place. */
  readonly baseUrl: string | undefined
  readonly scopes: readonly string[]
  /** Whether what the provider says of addresses is believed. */
  readonly isTrusted: boolean
}

/** What a provider says of a user. */
export interface ProviderUser {
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
}

/** A provider's user, as connections name it: by issuer and subject, never by the address. */
export interface Identity extends ProviderUser {
  readonly providerId: SocialProviderId
  readonly providerKey: ProviderKey
  readonly issuer: string
}

/** What has come back from a provider, for reading the user of it. */
export interface Granted {
  readonly accessToken: string
  /** Of the ID token, whose signature and nonce are checked; undefined where the provider gives none. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
  /** What the browser brought along beside the code; not signed by anybody. */
  readonly parameters: URLSearchParams
  /** An answer of the provider's interface, as JSON. */
  readonly get: (url: string) => Promise<unknown>
  /** The claims of the userinfo endpoint, for the subject of the ID token. */
  readonly userInfo: () => Promise<Readonly<Record<string, unknown>>>
}

export interface Provider {
  readonly key: ProviderKey
  /** Where it is, unless its settings say otherwise. */
  readonly baseUrl: string
  readonly scopes: readonly string[]
  /** Of a provider that describes itself nowhere; others are asked. */
  readonly metadata?: (settings: ProviderSettings) => openid.ServerMetadata
  readonly parameters?: Readonly<Record<string, string>>
  /** Makes the client's secret anew for each request; undefined: it stands in the settings. */
  readonly makeSecret?: (settings: ProviderSettings, issuer: string, nowMs: number) => Promise<string>
  /** Undefined: the answer names nobody. */
  readonly readUser: (granted: Granted, settings: ProviderSettings) => Promise<ProviderUser | undefined>
}
