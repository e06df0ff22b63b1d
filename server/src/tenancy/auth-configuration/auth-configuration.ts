// A tenant's authentication configuration: one document, of which every change is stored as a version.
import {
  type Issue,
  type SettingsDifference,
  type TenantAuthSettings,
  type UpdateTenantAuth,
  defaultTenantAuthSettings,
  domainKey,
  eventRetentionDaysMax,
  parseCursor,
  passkeyLabel,
  passkeyLabelsMax,
  tenantAuthSettings,
} from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantDefaults } from '../../platform/feature.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { DocumentBasis } from '../../platform/http/change-basis.ts'
import { assertMayChangeUsers } from '../../platform/http/credentials/authorize.ts'
import type { Actor, Caller, Principal } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { hasSecondFactors, secondFactorSettings, secondFactorStrategies } from '../tenants/second-factor-settings.ts'
import type { TenantEntry } from '../tenants/tenant-entry.ts'
import { getTenant } from '../tenants/tenants.ts'
import {
  type Versioned,
  changedSettings,
  differencesBetween,
  insertFirstVersion,
  writeVersion,
} from '../tenants/versions/versions.ts'
import { isInTestMode, isTenantInTestMode } from '../test-mode/test-mode.ts'
import * as queries from './queries.ts'
import { parseSettings } from './read-settings.ts'
import { type StrategyFacts, lockoutIssues } from './usable-strategies.ts'

type Setting = keyof TenantAuthSettings

/** Returns the settings in which two documents differ. */
export const differences = (from: TenantAuthSettings, to: TenantAuthSettings) =>
  differencesBetween(from, to) as (SettingsDifference & { readonly setting: Setting })[]

/** @param isTested whether the tenant is in test mode. */
function channelFacts({ config }: Pick<Deps, 'config'>, auth: TenantAuthSettings, isTested: boolean) {
  // The inbox accepts every message.
  const hasInbox = config.env === 'development' || isTested
  return {
    hasEmailChannel: hasInbox || auth.emailChannelId !== null || config.smtpUrl !== undefined,
    hasSmsChannel: hasInbox || auth.smsChannelId !== null,
  }
}

/** Returns what a tenant has for signing people in besides its settings, as the caller's transaction sees it. */
export const strategyFacts = async (
  deps: Pick<Deps, 'config'>,
  db: Reader,
  tenantId: TenantId,
  auth: TenantAuthSettings,
): Promise<StrategyFacts> => ({
  ...channelFacts(deps, auth, await isTenantInTestMode({ config: deps.config, db }, tenantId)),
  hasSocialProvider: (await queries.selectUsableSocialProvider(db, tenantId)) !== undefined,
})

/** Does the same for a tenant in use. */
export const strategyFactsOf = (
  deps: Pick<Deps, 'config'>,
  { auth, hasSocialProvider, row }: TenantEntry,
): StrategyFacts => ({ ...channelFacts(deps, auth, isInTestMode(deps.config, row)), hasSocialProvider })

/** The kind of message that a setting refers to. */
const messageTypeOf = (setting: Setting) => (/sms/i.test(setting) ? 'sms' : 'email')

/** Finds references of a document to records that do not belong to this tenant, or are of another kind. */
async function referenceIssues(db: Reader, tenantId: TenantId, changed: readonly Setting[], after: TenantAuthSettings) {
  const issues: Issue[] = []
  for (const setting of changed) {
    const id = after[setting]
    if (tenantAuthSettings[setting].kind !== 'reference' || typeof id !== 'string') continue
    const select = setting.endsWith('ChannelId') ? queries.selectChannelType : queries.selectTemplateType
    const found = await select(db, tenantId, id)
    if (found?.type !== messageTypeOf(setting)) {
      issues.push({
        path: `/${setting}`,
        code: 'unknown_reference',
        message: 'does not exist in this tenant',
      })
    }
  }
  return issues
}

/** The last second factor stays on while a rule requires one. */
async function factorRuleIssues(db: Reader, tenantId: TenantId, before: TenantAuthSettings, after: TenantAuthSettings) {
  if (hasSecondFactors(after) || !hasSecondFactors(before)) return []
  const rule = await queries.selectFactorRule(db, tenantId)
  if (rule === undefined) return []
  const path = `/${secondFactorStrategies.map((name) => secondFactorSettings[name]).find((name) => before[name]) ?? ''}`
  return [{ path, code: 'unusable', message: `the ${rule.kind} ${rule.name} requires a second factor` }]
}

