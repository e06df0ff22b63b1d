// Looks up names that tenants choose, whose name servers may be theirs as well and may never answer. The questions are asked over sockets
// (c-ares) and never by `getaddrinfo`, which blocks one of the few threads that files, hashing and compression share. How long
// a look-up takes is bounded, and so is how many of them run at once, with a share for each tenant.
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { createTurns } from '../turns/turns.ts'

const hostsFile = '/etc/hosts'
const tries = 2
/** `tryMs` is of the first try, the second one takes twice as long; `lookupMs` of all, whatever number of servers is asked. */
const limits = {
  tryMs: 1500,
  lookupMs: 8000,
  atOnceMax: 256,
  atOnceOfOwnerMax: 16,
  waitingMax: 2048,
  waitingOfOwnerMax: 128,
}
/** As glibc and browsers answer, whatever name servers say of these names (RFC 6761). */
const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface Asking {
  /** The tenant that causes the look-up: others do not wait for what it asks. */
  readonly owner: string
  /** Ends the look-up, also one that waits for its turn. */
  readonly signal?: AbortSignal
}

/** Every look-up throws what `node:dns` throws, and TooManyWaiting. */
export interface Names {
  /** What the hosts file says of the name, else every address that name servers know. */
  readonly addresses: (hostname: string, asking: Asking) => Promise<readonly ResolvedAddress[]>
  /** The TXT records, each in the pieces that it was sent in. */
  readonly texts: (name: string, asking: Asking) => Promise<readonly (readonly string[])[]>
}

/** Reads the lines of a hosts file: an address, its names, and perhaps a comment. */
export function addressesInHosts(text: string, hostname: string): ResolvedAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((name) => name.toLowerCase() === hostname) ? [{ address, family }] : []
  })
}

/** What this machine knows without asking anybody. */
async function ownAddresses(name: string): Promise<readonly ResolvedAddress[]> {
  // A deployment without the file has nothing in it.
  const found = addressesInHosts(await readFile(hostsFile, 'utf8').catch(() => ''), name)
  if (found.length > 0) return found
  return name === 'localhost' || name.endsWith('.localhost') ? loopback : []
}

/** Both families at once; a family without addresses does not matter while the other one has some. */
async function askAddresses(resolver: Resolver, name: string): Promise<readonly ResolvedAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const ofFamily = (family: number, answer: PromiseSettledResult<string[]>) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  const found = [...ofFamily(4, four), ...ofFamily(6, six)]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** @param times replaced by tests that wait for something else than time. */
export function createNames(
  { dnsServers }: Pick<Config, 'dnsServers'>,
  { tryMs, lookupMs }: Pick<typeof limits, 'tryMs' | 'lookupMs'> = limits,
): Names {
  const inTurn = createTurns(limits)

  const ask = <T>({ owner, signal }: Asking, question: (resolver: Resolver) => Promise<T>): Promise<T> =>
    inTurn(owner, async () => {
      signal?.throwIfAborted()
      // One for each look-up: what c-ares learns of slow servers from one tenant's names must not delay another's.
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
