// What the tenant says of a SAML provider, made into stored settings. Whatever takes time or calls somebody happens before the transaction.
import type { CreateConnection, SamlConnection, SamlConnectionInput, SamlSettings } from '@bailiwick/contract'
import { type Timestamp, fromMs } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { invalid } from '../../platform/http/api-error.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { acsUrl, ownEntityId, ownSloUrl } from '../saml/addresses.ts'
import { certificateFacts, pemFrom } from '../saml/keys/certificates.ts'
import type { ConnectionRow } from './queries.ts'

const dayMs = 24 * 60 * 60_000
/** How long before its last certificate ends a connection announces it. */
const noticeDays = [30, 7, 1] as const

/** What connections from before it was known have. */
const later = { sloUrl: null, sloResponseUrl: null, singleLogout: null, idpInitiated: false }

export const samlSettings = ({ settings }: Pick<ConnectionRow, 'settings'>): Required<SamlSettings> => ({
  ...later,
  ...(fromJson(settings) as SamlSettings),
})

/** Whether signing out on one side does so on the other. */
export const hasSingleLogout = ({ sloUrl, singleLogout }: Required<SamlSettings>) =>
  sloUrl !== null && singleLogout !== false

/** Returns what a test has proved: who the provider is and what it is asked for. */
export function testedSettings(row: Pick<ConnectionRow, 'settings' | 'type'>): string {
  if (row.type !== 'saml') return row.settings
  const { sloUrl: _, sloResponseUrl: __, singleLogout: ___, idpInitiated: ____, ...tested } = samlSettings(row)
  return JSON.stringify(tested)
}

/** What input says of the provider, with metadata read and certificates checked. */
export type ResolvedSaml = Partial<Omit<Required<SamlSettings>, 'attributes' | 'ownCertificate'>> &
  Pick<SamlConnectionInput, 'attributes'>

/** @throws ApiError validation_failed */
function assertOneSource({ metadataXml, metadataUri, entityId, ssoUrl, certificates, sloUrl }: SamlConnectionInput) {
  const isByAddress = typeof metadataUri === 'string'
  const isByHand = [entityId, ssoUrl, certificates, sloUrl].some((each) => each !== undefined)
  const field = metadataXml === undefined ? '/saml/metadataUri' : '/saml/metadataXml'
  if ((metadataXml !== undefined || isByAddress) && isByHand)
    throw invalid(
      field,
      'metadata_alone',
      'cannot be sent together with entityId, ssoUrl, sloUrl and certificates, which it sets',
    )
  if (metadataXml !== undefined && isByAddress)
    throw invalid('/saml/metadataUri', 'metadata_alone', 'cannot be sent together with metadataXml')
}

/**
 * Reads the metadata that the input contains or names, and checks its certificates.
 * @throws ApiError validation_failed
 */
export async function resolveSaml(deps: Deps, tenantId: string, input: SamlConnectionInput): Promise<ResolvedSaml> {
  assertOneSource(input)
  const { metadataXml, metadataUri, certificates, ...rest } = input
  const { certificateValues, providerFromMetadata } = await import('../saml/provider/provider-settings.ts')
  const isByMetadata = metadataXml !== undefined || typeof metadataUri === 'string'
  const provider = isByMetadata ? await providerFromMetadata(deps, tenantId, metadataXml, metadataUri ?? undefined) : {}
  // What was pasted or entered replaces what was read from an address.
  const isFromElsewhere = metadataXml !== undefined || certificates !== undefined
  return {
    ...rest,
    ...(certificates === undefined ? {} : { certificates: certificateValues(certificates) }),
    ...(rest.sloUrl === undefined ? {} : { sloResponseUrl: null }),
    ...provider,
    ...(metadataUri === undefined && isFromElsewhere ? { metadataUri: null } : {}),
    ...(metadataUri === undefined ? {} : { metadataUri }),
  }
}

/** What a new SAML connection begins with: its own key, and what is known of the provider already. */
export interface NewSaml {
  readonly settings: SamlSettings
  /** PKCS #8 as PEM. */
  readonly privateKey: string
}

