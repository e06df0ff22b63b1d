// Checks whether messages reach their providers: an outage is seen at the first message that could not be sent.
import type { Deps } from '../../identity/deps.ts'
import { type TriedMessage, selectTriedMessages } from '../../messaging/notifications/messages/waiting-messages.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { shownReason } from '../../platform/jobs/shown-reason.ts'
import { type Finding, ok, warn } from './check.ts'

const dayMs = 24 * 60 * 60 * 1000
const messagesMax = 2000

/** Returns the newest attempt of each channel. */
function newestByChannel(tried: readonly TriedMessage[]): Map<string | null, TriedMessage> {
  const newest = new Map<string | null, TriedMessage>()
  for (const message of tried) {
    const known = newest.get(message.channel_id)
    if (known === undefined || known.updated_at < message.updated_at) newest.set(message.channel_id, message)
  }
  return newest
}

/** Warns of channels through which the newest attempt to send a message has failed. */
export async function checkMessages({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Finding> {
  const check = 'messages'
  const tried = await selectTriedMessages(db, addMilliseconds(clock.now(), -dayMs), messagesMax)
  const failing = [...newestByChannel(tried)].filter(([, { status }]) => status !== 'sent')
  const waiting = tried.filter(({ status }) => status === 'queued').length
  const own = failing.find(([channelId]) => channelId === null)?.[1]
  if (own !== undefined) {
    const detail = `the deployment's mail server took none at ${own.updated_at}: ${shownReason(own.last_error ?? '')}; ${waiting} wait to be tried again`
    return warn(check, detail, 'check the server of BAILIWICK_SMTP_URL; no codes are sent until it works')
  }
  const [first] = failing
  if (first === undefined) return ok(check, 'the newest ones were sent')
  const detail = `${failing.length} channels of tenants took none, such as ${first[0]}: ${shownReason(first[1].last_error ?? '')}`
  return warn(check, detail, 'inform these tenants that their own providers fail')
}
