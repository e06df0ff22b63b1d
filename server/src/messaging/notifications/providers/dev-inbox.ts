import type { Send } from './provider.ts'

/** Stores the message for the inbox page; it is not delivered to anybody. */
export const sendToDevInbox: Send = async ({ deps }) =>
  deps.config.env === 'development'
    ? { kind: 'sent' }
    : { kind: 'refused', reason: 'The dev_inbox is for the development deployment alone.' }
