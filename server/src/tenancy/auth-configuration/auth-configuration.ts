// A tenant's authentication configuration: one document, every change of it a version.
import {
  type Issue,
  type SettingsDifference,
  type TenantAuthSettings,
  type UpdateTenantAuth,
  defaultTenantAuthSettings,
  tenantAuthSettings,
} from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { DocumentBasis } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantDefaults } from '../tenants/tenant-defaults.ts'
import type { TenantEntry } from '../tenants/tenant-directory.ts'
import { getTenant } from '../tenants/tenants.ts'
import {
  type Versioned,
  changedSettings,
  differencesBetween,
  insertFirstVersion,
  writeVersion,
} from '../tenants/versions.ts'
import * as queries from './queries.ts'
import { parseSettings } from './read-settings.ts'
import { type StrategyFacts, lockoutIssues } from './usable-strategies.ts'
import { fromJson } from '../../platform/json-text.ts'

type Setting = keyof TenantAuthSettings

/** The settings that two documents have differently. */
export const differences = (from: TenantAuthSettings, to: TenantAuthSettings) =>
  differencesBetween(from, to) as (SettingsDifference & { readonly setting: Setting })[]

function channelFacts({ config }: Pick<Deps, 'config'>, auth: TenantAuthSettings) {
  // The development deployment's inbox takes every message.
  const hasInbox = config.env === 'development'
  return {
    hasEmailChannel: hasInbox || auth.emailChannelId !== null || config.smtpUrl !== undefined,
    hasSmsChannel: hasInbox || auth.smsChannelId !== null,
  }
}

/** What a tenant has to sign people in with, beside its settings; read as the caller's transaction sees it. */
export const strategyFacts = async (
  deps: Pick<Deps, 'config'>,
  db: Reader,
  tenantId: TenantId,
  auth: TenantAuthSettings,
): Promise<StrategyFacts> => ({
  ...channelFacts(deps, auth),
  hasSocialProvider: (await queries.selectUsableSocialProvider(db, tenantId)) !== undefined,
})

/** The same of a tenant in use. */
export const strategyFactsOf = (
  deps: Pick<Deps, 'config'>,
  { auth, hasSocialProvider }: TenantEntry,
): StrategyFacts => ({ ...channelFacts(deps, auth), hasSocialProvider })

/** The kind of message that a setting is about. */
const messageTypeOf = (setting: Setting) => (/sms/i.test(setting) ? 'sms' : 'email')

/** References of a document to what is not this tenant's, or is of another kind. */
async function referenceIssues(db: Reader, tenantId: TenantId, changed: readonly Setting[], after: TenantAuthSettings) {
  const issues: Issue[] = []
  for (const setting of changed) {
    const id = after[setting]
    if (tenantAuthSettings[setting].kind !== 'reference' || typeof id !== 'string') continue
    const select = setting.endsWith('ChannelId') ? queries.selectChannelType : queries.selectTemplateType
    const found = await select(db, tenantId, id)
    if (found?.type !== messageTypeOf(setting)) {
      issues.push({ path: `/${setting}`, code: 'unknown_reference', message: 'is nothing of the kind in this tenant' })
    }
  }
  return issues
}

/** Why a change is refused; empty where it is not. */
export async function changeIssues(
  deps: Pick<Deps, 'config'>,
  db: Reader,
  tenantId: TenantId,
  before: TenantAuthSettings,
  after: TenantAuthSettings,
): Promise<Issue[]> {
  const changed = differences(before, after).map(({ setting }) => setting)
  return [
    ...(await referenceIssues(db, tenantId, changed, after)),
    ...lockoutIssues(before, after, await strategyFacts(deps, db, tenantId, after)),
  ]
}

/** The authentication configuration as a document of versions. */
export const authVersions: Versioned<TenantAuthSettings> = {
  table: 'auth_configurations',
  eventOf: (change) => ({ type: 'auth_configuration.updated', data: changedSettings(change) }),
  numberOf: (tenant) => tenant.auth_version,
  parse: parseSettings,
  // A setting that did not exist at the time stays as it is.
  restored: (before, document) => ({ ...before, ...fromJson(document) }),
  settingsOf: (document) => document,
  point: queries.updateTenantAuthVersion,
  issuesOf: changeIssues,
}

/** The first version of a new tenant's configuration. */
export function firstVersion(
  tenantId: TenantId,
  settings: Partial<TenantAuthSettings>,
  actor: Pick<Actor, 'type' | 'id'>,
  at: Timestamp,
): TenantDefaults {
  const document = { ...defaultTenantAuthSettings(), ...settings }
  return { statements: [insertFirstVersion(authVersions, tenantId, document, actor, at)], counts: {} }
}

/**
 * Changes the settings that are given. A change of nothing makes no version.
 * @throws ApiError not_found; validation_failed with every reason, also when nobody could sign in any more.
 */
export async function updateAuthConfiguration(
  deps: Deps,
  tenantId: TenantId,
  input: UpdateTenantAuth,
  actor: Actor,
  basis?: DocumentBasis,
): Promise<TenantEntry> {
  const { row, auth } = await getTenant(deps, tenantId)
  const { signUpEnabled = auth.signUpEnabled } = input
  if (row.kind === 'console' && signUpEnabled !== auth.signUpEnabled) {
    throw invalid('/signUpEnabled', 'set_by_deployment', 'is decided for the console by BAILIWICK_CONSOLE_SIGN_UP')
  }
  return writeVersion(deps, authVersions, tenantId, actor, (before) => ({ ...before, ...input }), basis)
}