/** Browsers ignore the domains after the fifth name, so none of them may be beyond it. */
function passkeyDomainIssues(changed: readonly Setting[], { passkeyDomains }: TenantAuthSettings): Issue[] {
  if (!changed.includes('passkeyDomains')) return []
  const names = [...new Set(passkeyDomains.map((domain) => passkeyLabel(domainKey(domain))))]
  if (names.length <= passkeyLabelsMax) return []
  const rule = `browsers accept at most ${passkeyLabelsMax} names, but these domains have ${names.length}`
  return [{ path: '/passkeyDomains', code: 'too_many_names', message: `${rule}: ${names.join(', ')}` }]
}

/** A waiting list is for a sign-up that is closed: with both on, nobody could join it, and nobody would know why. */
function waitlistIssues(changed: readonly string[], { signUpEnabled, waitlistEnabled }: TenantAuthSettings): Issue[] {
  const isChanged = changed.includes('signUpEnabled') || changed.includes('waitlistEnabled')
  if (!isChanged || !signUpEnabled || !waitlistEnabled) return []
  const message = 'works only while signUpEnabled is off; change both together'
  return [{ path: '/waitlistEnabled', code: 'contradicts', message }]
}

/** 0 leaves it to the deployment. */
function retentionIssues(
  { config }: Pick<Deps, 'config'>,
  changed: readonly Setting[],
  after: TenantAuthSettings,
): Issue[] {
  const { daysMin, daysMax = eventRetentionDaysMax } = config.eventRetention
  const { eventRetentionDays: days } = after
  if (!changed.includes('eventRetentionDays') || days === 0 || (days >= daysMin && days <= daysMax)) return []
  const message = `must be 0, or from ${daysMin} to ${daysMax} on this server`
  return [{ path: '/eventRetentionDays', code: 'out_of_range', message }]
}

/** Returns why a change is refused; empty if it is not. */
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
    ...(await factorRuleIssues(db, tenantId, before, after)),
    ...passkeyDomainIssues(changed, after),
    ...waitlistIssues(changed, after),
    ...retentionIssues(deps, changed, after),
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

const redirectingSettings: ReadonlySet<Setting> = new Set(
  (Object.keys(tenantAuthSettings) as Setting[]).filter(
    (setting) => tenantAuthSettings[setting].kind === 'reference' && !setting.startsWith('welcome'),
  ),
)

/** The same for one caller, who needs the right to change users to decide where codes and links are sent and what they look like. */
export const authVersionsFor = (principal: Principal): Versioned<TenantAuthSettings> => ({
  ...authVersions,
  issuesOf: (deps, db, tenantId, before, after) => {
    const changed = differences(before, after).find(({ setting }) => redirectingSettings.has(setting))
    if (changed !== undefined) assertMayChangeUsers(principal, tenantId, `change ${changed.setting}`)
    return changeIssues(deps, db, tenantId, before, after)
  },
})

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

/** Returns the times of a change in the form in which they are stored and compared. */
function storedTimes({ secondFactorRequiredFrom: from }: UpdateTenantAuth): Partial<TenantAuthSettings> {
  return typeof from === 'string' ? { secondFactorRequiredFrom: parseCursor(from)?.from ?? from } : {}
}

/**
 * Changes the given settings. An empty change makes no version.
 * @throws ApiError not_found; forbidden if the caller may not decide where codes and links go; validation_failed with every reason, also if nobody could sign in any more.
 */
export async function updateAuthConfiguration(
  deps: Deps,
  tenantId: TenantId,
  input: UpdateTenantAuth,
  { principal, actor }: Caller,
  basis?: DocumentBasis,
): Promise<TenantEntry> {
  const { row, auth } = await getTenant(deps, tenantId)
  const { signUpEnabled = auth.signUpEnabled } = input
  if (row.kind === 'console' && signUpEnabled !== auth.signUpEnabled) {
    throw invalid(
      '/signUpEnabled',
      'set_by_deployment',
      'cannot be changed for the console; BAILIWICK_CONSOLE_SIGN_UP decides it',
    )
  }
  const changes = { ...input, ...storedTimes(input) }
  return writeVersion(deps, authVersionsFor(principal), tenantId, actor, (before) => ({ ...before, ...changes }), basis)
}
