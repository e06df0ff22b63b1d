// Whether users are offered a passkey, and on which domains passkeys work.
import { type Setting, on } from './setting-kinds.ts'

/** Browsers read so many different names of domains, without what is before and after them; WebAuthn Level 3 §5.11.1 asks for at least five. */
export const passkeyLabelsMax = 5

export const passkeySettings = {
  offerPasskeys: on(
    'strategies',
    'Offer a passkey after a password',
    'Users who sign in with a password are offered a passkey. They can put it off for 30 days. Needs strategySecurityKeyEnabled.',
  ),
  passkeyDomains: {
    kind: 'list',
    default: [],
    format: 'host-name',
    items: 'domains',
    itemsMax: 50,
    lengthMax: 253,
    group: 'strategies',
    label: 'Domains that share passkeys',
    help:
      'Further domains on whose pages the passkeys of the primary domain work. Each must be a verified domain of the tenant, or the domain of one of ' +
      'its addresses. Browsers accept at most five names: login.shop.example and shop.example have one name, shop.test has the same.',
  },
} as const satisfies Readonly<Record<string, Setting>>

/** Suffixes such as co.uk: two letters after a short word for a kind of organization. */
const doubleSuffix = /\.(?:com?|org?|net|gov|gob|edu|ac|ne|go|mil)\.[a-z]{2}$/

/** Returns the name by which browsers count a domain: what is left of its public suffix. Rare suffixes are counted as names of their own. */
export function passkeyLabel(domain: string): string {
  const parts = domain.split('.')
  return parts.at(doubleSuffix.test(domain) ? -3 : -2) ?? domain
}
