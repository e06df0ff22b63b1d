// Looks up names that tenants choose, whose name servers may belong to them and may never answer. Queries are sent over sockets (c-ares)
// and never by `getaddrinfo`, which blocks one of the few threads shared with files, hashing and compression. The duration of a look-up is
// bounded, and so is the number of concurrent ones, with a share for each tenant.
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { createTurns } from '../turns/turns.ts'

const hostsFile = '/etc/hosts'
const tries = 2
/** `tryMs` is for the first try, and the second one takes twice as long; `lookupMs` is for all tries, however many servers are asked. */
const limits = {
  tryMs: 1500,
  lookupMs: 8000,
  atOnceMax: 256,
  atOnceOfOwnerMax: 16,
  waitingMax: 2048,
  waitingOfOwnerMax: 128,
}
/** Resolved as glibc and browsers do, whatever name servers answer for these names (RFC 6761). */
const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface Asking {
  /** The tenant that causes the look-up; other tenants do not wait for it. */
  readonly owner: string
  /** Aborts the look-up, even one that waits for its turn. */
  readonly signal?: AbortSignal
}

/** Every look-up rejects with an error of `node:dns`, or with TooManyWaiting. */
export interface Names {
  /** Returns the addresses from the hosts file or, if there are none, all that name servers return. */
  readonly addresses: (hostname: string, asking: Asking) => Promise<readonly ResolvedAddress[]>
  /** Returns the TXT records, each in the pieces in which it was sent. */
  readonly texts: (name: string, asking: Asking) => Promise<readonly (readonly string[])[]>
}

/** Parses the lines of a hosts file: an address, its names, and perhaps a comment. */
export function addressesInHosts(text: string, hostname: string): ResolvedAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((name) => name.toLowerCase() === hostname) ? [{ address, family }] : []
  })
}

/** Names that this machine knows without asking a name server. */
async function ownAddresses(name: string): Promise<readonly ResolvedAddress[]> {
  // Without a hosts file there are no such names.
  const found = addressesInHosts(await readFile(hostsFile, 'utf8').catch(() => ''), name)
  if (found.length > 0) return found
  return name === 'localhost' || name.endsWith('.localhost') ? loopback : []
}

/** Looks up both families at once; one without addresses is ignored if the other has some. */
async function askAddresses(resolver: Resolver, name: string): Promise<readonly ResolvedAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const ofFamily = (family: number, answer: PromiseSettledResult<string[]>) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  const found = [...ofFamily(4, four), ...ofFamily(6, six)]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** @param times replaced in tests. */
export function createNames(
  { dnsServers }: Pick<Config, 'dnsServers'>,
  { tryMs, lookupMs }: Pick<typeof limits, 'tryMs' | 'lookupMs'> = limits,
): Names {
  const inTurn = createTurns(limits)

  const ask = <T>({ owner, signal }: Asking, question: (resolver: Resolver) => Promise<T>): Promise<T> =>
    inTurn(owner, async () => {
      signal?.throwIfAborted()
      // A new one for each look-up, because what c-ares learns about slow servers from one tenant's names must not delay another's.
      const resolver = new Resolver({ timeout: tryMs, maxTimeout: 2 * tryMs, tries })
      if (dnsServers !== undefined) resolver.setServers(dnsServers)
      const cancel = () => resolver.cancel()
      const timer = setTimeout(cancel, lookupMs)
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return await question(resolver)
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
    })

  return {
    async addresses(hostname, asking) {
      const name = hostname.toLowerCase().replace(/\.$/, '')
      const own = await ownAddresses(name)
      return own.length > 0 ? own : ask(asking, (resolver) => askAddresses(resolver, name))
    },
    texts: (name, asking) => ask(asking, (resolver) => resolver.resolveTxt(name)),
  }
}
