// Parses DATABASE_URL as libpq does: one server or several, of which one at a time takes writes
// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
import type { ClientConfig } from 'pg'
import { refuse } from './address-error.ts'
import { type ChannelBinding, driverParameters } from './parameters.ts'

const hostsMax = 16
const connectMilliseconds = 3000
/** Used if there are several hosts, so that an unresponsive one does not use up the time of the others. */
const connectMillisecondsOfSeveral = 2000
const connectSecondsMax = 30

export interface PostgresqlHost {
  /** For messages; without user and password. */
  readonly name: string
  readonly config: ClientConfig
}

export interface PostgresqlAddress {
  readonly hosts: readonly PostgresqlHost[]
  /** How long connecting to one of the hosts may take. */
  readonly connectMilliseconds: number
  readonly channelBinding: ChannelBinding
}

/** Matches the scheme, user and password, hosts with their ports, path, and query. */
const form = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const hostAndPort = /^(\[[^\][]*\]|[^:[\]]*)(?::(\d*))?$/

/**
 * @param isOfStandbys whether the address leads to standbys, which take no writes.
 * @throws PostgresqlAddressError
 */
export function parsePostgresqlAddress(url: string, isOfStandbys = false): PostgresqlAddress {
  const found = form.exec(url)
  if (found === null || /\s/.test(url)) return refuse(reasonAgainst(url))
  const [, user, authority = '', path = '', query = ''] = found
  const { host, port, ...others } = parametersOf(query)
  const { target_session_attrs: attributes, load_balance_hosts: balance, connect_timeout: timeout, ...rest } = others
  if ('hostaddr' in rest) refuse('has hostaddr, which is not supported: use host with the address instead')
  if (isOfStandbys) assertReadable(attributes)
  else assertWritable(attributes)
  const { query: driverQuery, database, channelBinding } = driverParameters(rest, !query.includes('@'))
  const named = authority.split(',').map(splitHost)
  const hosts = host === undefined ? named.map((each) => each.host) : host.split(',')
  const ports = portsOf(
    port === undefined ? named.map((each) => each.port) : port.split(','),
    hosts.length,
    host !== undefined,
  )
  if (hosts.length > hostsMax) refuse(`names more than ${hostsMax} hosts`)
  if (hosts.length > 1 && hosts.includes('')) refuse('names a host without a name')
  const databasePath = database === undefined ? path : encodeURIComponent(database)
  const all = hosts.map((each, index): PostgresqlHost => {
    const own = {
      ...driverQuery,
      ...(each === '' ? {} : { host: each }),
      ...(ports[index] ? { port: ports[index] } : {}),
    }
    const login = `${user === undefined ? '' : `${user}@`}${each === '' ? '' : 'localhost'}`
    const parameters = new URLSearchParams(own).toString()
    return {
      name: `${each || 'localhost'}${ports[index] ? `:${ports[index]}` : ''}`,
      config: { connectionString: `postgresql://${login}/${databasePath}?${parameters}` },
    }
  })
  return {
    hosts: isBalanced(balance) ? shuffled(all) : all,
    connectMilliseconds: millisecondsOf(timeout, hosts.length),
    channelBinding,
  }
}

function reasonAgainst(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return 'must start with postgres:// or postgresql://'
  return url.includes('#') ? 'must not have #; in a password it is written as %23' : 'is not a URL'
}

function parametersOf(query: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(query))
}

function splitHost(text: string): { readonly host: string; readonly port: string } {
  const [, host, port = ''] = hostAndPort.exec(text) ?? refuse('has a host or port that is not valid')
  return { host: decoded((host ?? '').replace(/^\[(.*)\]$/, '$1')), port }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('has a % that is not followed by two hexadecimal digits')
  }
}

/** There is one port for each host, or one for all. */
function portsOf(given: readonly string[], count: number, isOverridden: boolean): readonly string[] {
  for (const port of given) {
    if (port !== '' && (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)) {
      refuse('names a port that is not a number from 1 to 65535')
    }
  }
  if (given.length === count) return given
  if (given.length === 1) return Array.from({ length: count }, () => given[0] ?? '')
  // Hosts in the query replace those before it, including their ports.
  if (isOverridden && given.every((port) => port === '')) return Array.from({ length: count }, () => '')
  return refuse('must have one port for all hosts, or as many ports as hosts')
}

/** Every connection must be able to write, so the three accepted values mean the same here. */
function assertWritable(attributes: string | undefined): void {
  if (attributes === undefined || ['any', 'read-write', 'primary'].includes(attributes)) return
  if (['read-only', 'standby', 'prefer-standby'].includes(attributes)) {
    refuse(
      `has target_session_attrs=${attributes}, which can select a server that does not accept writes; ` +
        'use read-write, primary or any',
    )
  }
  refuse('has an unknown target_session_attrs; use read-write, primary or any')
}

/** A standby is used whatever the accepted values say. */
function assertReadable(attributes: string | undefined): void {
  if (attributes === undefined || ['any', 'read-only', 'standby', 'prefer-standby'].includes(attributes)) return
  refuse('has a target_session_attrs that excludes standbys; use standby, or leave it out')
}

function isBalanced(balance: string | undefined): boolean {
  if (balance === undefined || balance === 'disable') return false
  return balance === 'random' || refuse('has an unknown load_balance_hosts; use disable or random')
}

function millisecondsOf(timeout: string | undefined, hosts: number): number {
  if (timeout !== undefined && (!/^\d{1,3}$/.test(timeout) || Number(timeout) > connectSecondsMax)) {
    refuse(`has a connect_timeout that is not a whole number of seconds up to ${connectSecondsMax}`)
  }
  if (timeout !== undefined && Number(timeout) > 0) return Number(timeout) * 1000
  return hosts > 1 ? connectMillisecondsOfSeveral : connectMilliseconds
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value)
}
