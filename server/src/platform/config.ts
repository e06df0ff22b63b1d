// The only reader of the environment. It reports all problems at once and guesses nothing: a misspelt, empty or malformed variable stops
// the start instead of falling back to a default.
import { readFileSync } from 'node:fs'
import { type ProviderKey, providerKeys } from '@bailiwick/contract'
import { ValueRefused } from './config-variable.ts'
import { type ConfigVariables, configVariables } from './config-variables.ts'
import type { MasterKey } from './crypto/master-key.ts'
import { Secret } from './crypto/secret.ts'
import { libpqProblems } from './libpq-environment.ts'
import { oauthKeysOf } from './oauth-variables.ts'
import { levenshtein } from './startup/levenshtein.ts'
import { type TracesConfig, tracesOf } from './telemetry-variables.ts'

export interface Config {
  readonly env: ConfigVariables['env']
  readonly port: number
  readonly host: string
  /** An absolute path. */
  readonly dataDir: string
  /** A PostgreSQL URL; undefined means SQLite in the data directory. */
  readonly databaseUrl: Secret | undefined
  /** Set if `databaseUrl` leads to a pooler in transaction mode. */
  readonly databaseDirectUrl: Secret | undefined
  /** The PostgreSQL URL of standbys that lists are read from. */
  readonly databaseReplicaUrl: Secret | undefined
  readonly databasePool: number
  /** How many processes of this machine answer requests on one port. */
  readonly processes: number
  /** Ends in `/api/v0`, without a trailing slash. */
  readonly baseUrl: string
  /** Undefined in development only, where the key is in the data directory. */
  readonly masterKey: Secret<MasterKey> | undefined
  /** Earlier master keys, which open what they sealed. */
  readonly previousMasterKeys: Secret<readonly MasterKey[]> | undefined
  /** Used by `rotate-master-key` only. */
  readonly newMasterKey: Secret<MasterKey> | undefined
  /** Used by `export` and `import` only. */
  readonly exportPassphrase: Secret | undefined
  /** Undefined in development only, where only callers on this machine are the operator. */
  readonly operatorKey: Secret | undefined
  /** How long requests are still accepted after the signal to stop. */
  readonly shutdownDelayMs: number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  /** IP addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** How many requests the keys of one tenant may make, on each node. */
  readonly tenantRequestsPerSecond: number
  /** Whether everybody may sign up in the console's own tenant, or only people who were invited to a tenant. */
  readonly consoleSignUp: ConfigVariables['consoleSignUp']
  /** Whether tenants whose environment is development are in test mode. */
  readonly isTestModeAllowed: boolean
  /** How many tenants one console user may have created, without deleted ones; 0 means no limit. */
  readonly tenantsPerUserMax: number
  /** Undefined means the system's resolver. */
  readonly dnsServers: readonly string[] | undefined
  /** The mail server for tenants without a channel of their own; set together with `smtpFrom`. */
  readonly smtpUrl: Secret | undefined
  readonly smtpFrom: string | undefined
  /** How many messages may be sent through the deployment's own channel. */
  readonly sending: {
    readonly perTenantPerDay: number
    readonly perCreatorPerDay: number
    readonly perRecipientPerHour: number
    readonly perRecipientPerDay: number
    /** A mailto: or https: address that is safe in headers. */
    readonly abuseContact: string | undefined
  }
  /** Where passwords that were in a breach are looked up. */
  readonly breachedPasswords: ConfigVariables['breachedPasswords']
  readonly challengeVerifyUrl: ConfigVariables['challengeVerifyUrl']
  readonly s3: S3Config | undefined
  /** The bounds of the setting `eventRetentionDays` of tenants; without a maximum, events may be kept as long as their tenant. */
  readonly eventRetention: { readonly daysMin: number; readonly daysMax: number | undefined }
  /** How many files a tenant may have. */
  readonly media: {
    readonly filesMax: number
    readonly bytesMax: number
    /** Limits the images that were made from a tenant's files. */
    readonly keptBytesMax: number
    readonly addresses: 'named' | 'any'
  }
  /** The clients at social providers for tenants without credentials of their own. */
  readonly oauth: Readonly<Partial<Record<ProviderKey, OAuthClient>>>
  readonly logLevel: ConfigVariables['logLevel']
  /** Undefined means that metrics are not served. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  /** Undefined means that there are no traces. */
  readonly traces: TracesConfig | undefined
}

