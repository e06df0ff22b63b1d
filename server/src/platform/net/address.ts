// Decides which addresses the service may connect to on a tenant's behalf, by the bytes of the address: it can be written in countless
// ways, and IPv6 has several ways to contain an IPv4 address.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** Also allows loopback and private networks; for the development deployment only. */
  readonly isPrivateAllowed: boolean
}

type Address = ReturnType<typeof ipaddr.parse>

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal'])

/** 2000::/3 is the only allocated part of IPv6; ranges that the library does not know are outside of it. */
const isGlobalUnicast = (address: ipaddr.IPv6) => ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20

/** Returns the IPv4 address contained in an IPv6 address that leaves IPv6: mapped, or RFC 6052's well-known prefix. */
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
 * Whether the service may connect to the address. 6to4 and Teredo, which also contain IPv4 addresses, are always refused, because they are
 * no longer in use (RFC 7526, RFC 8190).
 * @param text an address as a resolver or URL gives it, without brackets; anything else is refused.
 */
export function isAddressAllowed(text: string, policy: AddressPolicy): boolean {
  const family = isIP(text)
  // A zone names an interface of this machine.
  if (family === 0 || text.includes('%')) return false
  // Rewritten in hexadecimal first, because the library takes `::127.0.0.1` for `::ffff:127.0.0.1`, which is another address.
  const address = ipaddr.parse(family === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text)
  if (address instanceof ipaddr.IPv4) return isRangeAllowed(address, policy)
  return isRangeAllowed(embedded(address) ?? address, policy)
}
