// Which way a message goes: the channel that was asked for, else the tenant's own, else the deployment's.
import type { ChannelProvider, ChannelType } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../../platform/ids.ts'
import { currentSettings } from '../../tenancy/auth-configuration/read-settings.ts'
import { type ChannelRow, selectChannel } from './channel-queries.ts'

export type NoWay = 'no_channel' | 'channel_disabled' | 'channel_type_mismatch'

/** A channel of the tenant's, or the deployment's own way of sending. */
export type Way =
  | { readonly channel: ChannelRow; readonly provider: ChannelProvider }
  | { readonly channel: undefined; readonly provider: 'email_smtp' | 'dev_inbox' }

/** Whether a message goes out by what the operator runs for all tenants. */
export const isDeploymentsOwn = (way: Way | NoWay): boolean =>
  typeof way !== 'string' && way.channel === undefined && way.provider !== 'dev_inbox'

async function configuredChannelId(db: Reader, tenantId: TenantId, type: ChannelType): Promise<string | null> {
  if (type !== 'email' && type !== 'sms') return null
  const auth = await currentSettings(db, tenantId)
  if (auth === undefined) return null
  return type === 'email' ? auth.emailChannelId : auth.smsChannelId
}

/** What finding a way takes; within a transaction, its own reads. */
export interface WayFinder {
  readonly config: Deps['config']
  readonly db: Reader
}

function ownWay({ config }: WayFinder, type: ChannelType): Way | NoWay {
  if (type === 'email' && config.smtpUrl !== undefined) return { channel: undefined, provider: 'email_smtp' }
  if (config.env === 'development') return { channel: undefined, provider: 'dev_inbox' }
  return 'no_channel'
}

/** @param channelId null: the tenant's configured one. */
export async function findWay(
  deps: WayFinder,
  tenantId: TenantId,
  type: ChannelType,
  channelId: string | null,
): Promise<Way | NoWay> {
  const { db } = deps
  const id = channelId ?? (await configuredChannelId(db, tenantId, type))
  if (id === null) return ownWay(deps, type)
  const channel = await selectChannel(db, tenantId, id)
  if (channel === undefined) return 'no_channel'
  if (channel.type !== type) return 'channel_type_mismatch'
  return channel.enabled === 1 ? { channel, provider: channel.provider } : 'channel_disabled'
}

/** Whether a message of the type could be sent now, by the tenant's configured channel or the deployment's. */
export async function hasChannel(deps: WayFinder, tenantId: TenantId, type: ChannelType): Promise<boolean> {
  return typeof (await findWay(deps, tenantId, type, null)) !== 'string'
}
