// A tenant's authentication configuration: one document, every change of it a version.
import { isDeepStrictEqual } from 'node:util'
import {
  type Issue,
  type TenantAuthSettings,
  type UpdateTenantAuth,
  defaultTenantAuthSettings,
  tenantAuthSettings,
} from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPage } from '../../platform/http/page.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { lockTenant } from '../tenants/find-tenant.ts'
import type { TenantDefaults } from '../tenants/tenant-defaults.ts'
import type { TenantEntry } from '../tenants/tenant-directory.ts'
import { getTenant } from '../tenants/tenants.ts'
import * as queries from './queries.ts'
import { parseSettings } from './read-settings.ts'
import { type StrategyFacts, lockoutIssues } from './usable-strategies.ts'

type Setting = keyof TenantAuthSettings
const settingNames = Object.keys(tenantAuthSettings) as Setting[]

/** The settings that two documents have differently. */
export const differences = (from: TenantAuthSettings, to: TenantAuthSettings) =>
  settingNames
    .filter((setting) => !isDeepStrictEqual(from[setting], to[setting]))
    .map((setting) => ({ setting, from: from[setting], to: to[setting] }))

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

async function readDocument(db: Reader, tenantId: TenantId, version: number): Promise<string> {
  const row = await queries.selectAuthConfiguration(db, tenantId, version)
  if (row === undefined) throw notFound()
  return row.document
}

const readVersion = async (db: Reader, tenantId: TenantId, version: number): Promise<TenantAuthSettings> =>
  parseSettings(await readDocument(db, tenantId, version))

/** The first version of a new tenant's configuration. */
export function firstVersion(
  tenantId: TenantId,
  settings: Partial<TenantAuthSettings>,
  actor: Pick<Actor, 'type' | 'id'>,
  at: Timestamp,
): TenantDefaults {
  const document = JSON.stringify({ ...defaultTenantAuthSettings(), ...settings })
  return { statements: [queries.insertVersion(tenantId, 1, document, actor, at)], counts: {} }
}

/** Stores the next version, made from the present one by `change`. */
async function writeVersion(
  deps: Deps,
  tenantId: TenantId,
  actor: Actor,
  change: (tx: Transaction, before: TenantAuthSettings) => Promise<TenantAuthSettings> | TenantAuthSettings,
): Promise<TenantEntry> {
  const { db, clock, personal, tenants } = deps
  await db.transaction(async (tx) => {
    const tenant = await lockTenant(tx, tenantId)
    const before = await readVersion(tx, tenantId, tenant.auth_version)
    const after = await change(tx, before)
    const changes = differences(before, after)
    if (changes.length === 0) return
    const issues = await changeIssues(deps, tx, tenantId, before, after)
    if (issues.length > 0) throw new ApiError('validation_failed', { issues })
    const version = tenant.auth_version + 1
    const at = clock.next()
    await tx.run(queries.insertVersion(tenantId, version, JSON.stringify(after), actor, at))
    await tx.run(queries.updateTenantAuthVersion(tenantId, version, at))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'auth_configuration.updated',
        actor,
        subject: { type: 'tenant', id: tenantId },
        data: {
          version,
          before: Object.fromEntries(changes.map(({ setting, from }) => [setting, from])),
          after: Object.fromEntries(changes.map(({ setting, to }) => [setting, to])),
        },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
  return getTenant(deps, tenantId)
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
): Promise<TenantEntry> {
  const { row, auth } = await getTenant(deps, tenantId)
  const { signUpEnabled = auth.signUpEnabled } = input
  if (row.kind === 'console' && signUpEnabled !== auth.signUpEnabled) {
    throw invalid('/signUpEnabled', 'set_by_deployment', 'is decided for the console by BAILIWICK_CONSOLE_SIGN_UP')
  }
  return writeVersion(deps, tenantId, actor, (_tx, before) => ({ ...before, ...input }))
}

/**
 * Goes back to a version, as a new one. A setting that did not exist at the time stays as it is.
 * @throws ApiError not_found; validation_failed where it would not be allowed today.
 */
export const restoreVersion = (deps: Deps, tenantId: TenantId, version: number, actor: Actor) =>
  writeVersion(deps, tenantId, actor, async (tx, before) => ({
    ...before,
    ...(JSON.parse(await readDocument(tx, tenantId, version)) as Partial<TenantAuthSettings>),
  }))

/** @throws ApiError not_found */
export async function listVersions(deps: Deps, tenantId: TenantId, query: PageQuery) {
  const { row } = await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const page = await selectPage<queries.VersionRow>(deps.db, queries.versionSource(tenantId), request)
  const data = page.rows.map(({ version, actor_type, actor_id, created_at }) => ({
    version,
    actor: { type: actor_type, id: actor_id },
    createdAt: created_at,
  }))
  // Versions are numbered without gaps and never removed, so the newest one's number counts them.
  return pageEnvelope(page, data, row.auth_version, request.perPage)
}

/** @throws ApiError not_found */
export async function diffVersions(deps: Deps, tenantId: TenantId, from: number, to: number) {
  await getTenant(deps, tenantId)
  const [before, after] = await Promise.all([readVersion(deps.db, tenantId, from), readVersion(deps.db, tenantId, to)])
  return differences(before, after)
}
