// Whom limits by address count together: an IPv4 address, or the /64 that one IPv6 subscriber has for itself.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { FastifyRequest } from 'fastify'

/** @param ip as the socket or a trusted proxy gives it; undefined for what is no address. */
export function addressKey(ip: string): string | undefined {
  const family = isIP(ip)
  if (family === 4) return ip
  if (family === 0) return undefined
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Where a trusted proxy passes on what is no address, the caller counts as the proxy. */
export const addressKeyOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  addressKey(ip) ?? addressKey(socket.remoteAddress ?? '') ?? 'unknown'
