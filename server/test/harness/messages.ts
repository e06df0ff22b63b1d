// The messages of the service in tests: they are sent when a test says so, to the development inbox unless the test has set up another
// channel.
import type { Deps } from '../../src/identity/deps.ts'
import type { MessageRow } from '../../src/messaging/notifications/message-queries.ts'
import { sendJobKind } from '../../src/messaging/notifications/messages/queue-message.ts'
import { type MessageContent, openContent } from '../../src/messaging/notifications/messages/sealed-messages.ts'
import { sendHandler } from '../../src/messaging/notifications/sending/send-messages.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { createJobRunner } from '../../src/platform/jobs/runner.ts'
import { msAheadAt } from '../../src/tenancy/test-mode/test-mode.ts'

export type StoredMessage = MessageRow & { readonly content: MessageContent | undefined }

/** Sends everything that is due now. */
export async function sendMessages(deps: Deps): Promise<void> {
  const runner = createJobRunner(deps, { [sendJobKind]: sendHandler(deps) }, { msAheadAt: (id) => msAheadAt(deps, id) })
  while ((await runner.claim()) > 0) await runner.idle()
}

/** Returns the messages to an address, newest first, with their content. */
export async function messagesTo(deps: Deps, to: string): Promise<readonly StoredMessage[]> {
  const rows = await deps.db.all<MessageRow>(
    sql`SELECT * FROM messages WHERE recipient = ${to} ORDER BY created_at DESC LIMIT 100`,
  )
  return rows.map((row) => ({
    ...row,
    content: row.sealed_content === null ? undefined : openContent(deps.sealer, row, row.sealed_content),
  }))
}

/** Sends what is due, then returns the newest message to the address: its `code` and `link` are what a person would read. */
export async function latestMessageTo(deps: Deps, to: string): Promise<MessageContent> {
  await sendMessages(deps)
  const [latest] = await messagesTo(deps, to)
  if (latest?.content === undefined) throw new Error(`nothing was sent to ${to}: ${latest?.last_error ?? 'no message'}`)
  return latest.content
}

/** Returns the token of an invitation, which is in the link of its message. */
export function tokenOf({ link }: Pick<MessageContent, 'link'>): string {
  const { searchParams } = new URL(link ?? 'https://no.link/')
  return searchParams.get('token') ?? searchParams.get('invitationToken') ?? ''
}

/** Sends what is due, then returns the token of the newest invitation to the address. */
export const invitationTokenTo = async (deps: Deps, to: string): Promise<string> =>
  tokenOf(await latestMessageTo(deps, to))
