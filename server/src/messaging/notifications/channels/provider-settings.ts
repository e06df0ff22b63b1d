// A channel's settings for its provider; the secret ones are stored separately and sealed.
import {
  type ChannelProvider,
  type Issue,
  harmlessSettings,
  providerSettingsSchemas,
  secretSettings,
} from '@bailiwick/contract'
import type { Sealer } from '../../../platform/crypto/sealed.ts'
import { issuesOf } from '../../../platform/http/body/validate.ts'
import { keptSecretIssues } from '../../../platform/http/kept-secrets.ts'
import { fromJson, toJson } from '../../../platform/json-text.ts'
import type { ChannelRow } from '../channel-queries.ts'
import { channels } from '../tables.ts'

/** Shown in place of a secret. */
export const mask = '********'

type Settings = Readonly<Record<string, unknown>>
type SealedChannel = Pick<ChannelRow, 'tenant_id' | 'id' | 'provider' | 'settings' | 'sealed_secrets'>

const placeOf = (row: Pick<ChannelRow, 'tenant_id' | 'id'>) => channels.place('sealed_secrets', row)

const secretsOf = (sealer: Sealer, row: SealedChannel) =>
  JSON.parse(sealer.open(row.sealed_secrets, placeOf(row))) as Settings

export const maskedSettings = ({
  provider,
  settings,
  masked,
}: {
  provider: ChannelProvider
  settings: ChannelRow['settings']
  masked: readonly string[]
}) => ({
  ...fromJson(settings),
  ...Object.fromEntries(
    secretSettings(provider)
      .filter((name) => masked.includes(name))
      .map((name) => [name, mask]),
  ),
})

/** Returns the names of the secrets that are set. */
export const secretNames = (sealer: Sealer, row: SealedChannel) => Object.keys(secretsOf(sealer, row))

/** Returns all settings in the clear, for sending. */
export const openSettings = (sealer: Sealer, row: SealedChannel): Settings => ({
  ...fromJson(row.settings),
  ...secretsOf(sealer, row),
})

/** Returns an issue for every rule that the settings break, with paths below /providerSettings. */
export const settingsIssues = (provider: ChannelProvider, settings: Settings): Issue[] =>
  issuesOf(providerSettingsSchemas[provider], settings).map((issue) => ({
    ...issue,
    path: `/providerSettings${issue.path}`,
  }))

/** Replaces each masked secret by the stored one. */
export function unmasked(sealer: Sealer, before: SealedChannel, settings: Settings): Settings {
  const known = secretsOf(sealer, before)
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value === mask && name in known ? known[name] : value]),
  )
}

const pathOf = (name: string) => `/providerSettings/${name}`
const without = (settings: Settings, names: readonly string[]): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))

/** Returns the masked secrets for which there is no stored one. */
export const maskedNothing = (provider: ChannelProvider, settings: Settings): Issue[] =>
  secretSettings(provider)
    .filter((name) => settings[name] === mask)
    .map((name) => ({ path: pathOf(name), code: 'required', message: 'is required, because no value is stored' }))

/** Returns an issue for each masked secret that a change of other settings could cause to be sent elsewhere. */
export function keptIssues(before: SealedChannel, provider: ChannelProvider, settings: Settings): Issue[] {
  const secrets = secretSettings(provider)
  return keptSecretIssues({
    before: fromJson(before.settings),
    after: without(settings, secrets),
    harmless: harmlessSettings(provider),
    kept: secrets.filter((name) => settings[name] === mask).map(pathOf),
  })
}

/** Returns the settings in the form in which the row stores them. */
export function sealedSettings(
  sealer: Sealer,
  row: Pick<ChannelRow, 'tenant_id' | 'id'>,
  provider: ChannelProvider,
  settings: Settings,
) {
  const names = new Set(secretSettings(provider))
  const entries = Object.entries(settings)
  const secrets = Object.fromEntries(entries.filter(([name]) => names.has(name)))
  return {
    settings: toJson<Settings>(Object.fromEntries(entries.filter(([name]) => !names.has(name)))),
    sealed_secrets: sealer.seal(JSON.stringify(secrets), placeOf(row)),
  }
}
