// Tells users that their account was changed, because they may not have changed it themselves.
import type { Deps } from '../../identity/deps.ts'
import { type UserRow, verifiedPrimaryEmail } from '../../identity/users/find-user.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import type { Transaction } from '../../platform/db/database.ts'

export type Notice = 'password-changed' | 'email-changed' | 'phone-changed'

interface Sent {
  readonly type: Notice
  /** What the user reads. */
  readonly language: string | undefined
  readonly also?: readonly string[]
}

/** Sends the notice to the primary address, if it is verified, and to the given addresses; once to each. */
export async function notifyOwner(deps: Deps, tx: Transaction, user: UserRow, { type, language, also = [] }: Sent) {
  const { tenant_id: tenantId, id: userId } = user
  const primary = await verifiedPrimaryEmail(tx, user)
  for (const to of new Set([...(primary === undefined ? [] : [primary]), ...also])) {
    await queueMessage(tx, deps, {
      tenantId,
      channelType: 'email',
      template: { type },
      to,
      userId,
      language,
      variables: { user: { name: user.name } },
      purpose: type.replace('-', '_'),
    })
  }
}
