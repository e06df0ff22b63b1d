// One key for all spellings of one mailbox, so that a limit for recipients cannot be walked around by spelling.
import { canonicalEmail, emailKey, isEmail } from '@bailiwick/contract'

/** The characters that a provider ignores in the local part, by the domain of its addresses. */
const ignored: Readonly<Record<string, RegExp>> = {
  // https://support.google.com/mail/answer/7436150
  'gmail.com': /\./g,
  // https://proton.me/support/addresses-and-aliases
  'proton.me': /[._-]/g,
}

/** Domains of the same mailboxes. */
const sameMailboxes: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'protonmail.com': 'proton.me',
  'pm.me': 'proton.me',
}

/**
 * Returns what identifies the mailbox: without what follows a plus, which nearly all providers ignore, and without what the provider of the
 * domain ignores. Too much in common only means that two mailboxes share a limit.
 */
export function recipientKey(to: string): string {
  if (!isEmail(to)) return to
  const key = emailKey(canonicalEmail(to))
  const at = key.lastIndexOf('@')
  const domain = key.slice(at + 1)
  const shared = Object.hasOwn(sameMailboxes, domain) ? (sameMailboxes[domain] ?? domain) : domain
  const [untagged = ''] = key.slice(0, at).split('+', 1)
  const local = Object.hasOwn(ignored, shared) ? untagged.replaceAll(ignored[shared] ?? /$^/g, '') : untagged
  return `${local}@${shared}`
}
