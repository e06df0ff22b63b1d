import {
  type ChannelProvider,
  type ChannelType,
  CreateChannel,
  CreateTemplate,
  type MessageStatus,
  foldCase,
  providerSettingsSchemas,
  secretSettings,
} from '@bailiwick/contract'
import { type AcceptedRow, type ColumnRule, derived, fieldsOf } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import type { Id, MessageId, TemplateId, TenantId, UserId } from '../../platform/ids.ts'

export type ChannelId = Id<'ChannelId'>

const isChannelProvider = (name: string): name is ChannelProvider => Object.hasOwn(providerSettingsSchemas, name)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : undefined
  } catch {
    return undefined
  }
}

/** The settings of a channel's provider, of which the secret ones are stored apart: together they must be what the provider takes. */
const providerSettings: ColumnRule = {
  rule: "must be the settings of the channel's provider",
  test: (_value, { provider, settings, 'sealed_secrets:opened': opened }: AcceptedRow) => {
    const [open, secret] = [parsed(settings), parsed(opened)]
    if (typeof provider !== 'string' || !isChannelProvider(provider) || !isRecord(open) || !isRecord(secret))
      return false
    const secrets = secretSettings(provider)
    const isApart = Object.keys(open).every((name) => !secrets.includes(name))
    return isApart && issuesOf(providerSettingsSchemas[provider], { ...open, ...secret }).length === 0
  },
}

export const channels = table(
  'channels',
  {
    ...record<ChannelId>(),
    ...many(text(), 'name', 'name_key', 'key'),
    description: text().nullable(),
    type: text<ChannelType>(),
    provider: text<ChannelProvider>(),
    enabled: flag(),
    /** The settings that are not secret. */
    settings: json<Readonly<Record<string, unknown>>>(),
    /** JSON of the secrets, sealed. */
    sealed_secrets: text(),
  },
  {
    refusals: { channels_key_key: 'channel_key_taken', channels_name_key: 'channel_name_taken' },
    counted: [{ counter: 'channels' }],
    sealed: { sealed_secrets: 'secrets' },
    accepts: {
      ...fieldsOf(CreateChannel),
      name_key: derived('name', foldCase),
      settings: providerSettings,
      sealed_secrets: providerSettings,
    },
  },
)

export const templateCounter = (type: string) => `templates:${type}`

export const templates = table(
  'templates',
  {
    ...record<TemplateId>(),
    type: text<ChannelType>(),
    ...many(text(), 'name', 'body'),
    subject: text().nullable(),
  },
  {
    refusals: { templates_name_key: 'template_name_taken' },
    counted: [{ counter: 'templates' }, { by: 'type', counter: templateCounter }],
    accepts: fieldsOf(CreateTemplate),
  },
)

export const messages = table(
  'messages',
  {
    ...record<MessageId>(),
    user_id: text().nullable(),
    channel_type: text<ChannelType>(),
    /** The requested channel, or the one chosen when the message was sent; null means the deployment's own. */
    channel_id: text().nullable(),
    provider: text<ChannelProvider>().nullable(),
    ...many(text().nullable(), 'template_id', 'template_type'),
    purpose: text(),
    /** `nobody` if there is no recipient; such a message is never shown. */
    recipient: text(),
    /** With codes and links hidden. */
    subject: text().nullable(),
    /** JSON of the variables, sealed; removed once the message is sent or expired. */
    sealed_variables: text().nullable(),
    /** JSON of the content, sealed; in the development deployment only. */
    sealed_content: text().nullable(),
    /** The key of the job that sends it. */
    lane: text(),
    /** Whether it was counted in the quotas of the deployment's own channel. */
    is_counted: flag().default(0),
    status: text<MessageStatus>(),
    /** Failures since the schedule began. */
    step: integer().default(0),
    attempts: integer().default(0),
    last_error: text().nullable(),
    ...many(time().nullable(), 'next_attempt_at', 'sent_at'),
    expires_at: time(),
  },
  {
    counted: [{ counter: 'messages' }],
    sealed: { sealed_variables: 'variables', sealed_content: 'content' },
    notExported: 'what was sent stays with who sent it',
  },
)

/** The operator's limit on what a tenant may send through the deployment's own channel. */
export const tenantLimits = table(
  'tenant_limits',
  { tenant_id: id<TenantId>(), messages_per_day: integer(), updated_at: time() },
  { key: ['tenant_id'], notExported: "they are the operator's, for this deployment" },
)

/** The tenants whose own wording may leave through the deployment's own channel. */
export const trustedTenants = table(
  'trusted_tenants',
  { tenant_id: id<TenantId>(), created_at: time() },
  { key: ['tenant_id'], notExported: "they are the operator's, for this deployment" },
)

/** The account whose quota an invited console user's tenants use up. A console user without a row is such an account. */
export const sendingAccounts = table(
  'sending_accounts',
  { tenant_id: id<TenantId>(), user_id: id<UserId>(), account_id: text(), created_at: time() },
  { key: ['tenant_id', 'user_id'], notExported: "they are people of the deployment's own console" },
)
