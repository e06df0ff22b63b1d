// The parameters in the query of DATABASE_URL: those that do here what they do in libpq
// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS). Every other one is refused, since a setting that is passed over in
// silence may be the one that was to protect the connection.
import { accessSync, constants } from 'node:fs'
import { refuse } from './address-error.ts'

export interface DriverParameters {
  /** For the query of the driver's connection string. */
  readonly query: Readonly<Record<string, string>>
  /** The database, if the query names it. */
  readonly database: string | undefined
  readonly channelBinding: ChannelBinding
}

export type ChannelBinding = 'disable' | 'prefer' | 'require'

type Parameters = Readonly<Record<string, string>>

/** Those that the driver understands as libpq does, whatever their value. */
const passedOn = new Set(['user', 'password', 'application_name', 'fallback_application_name', 'options'])
const files = ['sslcert', 'sslkey', 'sslrootcert']
/** Those with values that ask for what is done anyway. */
const asDone: Readonly<Record<string, readonly string[]>> = {
  gssencmode: ['disable', 'prefer'],
  sslcompression: ['0'],
  sslsni: ['1'],
  keepalives: ['1'],
  client_encoding: ['utf8', 'UTF8', 'utf-8', 'UTF-8'],
}
/** Those that change how others are read. */
const readHere = new Set(['dbname', 'ssl', 'sslmode', 'sslnegotiation', 'channel_binding', 'uselibpqcompat', ...files])
const bindings: readonly string[] = ['disable', 'prefer', 'require'] satisfies ChannelBinding[]

/**
 * @param mayName whether a refusal may name the parameter: a password that was not escaped may look like one.
 * @throws PostgresqlAddressError
 */
export function driverParameters(parameters: Parameters, mayName: boolean): DriverParameters {
  for (const [name, value] of Object.entries(parameters)) {
    const values = Object.hasOwn(asDone, name) ? asDone[name] : undefined
    if (values !== undefined && !values.includes(value)) {
      refuse(`has a value of ${name} that is not supported; ${oneOf(values)}, or leave it out`)
    }
    if (values === undefined && !passedOn.has(name) && !readHere.has(name)) {
      refuse(`has ${mayName ? `the parameter ${name}, which is` : 'a parameter that is'} not supported here`)
    }
  }
  const kept = Object.entries(parameters).filter(([name]) => passedOn.has(name))
  const tls = tlsParameters(parameters)
  return {
    query: { ...Object.fromEntries(kept), ...tls },
    database: parameters['dbname'],
    channelBinding: channelBinding(parameters['channel_binding'], tls),
  }
}

const oneOf = (values: readonly string[]) => `use ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}`

function tlsParameters({ ssl, sslmode, sslnegotiation, uselibpqcompat, ...others }: Parameters): Parameters {
  if (ssl !== undefined && ssl !== 'true') refuse('has an unknown value of ssl; use sslmode')
  const own = Object.fromEntries(
    files.flatMap((name) => (name in others ? [[name, readableFile(name, others[name])]] : [])),
  )
  const mode = tlsMode(sslmode ?? (ssl === undefined && Object.keys(own).length === 0 ? undefined : 'require'))
  if (mode === undefined || mode === 'disable') {
    if (sslnegotiation === 'direct') refuse('has sslnegotiation=direct, which needs an sslmode that uses TLS')
    return mode === undefined ? {} : { sslmode: mode }
  }
  if (sslnegotiation !== undefined && !['postgres', 'direct'].includes(sslnegotiation)) {
    refuse('has an unknown sslnegotiation; use postgres or direct')
  }
  return {
    ...own,
    ...(sslnegotiation === undefined ? {} : { sslnegotiation }),
    ...checkedAs(mode, uselibpqcompat, 'sslrootcert' in own),
  }
}

/** The certificate and the name of the server are checked unless the address says otherwise. */
function checkedAs(mode: string, compatible: string | undefined, hasRoots: boolean): Parameters {
  if (compatible !== undefined && !['true', 'false'].includes(compatible)) {
    refuse('has an unknown uselibpqcompat; use true or false')
  }
  if (mode === 'no-verify' || mode === 'verify-full') return { sslmode: mode }
  if (compatible !== 'true') return { sslmode: 'verify-full' }
  if (mode === 'verify-ca' && !hasRoots) refuse('has sslmode=verify-ca without sslrootcert; use verify-full')
  return { sslmode: mode, uselibpqcompat: 'true' }
}

function tlsMode(mode: string | undefined): string | undefined {
  if (mode === 'prefer' || mode === 'allow') {
    refuse(`has sslmode=${mode}, with which the connection may be unencrypted; use disable, require or verify-full`)
  }
  if (mode === undefined || ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'].includes(mode)) return mode
  return refuse('has an unknown sslmode; use disable, require, verify-ca or verify-full')
}

function readableFile(name: string, path = ''): string {
  try {
    accessSync(path, constants.R_OK)
    return path
  } catch {
    return refuse(`names a file in ${name} that cannot be read`)
  }
}

function channelBinding(value: string | undefined, tls: Parameters): ChannelBinding {
  if (value === undefined) return 'disable'
  if (!bindings.includes(value)) refuse(`has an unknown channel_binding; ${oneOf(bindings)}`)
  if (value === 'require' && !('sslmode' in tls && tls['sslmode'] !== 'disable')) {
    refuse('has channel_binding=require, which needs TLS; add sslmode=verify-full')
  }
  return value as ChannelBinding
}