export interface S3Config {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
}

export interface OAuthClient {
  readonly clientId: string
  /** Where the provider gives a private key: that key, which signs the secrets. */
  readonly clientSecret: Secret
  /** Only for a provider whose client has such settings. */
  readonly teamId?: string
  readonly keyId?: string
}

export class ConfigError extends Error {
  /** One sentence for each problem, without secrets. */
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

interface Variable {
  readonly name: string
  readonly isSecret?: boolean
  readonly default?: string
  readonly shownDefault?: string
  readonly description: string
  readonly parse: (text: string) => unknown
}
const variables = Object.entries(configVariables) as [keyof ConfigVariables, Variable][]
const fileNameOf = ({ name }: Variable) => `${name}_FILE`
const knownNames = variables.flatMap(([, each]) =>
  each.isSecret === true ? [each.name, fileNameOf(each)] : [each.name],
)
const shownLengthMax = 80

/** Returns a variable's value for printing. A secret, or a URL with an unexpected password, is not shown. */
function shown(variable: Variable, text: string): string {
  if (variable.isSecret === true || text.includes('@')) return '[secret]'
  return JSON.stringify(text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text)
}

const prefix = 'BAILIWICK_'
/**
 * In production a load balancer needs a few seconds to notice the stop. nginx does not ask, and remembers for 10 s that the node before
 * this one refused connections: without a longer delay it would have nobody to send requests to. In development nobody wants to wait.
 */
const shutdownDelaySecondsOf = { production: 15, development: 0 } as const

/** Names are compared without the prefix, so that BAILIWICK_PORT suggests PORT. */
function unknownVariable(name: string): string {
  const bare = name.slice(prefix.length, prefix.length + shownLengthMax)
  const nearest = knownNames
    .map((known) => ({ known, distance: levenshtein().distance(bare, known.replace(prefix, '')) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  const isNear = nearest !== undefined && nearest.distance <= Math.max(2, bare.length / 2)
  return `${name} is not known${isNear ? `; did you mean ${nearest.known}?` : ''}`
}

/** Collects the values and all problems with them. */
class Reading {
  readonly values: Partial<ConfigVariables> = {}
  readonly problems: string[] = []
  readonly #env: NodeJS.ProcessEnv
  readonly #refused = new Set<string>()

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
    for (const name of Object.keys(env)) {
      if (name.startsWith(prefix) && !knownNames.includes(name)) this.problems.push(unknownVariable(name))
    }
    for (const [key, variable] of variables) this.#read(key, variable)
  }

  refuse(name: string, problem: string) {
    this.#refused.add(name)
    this.problems.push(`${name} ${problem}`)
  }

  /** Whether the variable was set, even to a refused value. */
  isGiven(key: keyof ConfigVariables): boolean {
    return this.values[key] !== undefined || this.#refused.has(configVariables[key].name)
  }

  require(key: keyof ConfigVariables, problem: string) {
    if (!this.isGiven(key)) this.refuse(configVariables[key].name, problem)
  }

  #read(key: keyof ConfigVariables, variable: Variable) {
    const text = this.#textOf(variable)
    if (text === undefined) return
    try {
      Object.assign(this.values, { [key]: variable.parse(text) })
    } catch (error) {
      if (!(error instanceof ValueRefused)) throw error
      this.refuse(variable.name, `${shown(variable, text)} ${error.message}`)
    }
  }

  #textOf(variable: Variable): string | undefined {
    const text = this.#env[variable.name]
    const path = variable.isSecret === true ? this.#env[fileNameOf(variable)] : undefined
    if (text !== undefined && path !== undefined) {
      this.refuse(variable.name, `and ${fileNameOf(variable)} are both set; keep one`)
      return undefined
    }
    const given = path === undefined ? (text ?? variable.default) : this.#fileText(variable, path)
    if (given !== '') return given
    this.refuse(variable.name, `is empty; give it a value or leave it out`)
    return undefined
  }

  #fileText(variable: Variable, path: string): string | undefined {
    try {
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
      this.refuse(variable.name, `cannot be read from ${fileNameOf(variable)} ${JSON.stringify(path)} (${code})`)
      return undefined
    }
  }
}

