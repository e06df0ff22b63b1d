import type { Send } from './provider.ts'

/** Keeps the message where the inbox page shows it; nobody gets it. */
export const sendToDevInbox: Send = async ({ deps }) =>
  deps.config.env === 'development'
    ? { kind: 'sent' }
    : { kind: 'refused', reason: 'The dev_inbox is for the development deployment alone.' }
