// Chooses the channel of a message: the requested one, else the tenant's own, else the deployment's.
import type { ChannelProvider, ChannelType } from '@bailiwick/contract'
import type { Reader } from '../../../platform/db/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { currentSettings } from '../../../tenancy/auth-configuration/read-settings.ts'
import { isTenantInTestMode } from '../../../tenancy/test-mode/test-mode.ts'
import type { Deps } from '../../deps.ts'
import { type ChannelRow, selectChannel } from '../channel-queries.ts'

export type NoChannel = 'no_channel' | 'channel_disabled' | 'channel_type_mismatch'

/** A channel of the tenant, or the deployment's own channel. */
export type ChosenChannel =
  | { readonly channel: ChannelRow; readonly provider: ChannelProvider }
  | { readonly channel: undefined; readonly provider: 'email_smtp' | 'dev_inbox' }

/** Whether a message is sent with the means that the operator provides for all tenants. */
export const isDeploymentsOwn = (via: ChosenChannel | NoChannel): boolean =>
  typeof via !== 'string' && via.channel === undefined && via.provider !== 'dev_inbox'

/** Where messages are caught. */
export const inbox: ChosenChannel = { channel: undefined, provider: 'dev_inbox' }

async function configuredChannelId(db: Reader, tenantId: TenantId, type: ChannelType): Promise<string | null> {
  if (type !== 'email' && type !== 'sms') return null
  const auth = await currentSettings(db, tenantId)
  if (auth === undefined) return null
  return type === 'email' ? auth.emailChannelId : auth.smsChannelId
}

/** The dependencies for choosing a channel; within a transaction, its own reads. */
export interface ChannelFinder {
  readonly config: Deps['config']
  readonly db: Reader
}

async function deploymentsChannel(
  { config, db }: ChannelFinder,
  tenantId: TenantId,
  type: ChannelType,
): Promise<ChosenChannel | NoChannel> {
  if (type === 'email' && config.smtpUrl !== undefined) return { channel: undefined, provider: 'email_smtp' }
  // A tenant in test mode reads its messages in its inbox.
  if (config.env === 'development' || (await isTenantInTestMode({ config, db }, tenantId))) return inbox
  return 'no_channel'
}

/** @param channelId null means the tenant's configured channel. */
export async function chooseChannel(
  deps: ChannelFinder,
  tenantId: TenantId,
  type: ChannelType,
  channelId: string | null,
): Promise<ChosenChannel | NoChannel> {
  const { db } = deps
  const id = channelId ?? (await configuredChannelId(db, tenantId, type))
  if (id === null) return deploymentsChannel(deps, tenantId, type)
  const channel = await selectChannel(db, tenantId, id)
  if (channel === undefined) return 'no_channel'
  if (channel.type !== type) return 'channel_type_mismatch'
  return channel.enabled === 1 ? { channel, provider: channel.provider } : 'channel_disabled'
}

/** Whether a message of the type can be sent now, through the tenant's configured channel or the deployment's. */
export async function hasChannel(deps: ChannelFinder, tenantId: TenantId, type: ChannelType): Promise<boolean> {
  return typeof (await chooseChannel(deps, tenantId, type, null)) !== 'string'
}