function requireForProduction(reading: Reading) {
  reading.require('masterKey', 'is required in production: openssl rand -base64 32')
  reading.require('operatorKey', 'is required in production: echo "op_$(openssl rand -hex 32)"')
  reading.require('baseUrl', 'is required in production: the public https address')
  const { baseUrl } = reading.values
  if (baseUrl?.startsWith('https:') === false) {
    reading.refuse(configVariables.baseUrl.name, `${JSON.stringify(baseUrl)} must start with https:// in production`)
  }
}

const s3Keys = ['s3Endpoint', 's3Bucket', 's3Region', 's3AccessKeyId', 's3SecretAccessKey'] as const

function s3Of(reading: Reading): S3Config | undefined {
  const { values } = reading
  if (!s3Keys.some((key) => reading.isGiven(key))) return undefined
  for (const key of s3Keys) reading.require(key, 'is missing: set all BAILIWICK_S3_ variables or none')
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region, s3AccessKeyId, s3SecretAccessKey } = values
  if (!endpoint || !bucket || !region || !s3AccessKeyId || !s3SecretAccessKey) return undefined
  return { endpoint, bucket, region, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
}

function oauthOf(reading: Reading): Config['oauth'] {
  const clients: Partial<Record<ProviderKey, OAuthClient>> = {}
  for (const provider of providerKeys) {
    const keys = oauthKeysOf(provider)
    if (!Object.values(keys).some((key) => reading.isGiven(key))) continue
    for (const key of Object.values(keys)) {
      reading.require(key, 'is missing: set all variables of a provider or none')
    }
    // One that lacks a value is never used: the configuration is refused for it.
    const values = Object.entries(keys).map(([property, key]) => [property, reading.values[key]])
    clients[provider] = Object.fromEntries(values) as OAuthClient
  }
  return clients
}

function checkMasterKeys(reading: Reading) {
  const { masterKey, previousMasterKeys, newMasterKey } = reading.values
  const ids = [masterKey, newMasterKey].flatMap((secret) => (secret === undefined ? [] : [secret.reveal().id]))
  const all = [...ids, ...(previousMasterKeys?.reveal().map(({ id }) => id) ?? [])]
  if (new Set(all).size < all.length) {
    reading.refuse(configVariables.masterKey.name, 'and the other master keys must all differ')
  }
  for (const key of ['previousMasterKeys', 'newMasterKey'] as const) {
    if (reading.isGiven(key) && !reading.isGiven('masterKey')) {
      reading.refuse(configVariables[key].name, `needs ${configVariables.masterKey.name}`)
    }
  }
}

function requireBothOfSmtp(reading: Reading) {
  if (reading.values.smtpUrl !== undefined) reading.require('smtpFrom', "is missing: it is the sender's address")
  if (reading.values.smtpFrom !== undefined) reading.require('smtpUrl', 'is missing: it names the mail server')
}

/** Each process serves its metrics at a port of its own, the first at the one that is named. */
function checkProcesses(reading: Reading) {
  const { processes = 1, metricsPort, port = 0 } = reading.values
  if (processes > 1 && !reading.isGiven('databaseUrl')) {
    reading.refuse(configVariables.processes.name, 'must be 1 without DATABASE_URL: one process alone can use SQLite')
  }
  if (metricsPort === undefined) return
  const lastPort = metricsPort + processes - 1
  if (lastPort > 65_535) {
    reading.refuse(configVariables.metricsPort.name, `must leave room for ${processes} ports, up to 65535`)
  } else if (port >= metricsPort && port <= lastPort) {
    const range = processes === 1 ? '' : `: the ${processes} processes serve metrics at ${metricsPort} to ${lastPort}`
    reading.refuse(configVariables.metricsPort.name, `must differ from PORT${range}`)
  }
}

function checkRetention(reading: Reading) {
  const { eventRetentionDaysMin: min = 0, eventRetentionDaysMax: max } = reading.values
  const name = configVariables.eventRetentionDaysMin.name
  if (max !== undefined && max < min)
    reading.refuse(configVariables.eventRetentionDaysMax.name, `must not be less than ${name}`)
}

