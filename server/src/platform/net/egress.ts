// The only way out to an address that a tenant or user has named; it prevents server-side request forgery. The name is resolved once, every
// address is checked, and the connection goes to a checked address, so a name that resolves differently a moment later changes nothing.
// Redirects are returned like any other answer, never followed.
import { lookup } from 'node:dns/promises'
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type LookupFunction, type Socket, connect, isIP } from 'node:net'
import { TooManyWaiting } from '../turns/turns.ts'
import { type AddressPolicy, isAddressAllowed } from './address.ts'
import type { Asking, ResolvedAddress } from './names.ts'
import { HttpAgent, httpRequest } from './node-http.ts'

export type { ResolvedAddress }

/** Returns every address of a name. */
export type Resolve = (hostname: string, asking: Asking) => Promise<readonly ResolvedAddress[]>

export type EgressErrorCode =
  | 'url_refused'
  | 'address_refused'
  | 'unresolvable'
  | 'too_many_lookups'
  | 'timed_out'
  | 'connection_failed'
  | 'answer_cut'

const messages: Readonly<Record<EgressErrorCode, string>> = {
  url_refused:
    'The service does not call this URL: it must be https, without user name and password, and use port 443 or a port above 1023.',
  address_refused: 'The host is not on the public internet.',
  unresolvable: 'The host has no address.',
  too_many_lookups: 'Too many host names are being resolved at the moment.',
  timed_out: 'There was no response in time.',
  connection_failed: 'The connection failed.',
  answer_cut: 'The connection was closed before the response was complete.',
}

/** States the reason without anything that reveals the network: neither addresses nor ports. */
export class EgressError extends Error {
  readonly code: EgressErrorCode
  constructor(code: EgressErrorCode, options?: ErrorOptions) {
    super(messages[code], options)
    this.name = 'EgressError'
    this.code = code
  }
}

export interface EgressRequest {
  /** The tenant that makes the call; name look-ups are shared between tenants. */
  readonly tenantId: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The time for the whole call, from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number
  /** The rest of the answer is not read. */
  readonly responseBytesMax: number
  /**
   * Whether the connection is kept for a few seconds, for the tenant's next such request to the host. A request that meets a connection which the
   * server has just closed is sent again, once.
   */
  readonly isKeptAlive?: boolean
  readonly signal?: AbortSignal
}

export interface EgressResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  /** Whether the answer was longer than `responseBytesMax`. */
  readonly isTruncated: boolean
}

export interface ConnectOptions {
  readonly tenantId: string
  /** The time from the look-up of the name until it is connected. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface Egress {
  /**
   * Checks a URL as far as possible without looking up its name.
   * @throws EgressError url_refused, address_refused
   */
  check(url: string): URL
  /** @throws EgressError */
  request(url: string, request: EgressRequest): Promise<EgressResponse>
  /**
   * Opens a connection for another protocol; the caller decides about ports.
   * @throws EgressError
   */
  connect(host: string, port: number, options: ConnectOptions): Promise<Socket>
}

const portsBelow = 1024
const httpsPort = 443
/** Shorter than servers usually wait for the next request: Node's wait for 5 s, others for longer. */
const keptAliveMs = 4000
/** How many idle connections to one host are kept. */
const keptAliveMax = 4

/**
 * Asks the system's resolver, with its search list and hosts file; for names that the operator has chosen. Concurrent look-ups of a name
 * share one answer, so that a silent name server blocks only one thread.
 */
function createSystemResolve(): Resolve {
  const pending = new Map<string, Promise<readonly ResolvedAddress[]>>()
  return (hostname) => {
    const known = pending.get(hostname)
    if (known !== undefined) return known
    const asked = lookup(hostname, { all: true, order: 'verbatim' }).finally(() => pending.delete(hostname))
    pending.set(hostname, asked)
    return asked
  }
}

/** Removes the brackets, which belong to the URL and not to the address. */
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, '$1')

function parse(text: string, policy: AddressPolicy): URL {
  if (!URL.canParse(text)) throw new EgressError('url_refused')
  const url = new URL(text)
  const isSchemeAllowed = url.protocol === 'https:' || (policy.isPrivateAllowed && url.protocol === 'http:')
  // Well-known ports belong to other protocols, which a request could be crafted to speak.
  const port = url.port === '' ? httpsPort : Number(url.port)
  const isPortAllowed = policy.isPrivateAllowed || port === httpsPort || port >= portsBelow
  if (!isSchemeAllowed || !isPortAllowed || url.username !== '' || url.password !== '') {
    throw new EgressError('url_refused')
  }
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAddressAllowed(host, policy)) throw new EgressError('address_refused')
  return url
}

async function addressesOf(
  host: string,
  policy: AddressPolicy,
  resolve: Resolve,
  asking: Asking,
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host)
  let addresses: readonly ResolvedAddress[]
  try {
    addresses = family === 0 ? await resolve(host, asking) : [{ address: host, family }]
  } catch (cause) {
    throw new EgressError(cause instanceof TooManyWaiting ? 'too_many_lookups' : 'unresolvable', { cause })
  }
  if (addresses.length === 0) throw new EgressError('unresolvable')
  // One forbidden address refuses the name, because we cannot control which address a connection would use.
  if (!addresses.every(({ address }) => isAddressAllowed(address, policy))) throw new EgressError('address_refused')
  return addresses
}

