// The keys under which limits count an address. One subscriber is an IPv4 address or an IPv6 /64. A provider may give one customer a whole
// /48, which has 65,536 of those.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

export interface AddressKeys {
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly subscriber: string
  /** The /48 of an IPv6 address; IPv4 has nothing like it. */
  readonly site: string | undefined
}

const ipv4Of = (high: number, low: number) => new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]).toString()

/**
 * Returns the IPv4 address that receives the answers to an IPv6 address: mapped addresses, NAT64's well-known prefix (RFC 6052), 6to4 (RFC
 * 3056), and Teredo (RFC 4380), which stores it inverted. Otherwise the owner of one IPv4 address could call from a whole 6to4 /48, or from
 * as many Teredo prefixes as there are server addresses, and everybody behind a translator would share one /64. A local NAT64 prefix (RFC
 * 8215) does not tell where the IPv4 address is, and counts like any other /64.
 */
function embeddedIpv4(address: ipaddr.IPv6): string | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = address.parts
  const isMapped = (a | b | c | d | e) === 0 && f === 0xffff
  const isTranslated = a === 0x64 && b === 0xff9b && (c | d | e | f) === 0
  if (isMapped || isTranslated) return ipv4Of(g, h)
  if (a === 0x2002) return ipv4Of(b, c)
  if (a === 0x2001 && b === 0) return ipv4Of(g ^ 0xffff, h ^ 0xffff)
  return undefined
}

const prefix = ({ parts }: ipaddr.IPv6, bits: 48 | 64) =>
  `${parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(':')}::/${bits}`

/** @param ip as the socket or a trusted proxy gives it. Returns undefined if it is not an address. */
export function addressKeys(ip: string): AddressKeys | undefined {
  const family = isIP(ip)
  if (family === 4) return { subscriber: ip, site: undefined }
  if (family === 0) return undefined
  const address = ipaddr.IPv6.parse(ip)
  const ipv4 = embeddedIpv4(address)
  if (ipv4 !== undefined) return { subscriber: ipv4, site: undefined }
  return { subscriber: prefix(address, 64), site: prefix(address, 48) }
}

/** If a trusted proxy passes on something that is not an address, the caller is counted as the proxy. */
export const addressKeysOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): AddressKeys =>
  addressKeys(ip) ?? addressKeys(socket.remoteAddress ?? '') ?? { subscriber: 'unknown', site: undefined }
