// The development deployment's rule: a caller on this machine without a credential acts as the operator. The rule does not apply when
// anything points to a proxy, a foreign page or a rebound host name (DNS rebinding, CSRF from a browser).
import type { IncomingMessage } from 'node:http'

const loopbackPeer = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-original-url',
  'x-host',
] as const

export function isLoopbackCaller(request: IncomingMessage): boolean {
  const { headers, socket } = request
  if (!loopbackPeer.test(socket.remoteAddress ?? '')) return false
  const host = headers.host ?? ''
  if (!loopbackHost.test(host)) return false
  for (const name of proxyHeaders) if (headers[name] !== undefined) return false
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${host}`) return false
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
