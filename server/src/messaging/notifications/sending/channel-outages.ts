// Tells the operator about a channel that stops working, at the first message that it does not send, and again when it works.
import type { Logger } from 'pino'
import type { TenantId } from '../../../platform/ids.ts'
import type { Meter } from '../../../platform/telemetry/meter.ts'
import type { Attempt } from './attempt-message.ts'

/** More channels than this are counted, but not told about. */
const channelsMax = 1000
const own = 'deployment'

interface Outage {
  readonly sinceMs: number
  failures: number
}

/** The channels that fail, as far as this node has tried them. */
export class ChannelOutages {
  readonly #log: Logger
  readonly #meter: Meter
  readonly #outages = new Map<string, Outage>()

  constructor(log: Logger, meter: Meter) {
    this.#log = log
    this.#meter = meter
  }

  /** Takes note of an attempt that a provider was asked to make. */
  note(tenantId: TenantId, { result, wasTried, chosen }: Attempt) {
    if (!wasTried || chosen.provider === 'dev_inbox') return
    const channelId = chosen.channel_id ?? own
    const isOwn = channelId === own
    this.#meter.count('message_attempts', { channel: isOwn ? own : 'tenant', outcome: result.kind })
    const outage = this.#outages.get(channelId)
    const about = { channelId, provider: chosen.provider, ...(!isOwn && { tenantId }) }
    if (result.kind === 'sent') {
      if (outage === undefined) return
      this.#outages.delete(channelId)
      const seconds = Math.round((performance.now() - outage.sinceMs) / 1000)
      this.#log.info({ ...about, failures: outage.failures, seconds }, 'a channel sends messages again')
      return
    }
    // A refusal that is about the recipient says nothing about the channel.
    if (result.kind === 'refused' && result.isAboutChannel !== true) return
    if (outage !== undefined) {
      outage.failures++
      return
    }
    if (this.#outages.size >= channelsMax) return
    this.#outages.set(channelId, { sinceMs: performance.now(), failures: 1 })
    const text = isOwn
      ? "the deployment's mail server does not send messages"
      : "a tenant's channel does not send messages"
    this.#log[isOwn ? 'error' : 'warn']({ ...about, reason: result.reason }, text)
  }
}