export async function newSaml(deps: Deps, tenantId: string, input: CreateConnection): Promise<NewSaml | undefined> {
  if (input.type !== 'saml') return undefined
  const { newConnectionKey } = await import('../saml/keys/connection-key.ts')
  const now = new Date(deps.clock.nowMs())
  const { privateKey, certificate } = await newConnectionKey(new URL(deps.config.baseUrl).hostname, now)
  const nothing: Required<SamlSettings> = {
    entityId: null,
    ssoUrl: null,
    certificates: [],
    metadataUri: null,
    nameIdFormat: null,
    attributes: { email: null, name: null, givenName: null, familyName: null, groups: null },
    wantEncrypted: false,
    ...later,
    ownCertificate: certificate,
  }
  const settings = merged(nothing, await resolveSaml(deps, tenantId, input.saml ?? {}))
  assertLogout(settings)
  return { settings, privateKey }
}

/** @throws ApiError validation_failed */
function assertLogout({ sloUrl, singleLogout }: Required<SamlSettings>) {
  if (singleLogout === true && sloUrl === null)
    throw invalid('/saml/singleLogout', 'needs_slo_url', 'cannot be true as long as sloUrl is not known')
}

const merged = (before: Required<SamlSettings>, { attributes, ...after }: ResolvedSaml): Required<SamlSettings> => ({
  ...before,
  ...after,
  attributes: { ...before.attributes, ...attributes },
})

const lastExpiry = ({ certificates }: SamlSettings) =>
  Math.max(...certificates.map((value) => certificateFacts(value).expiresAt.getTime()))

/** Returns the next time at which the end of the last certificate is announced; null if there is none. */
export function nextNotice(settings: SamlSettings, nowMs: number): Timestamp | null {
  const end = lastExpiry(settings)
  const next = noticeDays.map((days) => end - days * dayMs).find((at) => at > nowMs)
  return next === undefined || settings.certificates.length === 0 ? null : fromMs(next)
}

/** Returns when the last certificate ends, and in how many days. */
export function certificateEnd(settings: SamlSettings, nowMs: number) {
  const end = lastExpiry(settings)
  return { expiresAt: fromMs(end), days: Math.max(0, Math.ceil((end - nowMs) / dayMs)) }
}

/**
 * Returns the row with what was sent put into it.
 * @param isUsed whether somebody has signed in, whose name id another provider could give to somebody else.
 * @throws ApiError validation_failed for another entity id of a connection in use.
 */
export function withSamlSettings(
  { clock }: Pick<Deps, 'clock'>,
  row: ConnectionRow,
  resolved: ResolvedSaml,
  isUsed: boolean,
): ConnectionRow {
  const before = samlSettings(row)
  const after = merged(before, resolved)
  if (isUsed && after.entityId !== before.entityId)
    throw invalid(
      '/saml/entityId',
      'connection_in_use',
      'cannot change once somebody has signed in, because another provider gives the same name id to others; add another connection',
    )
  // Whoever asks for it learns that it is not possible; metadata that no longer offer it just end it.
  if (resolved.singleLogout !== undefined) assertLogout(after)
  return { ...row, settings: toJson(after), certificate_notice_at: nextNotice(after, clock.nowMs()) }
}

/** Without the private key, which leaves the service by no answer. */
export function presentSaml(config: Pick<Config, 'baseUrl'>, row: ConnectionRow): SamlConnection {
  const all = samlSettings(row)
  const { certificates, ownCertificate, sloResponseUrl: _, ...settings } = all
  return {
    ...settings,
    singleLogout: hasSingleLogout(all),
    certificates: certificates.map((value) => {
      const { fingerprint, expiresAt } = certificateFacts(value)
      return { fingerprint, expiresAt: fromMs(expiresAt.getTime()) }
    }),
    ownEntityId: ownEntityId(config, row),
    acsUrl: acsUrl(config, row),
    ownSloUrl: ownSloUrl(config, row),
    ownCertificate: pemFrom(ownCertificate),
  }
}
