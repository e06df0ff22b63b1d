// Which addresses the service may connect to on a tenant's behalf. Decided by the bytes of the address: its spellings are
// without number, and IPv6 has several ways to say an IPv4 address.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** Loopback and private networks too: the development deployment alone. */
  readonly isPrivateAllowed: boolean
}

type Address = ReturnType<typeof ipaddr.parse>

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal'])

/** 2000::/3, the only part of IPv6 that is given out; what the library does not know lies outside of it. */
const isGlobalUnicast = (address: ipaddr.IPv6) => ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20

/** The IPv4 address that an IPv6 one stands for where packets to it leave IPv6: mapped, and RFC 6052's well-known prefix. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  const isMapped = address.range() === 'ipv4Mapped'
  const isTranslated = address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)
  return isMapped || isTranslated ? new ipaddr.IPv4(bytes.slice(12)) : undefined
}

function isRangeAllowed(address: Address, policy: AddressPolicy): boolean {
  const range = address.range()
  if (policy.isPrivateAllowed && privateRanges.has(range)) return true
  if (range !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || isGlobalUnicast(address)
}

/**
 * Whether the service may connect there. 6to4 and Teredo, which wrap IPv4 addresses as well, are refused altogether: nobody
 * receives anything there any more (RFC 7526, RFC 8190).
 * @param text an address as a resolver or URL gives it, without brackets; anything else is refused.
 */
export function isAddressAllowed(text: string, policy: AddressPolicy): boolean {
  const family = isIP(text)
  // A zone names an interface of this machine.
  if (family === 0 || text.includes('%')) return false
  // Rewritten in hexadecimal first: the library takes `::127.0.0.1` for `::ffff:127.0.0.1`, which is another address.
  const address = ipaddr.parse(family === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text)
  if (address instanceof ipaddr.IPv4) return isRangeAllowed(address, policy)
  return isRangeAllowed(embedded(address) ?? address, policy)
}
