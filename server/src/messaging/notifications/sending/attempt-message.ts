// One attempt to send one message: the channel, the content, and the result.
import { type ChannelType, canonicalPhone, isEmail, isPhone, secretSettings } from '@bailiwick/contract'
import { atMachineTime } from '../../../platform/clock.ts'
import { isCaught } from '../../../tenancy/test-mode/test-mode.ts'
import type { Deps } from '../../deps.ts'
import { consultHooks, hooksInUse } from '../../hooks/decisions.ts'
import { type ChosenChannel, chooseChannel, inbox, isDeploymentsOwn } from '../channels/find-channel.ts'
import { openSettings } from '../channels/provider-settings.ts'
import { type Composed, type ComposeFailure, composeMessage } from '../composing/compose-message.ts'
import { isTrusted } from '../composing/trusted-wording.ts'
import type { MessageRow } from '../message-queries.ts'
import type { MessageContent } from '../messages/sealed-messages.ts'
import { countMessage } from '../messages/send-quota.ts'
import type { SendResult } from '../providers/provider.ts'
import { providers } from '../providers/providers.ts'
import { RenderError } from '../rendering/render-error.ts'

export interface Attempt {
  readonly result: SendResult
  /** Whether a provider was asked. */
  readonly wasTried: boolean
  readonly chosen: Partial<Pick<MessageRow, 'channel_id' | 'provider' | 'template_id' | 'subject'>>
  readonly content?: MessageContent
}

const unsent = (reason: string, chosen: Attempt['chosen'] = {}): Attempt => ({
  result: { kind: 'refused', reason },
  wasTried: false,
  chosen,
})

/** Whether the recipient is a single address. Providers also accept lists, names and several lines. */
export function isAddress(type: ChannelType, to: string): boolean {
  if (type === 'email') return isEmail(to)
  return type === 'sms' || type === 'chat' ? isPhone(to) && canonicalPhone(to) === to : !/[\p{Cc}\s,;]/u.test(to)
}

/** Removes secrets from a provider's answer, which may repeat the code or link, and the credentials of the request. */
function withoutSecrets(
  result: SendResult,
  { code, link }: MessageContent,
  credentials: readonly unknown[],
): SendResult {
  if (result.kind === 'sent' || result.detail === undefined) return result
  const secrets = [code, link, ...credentials].filter((secret): secret is string => secret !== null && secret !== '')
  const detail = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), result.detail)
  return { ...result, detail }
}

async function ask(deps: Deps, via: ChosenChannel, row: MessageRow, composed: Composed, signal: AbortSignal) {
  const { content, tenantName: senderName } = composed
  const settings = via.channel === undefined ? undefined : openSettings(deps.sealer, via.channel)
  const credentials = secretSettings(via.provider).map((name) => settings?.[name])
  const { subject, text, html } = content
  const { id, tenant_id: tenantId, channel_type: type, recipient: to, purpose } = row
  const message = { id, tenantId, purpose, type, to, senderName, subject, text, html }
  try {
    return withoutSecrets(
      await atMachineTime(() => providers[via.provider]({ deps, message, settings, signal })),
      content,
      credentials,
    )
  } catch (error) {
    // A bug in sending one message must not stop the other messages of its lane.
    deps.log.error({ err: error, messageId: row.id, provider: via.provider }, 'a message could not be sent')
    return { kind: 'failed', reason: 'Sending failed inside the service.' } as const
  }
}

/** Returns the content, or that the attempt must be repeated for a reason that is not the template's fault. */
async function compose(
  deps: Deps,
  row: MessageRow,
  via: ChosenChannel,
): Promise<Composed | ComposeFailure | SendResult | 'interrupted'> {
  try {
    const mayUseOwn = !isDeploymentsOwn(via) || (await isTrusted(deps.db, row.tenant_id))
    return await composeMessage(deps, row, mayUseOwn ? 'own' : 'names')
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    if (error.code === 'closed') return 'interrupted'
    if (error.code === 'busy' || error.code === 'owner_busy') {
      return { kind: 'failed', reason: 'templates_busy', holdMs: error.waitMs }
    }
    deps.log.error({ err: error, messageId: row.id }, 'a message could not be rendered')
    return { kind: 'failed', reason: 'Rendering failed inside the service.' }
  }
}

/** Asks the tenant's hooks; returns what has become of the message, or undefined if it is to be sent. */
async function askHooks(
  deps: Deps,
  row: MessageRow,
  { content }: Composed,
): Promise<Omit<Attempt, 'chosen'> | undefined> {
  const tenant = await deps.tenants.byId(row.tenant_id)
  const hooks = tenant === undefined ? [] : await hooksInUse(deps.db, tenant, 'message.before_send')
  if (hooks.length === 0) return undefined
  const { id, channel_type: type, purpose, recipient: to, user_id: userId, expires_at: expiresAt } = row
  const { subject, text, html, code, link } = content
  const message = { id, type, purpose, to, userId, expiresAt, subject, text, html, code, link }
  const verdict = await consultHooks(deps, hooks, { message })
  if (verdict.isSent === true) return { result: { kind: 'sent' }, wasTried: true }
  if (verdict.isAllowed) return undefined
  if (verdict.isFailure) return { result: { kind: 'failed', reason: 'hook_failed' }, wasTried: true }
  return { result: { kind: 'refused', reason: 'hook_denied' }, wasTried: false }
}

/** @returns interrupted if the node is stopping; this does not count as an attempt. */
export async function attemptMessage(
  deps: Deps,
  row: MessageRow,
  signal: AbortSignal,
): Promise<Attempt | 'interrupted'> {
  if (row.expires_at <= deps.clock.now()) return unsent('expired')
  if (!isAddress(row.channel_type, row.recipient)) return unsent('address_malformed')
  const via = (await isCaught(deps, row.tenant_id, row.recipient))
    ? inbox
    : await chooseChannel(deps, row.tenant_id, row.channel_type, row.channel_id)
  if (typeof via === 'string') return unsent(via)
  const chosen = { channel_id: via.channel?.id ?? null, provider: via.provider }
  const composed = await compose(deps, row, via)
  if (composed === 'interrupted') return composed
  if (typeof composed === 'string') return unsent(composed, chosen)
  if ('kind' in composed) return { result: composed, wasTried: false, chosen }
  const said = { template_id: composed.templateId, subject: composed.shownSubject }
  const decided = await askHooks(deps, row, composed)
  if (decided !== undefined) return { ...decided, chosen: { ...chosen, ...said }, content: composed.content }
  const over = isDeploymentsOwn(via) ? await countMessage(deps, row) : undefined
  if (over !== undefined) return unsent(over, chosen)
  const result = await ask(deps, via, row, composed, signal)
  if (result.kind !== 'sent' && signal.aborted) return 'interrupted'
  return { result, wasTried: true, chosen: { ...chosen, ...said }, content: composed.content }
}
