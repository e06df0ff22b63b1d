import {
  type Channel,
  type ChannelType,
  type CreateChannel,
  type EventDataByType,
  type EventType,
  type UpdateChannel,
  foldCase,
  providerSends,
} from '@bailiwick/contract'
import { addToCounters, sumOfCounter } from '../../../platform/db/counters.ts'
import { writeReturning } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../../platform/http/change-basis.ts'
import { assertMayChangeUsers } from '../../../platform/http/credentials/authorize.ts'
import type { Actor, Caller } from '../../../platform/http/credentials/principal.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPageAndTotal } from '../../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../../platform/ids.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'
import * as queries from '../channel-queries.ts'
import { isReferredTo } from './configuration-references.ts'
import {
  keptIssues,
  maskedNothing,
  maskedSettings,
  sealedSettings,
  secretNames,
  settingsIssues,
  unmasked,
} from './provider-settings.ts'

const presentChannel = ({ sealer }: Deps, row: queries.ChannelRow): Channel => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  key: row.key,
  description: row.description,
  type: row.type,
  provider: row.provider,
  enabled: row.enabled === 1,
  providerSettings: maskedSettings({
    provider: row.provider,
    settings: row.settings,
    masked: secretNames(sealer, row),
  }),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function checkProvider(
  provider: Channel['provider'],
  type: Channel['type'],
  settings: Readonly<Record<string, unknown>>,
) {
  if (!providerSends(provider, type)) throw invalid('/provider', 'invalid_value', `does not send ${type}`)
  const issues = [...settingsIssues(provider, settings), ...maskedNothing(provider, settings)]
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/** The data of a channel's events: everything except its settings, of which only the fact of a change is stated. */
const described = ({ name, key, description, provider, enabled }: queries.ChannelRow) => ({
  name,
  key,
  description,
  provider,
  enabled: enabled === 1,
})

const event = <Type extends Extract<EventType, `channel.${string}`>>(
  { clock, personal }: Deps,
  type: Type,
  row: queries.ChannelRow,
  actor: Actor,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId: row.tenant_id, type, actor, subjectId: row.id, data })

/** @throws ApiError not_found, channel_name_taken, channel_key_taken; validation_failed for settings that the provider does not accept. */
export async function createChannel(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateChannel, 'tenantId'>,
  actor: Actor,
) {
  await getTenant(deps, tenantId)
  const { db, clock, sealer } = deps
  checkProvider(input.provider, input.type, input.providerSettings)
  const id = newId<'ChannelId'>()
  const kept = sealedSettings(sealer, { tenant_id: tenantId, id }, input.provider, input.providerSettings)
  const row = await writeReturning(db, (context) => {
    const at = clock.next()
    const returns: queries.ChannelRow = {
      tenant_id: tenantId,
      id,
      name: input.name,
      name_key: foldCase(input.name),
      key: input.key,
      description: input.description ?? null,
      type: input.type,
      provider: input.provider,
      enabled: input.enabled === false ? 0 : 1,
      ...kept,
      created_at: at,
      updated_at: at,
    }
    const statements = [
      queries.insertChannel(returns),
      addToCounters(context, tenantId, { channels: 1 }),
      event(deps, 'channel.created', returns, actor, { after: described(returns) }),
    ]
    return { statements, returns }
  })
  return presentChannel(deps, row)
}

/** @throws ApiError not_found */
export async function listChannels(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    deps.db,
    queries.channelSource(tenantId),
    sumOfCounter(tenantId, 'channels'),
    request,
  )
  const data = page.rows.map((row) => presentChannel(deps, row))
  return pageEnvelope(page, data, total, request.perPage)
}

/** @throws ApiError not_found */
export async function getChannel(deps: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectChannel(deps.db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentChannel(deps, row)
}

function changedSettings({ sealer }: Deps, before: queries.ChannelRow, input: UpdateChannel) {
  const provider = input.provider ?? before.provider
  if (input.providerSettings === undefined) {
    if (provider === before.provider) return {}
    throw invalid('/providerSettings', 'required', 'is required if the provider changes')
  }
  const isSame = provider === before.provider
  const issues = isSame ? keptIssues(before, provider, input.providerSettings) : []
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  const settings = isSame ? unmasked(sealer, before, input.providerSettings) : input.providerSettings
  checkProvider(provider, before.type, settings)
  return { provider, ...sealedSettings(sealer, before, provider, settings) }
}

/**
 * @throws ApiError not_found, channel_name_taken, channel_key_taken; forbidden if codes and links go through the channel and the caller may
 * not change users; validation_failed for settings that the provider does not accept.
 */
export async function updateChannel(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateChannel,
  { principal, actor }: Caller,
  basis: RecordBasis = {},
) {
  const { db, clock } = deps
  return db.transaction(async (tx) => {
    const movesMessages = input.provider !== undefined || input.providerSettings !== undefined
    if (movesMessages && (await isReferredTo(tx, tenantId, id))) {
      assertMayChangeUsers(principal, tenantId, 'change where a channel in use sends codes and links')
    }
    const before = await queries.selectChannelForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    assertSameType(before.type, input.type)
    const name = input.name ?? before.name
    const after: queries.ChannelRow = {
      ...before,
      name,
      name_key: foldCase(name),
      key: input.key ?? before.key,
      description: input.description === undefined ? before.description : input.description,
      enabled: input.enabled === undefined ? before.enabled : Number(input.enabled),
      ...changedSettings(deps, before, input),
      updated_at: clock.now(),
    }
    await tx.run(queries.updateChannel(after))
    const data = {
      before: described(before),
      after: described(after),
      settingsChanged: input.providerSettings !== undefined,
    }
    await tx.run(event(deps, 'channel.updated', after, actor, data))
    return presentChannel(deps, after)
  })
}

/** @throws ApiError not_found; channel_in_use while the authentication configuration refers to it. */
export async function deleteChannel(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const isInUse = await isReferredTo(tx, tenantId, id)
    const row = await queries.selectChannelForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    if (isInUse) throw new ApiError('channel_in_use')
    await tx.run(queries.deleteChannel(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { channels: -1 }))
    await tx.run(event(deps, 'channel.deleted', row, actor, { before: described(row) }))
    return presentChannel(deps, row)
  })
}

/**
 * Accepts a record that a client sends back as it received it.
 * @throws ApiError validation_failed if it names another type than the record's.
 */
export function assertSameType(type: ChannelType, named: ChannelType | undefined) {
  if (named === undefined || named === type) return
  throw invalid('/type', 'invalid_value', `must be ${type}, because the type cannot be changed`)
}