/** Returns the checked addresses, whatever name the connection asks for. */
const pinned =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

const addressGuard = (policy: AddressPolicy) => (outgoing: ClientRequest) => {
  // A last check of the address that the connection has really reached.
  outgoing.once('socket', (socket) => {
    // It was checked when it was opened.
    if (outgoing.reusedSocket) return
    socket.once('connect', () => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || !isAddressAllowed(remoteAddress, policy)) {
        outgoing.destroy(new EgressError('address_refused'))
      }
    })
  })
}

async function read(incoming: IncomingMessage, bytesMax: number): Promise<{ body: Buffer; isTruncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the answer and its connection.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > bytesMax) return { body: Buffer.concat(chunks).subarray(0, bytesMax), isTruncated: true }
  }
  return { body: Buffer.concat(chunks), isTruncated: false }
}

/** The server has closed a connection that was kept, before it answered the request. */
class KeptConnectionClosed extends Error {}

const isClosed = (cause: Error) => 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')

function send(url: URL, options: RequestOptions, body: string | undefined, guard: (outgoing: ClientRequest) => void) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
    guard(outgoing)
    outgoing.once('response', resolve)
    // This listener stays, because an error after the answer has begun belongs to the answer.
    outgoing.on('error', (cause) => {
      reject(outgoing.reusedSocket && isClosed(cause) ? new KeptConnectionClosed('', { cause }) : cause)
    })
    outgoing.end(body)
  })
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new EgressError('timed_out'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function open(port: number, addresses: readonly ResolvedAddress[], policy: AddressPolicy, signal: AbortSignal) {
  return new Promise<Socket>((resolve, reject) => {
    // The name is not looked up again, because all its addresses are known.
    const socket = connect({ host: 'checked', port, lookup: pinned(addresses), autoSelectFamily: true, signal })
    const fail = (cause: Error) =>
      reject(new EgressError(signal.aborted ? 'timed_out' : 'connection_failed', { cause }))
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.removeListener('error', fail)
      const { remoteAddress } = socket
      if (remoteAddress !== undefined && isAddressAllowed(remoteAddress, policy)) return resolve(socket)
      socket.destroy()
      reject(new EgressError('address_refused'))
    })
  })
}

const signalOf = ({ timeoutMs, signal }: Omit<ConnectOptions, 'tenantId'>) => {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal])
}

/**
 * Runs a call within its time. The timer ends with the call: one that runs out later, as `AbortSignal.timeout` does, makes an error with its
 * stack for nobody.
 */
async function withinTime<T>(
  { timeoutMs, signal }: Pick<EgressRequest, 'timeoutMs' | 'signal'>,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  timer.unref()
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  try {
    return await call(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

type Owned = Pick<EgressRequest, 'tenantId'>

/** Keeps each tenant's connections apart, so that what a server sends beyond its answer reaches no other tenant. */
function keptApart<Kind extends Agent>(agent: Kind): Kind {
  const getName = agent.getName.bind(agent)
  agent.getName = (options) => `${(options as Partial<Owned> | undefined)?.tenantId} ${getName(options)}`
  return agent
}

/** Keeps connections to checked addresses. They do not keep the process alive. */
function createAgents() {
  const options = { keepAlive: true, maxFreeSockets: keptAliveMax, timeout: keptAliveMs }
  return { 'http:': keptApart(new HttpAgent(options)), 'https:': keptApart(new HttpsAgent(options)) }
}

/** @param resolve `Names` looks up names chosen by tenants; by default the system's resolver is used. */
export function createEgress(policy: AddressPolicy, resolve: Resolve = createSystemResolve()): Egress {
  const agents = createAgents()

  async function call(url: URL, request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const addresses = await abortable(
      addressesOf(hostOf(url), policy, resolve, { owner: request.tenantId, signal }),
      signal,
    )
    const { tenantId, method, headers, body, responseBytesMax, isKeptAlive = false } = request
    const options: RequestOptions & Owned = { tenantId, method, headers, signal, lookup: pinned(addresses) }
    const guard = addressGuard(policy)
    // Without an agent, a request has its own connection to the checked addresses.
    const sendAnew = () => send(url, { ...options, agent: false }, body, guard)
    const sendAlong = (agent: Agent) =>
      send(url, { ...options, agent }, body, guard).catch((cause: unknown) => {
        if (cause instanceof KeptConnectionClosed && !signal.aborted) return sendAnew()
        throw cause
      })
    let hasAnswered = false
    try {
      const incoming = await (isKeptAlive
        ? sendAlong(agents[url.protocol === 'https:' ? 'https:' : 'http:'])
        : sendAnew())
      hasAnswered = true
      const answer = await read(incoming, responseBytesMax)
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, ...answer }
    } catch (cause) {
      if (cause instanceof EgressError) throw cause
      if (signal.aborted) throw new EgressError('timed_out', { cause })
      throw new EgressError(hasAnswered ? 'answer_cut' : 'connection_failed', { cause })
    }
  }

  return {
    check: (url) => parse(url, policy),
    request(text, request) {
      return withinTime(request, async (signal) => call(parse(text, policy), request, signal))
    },
    async connect(host, port, options) {
      const signal = signalOf(options)
      const asking = { owner: options.tenantId, signal }
      return open(port, await abortable(addressesOf(host, policy, resolve, asking), signal), policy, signal)
    },
  }
}