/** Reports variables that are right alone, and contradict each other. */
function checkTogether(reading: Reading) {
  const { values } = reading
  checkMasterKeys(reading)
  requireBothOfSmtp(reading)
  checkProcesses(reading)
  checkRetention(reading)
  if (values.databaseDirectUrl !== undefined && !reading.isGiven('databaseUrl')) {
    reading.refuse(configVariables.databaseDirectUrl.name, 'requires DATABASE_URL, the address of the pooler')
  }
  if (values.databaseReplicaUrl !== undefined && !reading.isGiven('databaseUrl')) {
    reading.refuse(configVariables.databaseReplicaUrl.name, 'requires DATABASE_URL, the database of this standby')
  }
}

/** Variables of libpq that protect a connection are not read. */
function checkLibpq(reading: Reading, env: NodeJS.ProcessEnv) {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl } = reading.values
  const addresses = [databaseUrl, databaseDirectUrl, databaseReplicaUrl].flatMap((url) =>
    url === undefined ? [] : [url.reveal()],
  )
  for (const [name, problem] of libpqProblems(env, addresses)) reading.refuse(name, problem)
}

const sendingOf = (values: ConfigVariables): Config['sending'] => ({
  perTenantPerDay: values.messagesPerTenantPerDay,
  perCreatorPerDay: values.messagesPerCreatorPerDay ?? values.messagesPerTenantPerDay,
  perRecipientPerHour: values.messagesPerRecipientPerHour,
  perRecipientPerDay: values.messagesPerRecipientPerDay,
  abuseContact: values.abuseContact,
})

const mediaOf = (values: ConfigVariables): Config['media'] => ({
  filesMax: values.mediaFilesPerTenant,
  bytesMax: values.mediaMibPerTenant * 1024 * 1024,
  keptBytesMax: values.mediaKeptMibPerTenant * 1024 * 1024,
  addresses: values.mediaAddresses ?? (values.env === 'development' ? 'any' : 'named'),
})

/** @throws ConfigError that lists every problem. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const reading = new Reading(env)
  if (reading.values.env === 'production') requireForProduction(reading)
  const s3 = s3Of(reading)
  const oauth = oauthOf(reading)
  checkTogether(reading)
  checkLibpq(reading, env)
  if (reading.problems.length > 0) throw new ConfigError(reading.problems)

  // Every variable with a default and no problem has a value.
  const values = reading.values as ConfigVariables
  const { env: environment, port, metricsPort } = values
  return {
    env: environment,
    port,
    host: values.host,
    dataDir: values.dataDir,
    databaseUrl: values.databaseUrl,
    databaseDirectUrl: values.databaseDirectUrl,
    databaseReplicaUrl: values.databaseReplicaUrl,
    databasePool: values.databasePool,
    processes: values.processes,
    baseUrl: values.baseUrl ?? `http://127.0.0.1:${port}/api/v0`,
    masterKey: values.masterKey,
    previousMasterKeys: values.previousMasterKeys,
    newMasterKey: values.newMasterKey,
    exportPassphrase: values.exportPassphrase,
    operatorKey: values.operatorKey,
    shutdownDelayMs: 1000 * (values.shutdownDelaySeconds ?? shutdownDelaySecondsOf[environment]),
    keepAliveMs: 1000 * values.keepAliveSeconds,
    trustedProxies: values.trustedProxies ?? [],
    tenantRequestsPerSecond: values.tenantRequestsPerSecond,
    consoleSignUp: values.consoleSignUp,
    isTestModeAllowed: (values.testMode ?? (environment === 'development' ? 'on' : 'off')) === 'on',
    tenantsPerUserMax: values.tenantsPerUserMax,
    dnsServers: values.dnsServers,
    smtpUrl: values.smtpUrl,
    smtpFrom: values.smtpFrom,
    sending: sendingOf(values),
    breachedPasswords: values.breachedPasswords,
    challengeVerifyUrl: values.challengeVerifyUrl,
    s3,
    eventRetention: { daysMin: values.eventRetentionDaysMin, daysMax: values.eventRetentionDaysMax },
    media: mediaOf(values),
    oauth,
    logLevel: values.logLevel,
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: values.metricsHost },
    traces: tracesOf(values),
  }
}

/** Returns the variables for the documentation. `default` is empty if there is none. */
export function describeConfig(): { name: string; default: string; description: string }[] {
  return variables.map(([, variable]) => ({
    name: variable.name,
    default: variable.shownDefault ?? variable.default ?? '',
    description:
      variable.description +
      (variable.isSecret === true ? ` Or the path of a file that holds it: ${fileNameOf(variable)}.` : ''),
  }))
}
