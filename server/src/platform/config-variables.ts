// Declares every environment variable: its name, parser, default and description.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isEmail } from '@bailiwick/contract'
import ipaddr from 'ipaddr.js'
import {
  integer,
  masterKey,
  masterKeys,
  matching,
  operatorKey,
  optional,
  passphrase,
  refuse,
  secretAccessKey,
  withDefault,
} from './config-variable.ts'
import { Secret } from './crypto/secret.ts'
import { counterShards } from './db/counters.ts'
import { PostgresqlAddressError } from './db/postgresql/address-error.ts'
import { parsePostgresqlAddress } from './db/postgresql/address.ts'
import { retentionVariables } from './events/retention-variables.ts'
import { oauthVariables } from './oauth-variables.ts'
import { sendingVariables } from './sending-variables.ts'
import { telemetryVariables } from './telemetry-variables.ts'

const oneOf =
  <Name extends string>(...names: Name[]) =>
  (text: string): Name =>
    names.find((name) => name === text) ?? refuse(`must be one of ${names.join(', ')}`)

function host(text: string): string {
  const isName =
    /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,62})(?:\.[a-z\d][a-z\d-]{0,62})*$/i.test(text) && !/^[\d.]+$/.test(text)
  return isName || isIP(text) !== 0 ? text : refuse('must be an IP address or a host name')
}

const folder = (text: string): string => (text.includes('\0') ? refuse('must be a path') : resolve(text))

function url(text: string, protocols: readonly string[]): URL {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ')
  if (/\s/.test(text) || !URL.canParse(text)) refuse(`must be a URL that starts with ${starts}`)
  const parsed = new URL(text)
  return protocols.includes(parsed.protocol) ? parsed : refuse(`must start with ${starts}`)
}

/** Parses an http address. Parts that could hold a secret or change its meaning are refused. */
function webUrl(text: string): URL {
  const parsed = url(text, ['https:', 'http:'])
  if (parsed.username !== '' || parsed.password !== '' || /[?#]/.test(text)) {
    refuse('must not have a user name, password, query or fragment')
  }
  return parsed
}

function baseUrl(text: string): string {
  const address = webUrl(text).href.replace(/\/+$/, '')
  return address.endsWith('/api/v0') ? address : `${address}/api/v0`
}

const postgresqlUrl =
  (isOfStandbys: boolean) =>
  (text: string): Secret => {
    try {
      parsePostgresqlAddress(text, isOfStandbys)
      return new Secret(text)
    } catch (error) {
      if (error instanceof PostgresqlAddressError) refuse(error.message)
      throw error
    }
  }

/** A path, or the address of an endpoint; only an endpoint begins with a protocol. */
function fileOrEndpoint(text: string): { readonly file: string } | { readonly address: string } {
  return /^https?:/i.test(text) ? { address: webUrl(text).href.replace(/\/+$/, '') } : { file: folder(text) }
}

function smtpUrl(text: string): Secret {
  if (url(text, ['smtp:', 'smtps:']).hostname === '') refuse('must name a host')
  return new Secret(text)
}

/** The library also accepts spellings such as `127.1` or `0x7f.1`, which are rarely intended; they are refused. */
function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  if (more.length > 0 || isIP(address) === 0 || address.includes('%')) return false
  return bits === undefined ? ipaddr.isValid(text) : /^\d+$/.test(bits) && ipaddr.isValidCIDR(text)
}

function trustedProxies(text: string): readonly string[] {
  const ranges = text.split(',').map((each) => each.trim())
  if (!ranges.every(isRange)) refuse('must be IP addresses or CIDR ranges, separated by commas')
  if (ranges.some((range) => /\/0+$/.test(range))) refuse('must not trust every address')
  return ranges
}

function dnsServers(text: string): readonly string[] {
  const servers = text.split(',').map((each) => each.trim())
  const isServer = (server: string) => {
    const [, bracketed, plain, port] =
      /^(?:\[([^\]]+)\]|([^:[\]]+|[^[\]]*:[^[\]]*:[^[\]]*))(?::(\d{1,5}))?$/.exec(server) ?? []
    return isIP(bracketed ?? plain ?? '') !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535))
  }
  if (!servers.every(isServer)) refuse('must be IP addresses, with :port where it is not 53, separated by commas')
  return servers
}

export const configVariables = {
  port: withDefault({
    name: 'PORT',
    parse: integer(0, 65_535),
    default: '4000',
    description:
      'The port on which the API listens. 0 takes any free port; then set BAILIWICK_BASE_URL to the address with which links begin.',
  }),
  host: withDefault({
    name: 'HOST',
    parse: host,
    default: '127.0.0.1',
    description: 'The address on which the API listens; 0.0.0.0 or :: for all.',
  }),
  env: withDefault({
    name: 'BAILIWICK_ENV',
    parse: oneOf('development', 'production'),
    default: 'development',
    description: 'development or production. In development, callers on the same machine need no key.',
  }),
  dataDir: withDefault({
    name: 'BAILIWICK_DATA_DIR',
    parse: folder,
    default: '.bailiwick',
    description: 'The folder of the SQLite database, of media files, and of the master key in development.',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    isSecret: true,
    parse: postgresqlUrl(false),
    description:
      'The URL of a PostgreSQL database, postgres://…, with one or several hosts. Without it, the service uses SQLite in the data directory.',
  }),
  databaseDirectUrl: optional({
    name: 'BAILIWICK_DATABASE_DIRECT_URL',
    isSecret: true,
    parse: postgresqlUrl(false),
    description:
      'Set it if DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer: the URL of the same database without the pooler. Migrations and notifications take it. See docs/deploying.md.',
  }),
  databaseReplicaUrl: optional({
    name: 'BAILIWICK_DATABASE_REPLICA_URL',
    isSecret: true,
    parse: postgresqlUrl(true),
    description:
      'The URL of one or several standbys of that PostgreSQL database. Lists of the management interface are read from a standby while it is up to date.',
  }),
  databasePool: withDefault({
    name: 'BAILIWICK_DATABASE_POOL',
    // As many as counters have shards: each connection adds to one of its own.
    parse: integer(1, counterShards),
    default: '10',
    description:
      'The maximum number of connections of a process to PostgreSQL, 1 to 64; the same number applies to its standby.',
  }),
  processes: withDefault({
    name: 'BAILIWICK_PROCESSES',
    parse: integer(1, 64),
    default: '1',
    description:
      'How many processes of this machine answer requests on one port, 1 to 64; more than one requires DATABASE_URL. More than there are cores do not help. See docs/operations.md.',
  }),
  baseUrl: optional({
    name: 'BAILIWICK_BASE_URL',
    parse: baseUrl,
    shownDefault: 'http://127.0.0.1:PORT/api/v0',
    description: 'The public URL of the API; /api/v0 is added if it is missing. Required in production, with https.',
  }),
  masterKey: optional({
    name: 'BAILIWICK_MASTER_KEY',
    isSecret: true,
    parse: masterKey,
    shownDefault: 'in development the file master.key in the data directory, created at the first start',
    description:
      'The key that encrypts the secrets in the database: 32 random bytes as base64 or hexadecimal. Required in production.',
  }),
  previousMasterKeys: optional({
    name: 'BAILIWICK_PREVIOUS_MASTER_KEYS',
    isSecret: true,
    parse: masterKeys,
    description:
      'Earlier master keys, separated by commas, which only decrypt. Needed while the master key is being replaced.',
  }),
  newMasterKey: optional({
    name: 'BAILIWICK_NEW_MASTER_KEY',
    isSecret: true,
    parse: masterKey,
    description: 'The new master key for `rotate-master-key`.',
  }),
  exportPassphrase: optional({
    name: 'BAILIWICK_EXPORT_PASSPHRASE',
    isSecret: true,
    parse: passphrase,
    description: 'The passphrase with which `export` encrypts its file and `import` decrypts it.',
  }),
  operatorKey: optional({
    name: 'BAILIWICK_OPERATOR_KEY',
    isSecret: true,
    parse: operatorKey,
    description: 'The key that can do everything: op_ and at least 32 random characters. Required in production.',
  }),
  shutdownDelaySeconds: optional({
    name: 'BAILIWICK_SHUTDOWN_DELAY_SECONDS',
    parse: integer(0, 300),
    shownDefault: '15, in development 0',
    description:
      'How many seconds the service still accepts requests after SIGTERM while it reports not ready, so that proxies and clients can leave it, 0 to 300.',
  }),
  keepAliveSeconds: withDefault({
    name: 'BAILIWICK_KEEP_ALIVE_SECONDS',
    parse: integer(5, 3600),
    default: '130',
    description:
      'How many seconds an idle connection stays open, 5 to 3600. It must be longer than the same timeout of the proxy, so that the proxy closes idle connections: 60 for nginx and AWS, 120 for Caddy, 600 for Google Cloud.',
  }),
  trustedProxies: optional({
    name: 'BAILIWICK_TRUSTED_PROXIES',
    parse: trustedProxies,
    description:
      'The proxies whose X-Forwarded-For is trusted: IP addresses and CIDR ranges, separated by commas. By default none is trusted.',
  }),
  tenantRequestsPerSecond: withDefault({
    name: 'BAILIWICK_TENANT_REQUESTS_PER_SECOND',
    parse: integer(1, 1_000_000),
    default: '1000',
    description:
      'How many requests a second the keys of one tenant can make on each node, 1 to 1000000; in development a hundred times as many.',
  }),
  consoleSignUp: withDefault({
    name: 'BAILIWICK_CONSOLE_SIGN_UP',
    parse: oneOf('closed', 'open'),
    default: 'closed',
    description:
      "Who can create an account at the console. closed: only administrators whom the operator adds or a tenant invites; open: everyone. It overrides `signUpEnabled` of the console's own tenant.",
  }),
  testMode: optional({
    name: 'BAILIWICK_TEST_MODE',
    parse: oneOf('on', 'off'),
    shownDefault: 'off, in development on',
    description:
      'Whether tenants whose environment is development are in test mode: test addresses have a fixed code, caught messages can be read, and the clock of the tenant can be moved. on or off.',
  }),
  tenantsPerUserMax: withDefault({
    name: 'BAILIWICK_TENANTS_PER_USER_MAX',
    parse: integer(0, 10_000),
    default: '10',
    description:
      'How many tenants an administrator can have created, without deleted ones, 0 to 10000; 0 means no limit. The operator has no limit.',
  }),
  dnsServers: optional({
    name: 'BAILIWICK_DNS_SERVERS',
    parse: dnsServers,
    description:
      'The DNS servers for the records that verify domains and for hosts that tenants name: IP addresses, with :port if it is not 53. By default the servers of the machine.',
  }),
  smtpUrl: optional({
    name: 'BAILIWICK_SMTP_URL',
    isSecret: true,
    parse: smtpUrl,
    description:
      'The mail server for tenants without a channel of their own: smtps://user:password@host, or smtp://…:587, which requires STARTTLS if there is a password.',
  }),
  smtpFrom: optional({
    name: 'BAILIWICK_SMTP_FROM',
    parse: (text) => (isEmail(text) ? text : refuse('must be an e-mail address')),
    description: "The sender's address of such e-mails. Set it together with BAILIWICK_SMTP_URL.",
  }),
  ...sendingVariables,
  breachedPasswords: optional({
    name: 'BAILIWICK_BREACHED_PASSWORDS',
    parse: fileOrEndpoint,
    description:
      'Where passwords that were in a breach are looked up when users choose a password: a file that `bailiwick convert-breached-passwords` has written, or the URL of an endpoint with k-anonymity, such as https://api.pwnedpasswords.com/range.',
  }),
  challengeVerifyUrl: optional({
    name: 'BAILIWICK_CHALLENGE_VERIFY_URL',
    parse: (text) => webUrl(text).href,
    description:
      'Where answers to the puzzles of Turnstile and hCaptcha are checked, in place of the addresses of these providers: a gateway that forwards the requests.',
  }),
  s3Endpoint: optional({
    name: 'BAILIWICK_S3_ENDPOINT',
    parse: (text) => webUrl(text).href.replace(/\/+$/, ''),
    description: 'The URL of an S3-compatible object storage for media files. Set all five S3 variables or none.',
  }),
  s3Bucket: optional({
    name: 'BAILIWICK_S3_BUCKET',
    parse: matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'must be 3 to 63 lower-case letters, digits, dots or hyphens'),
    description: 'The bucket of the object storage.',
  }),
  s3Region: optional({
    name: 'BAILIWICK_S3_REGION',
    parse: matching(/^[a-z\d][a-z\d-]{0,62}$/, 'must be up to 63 lower-case letters, digits or hyphens'),
    description: 'The region of the object storage.',
  }),
  s3AccessKeyId: optional({
    name: 'BAILIWICK_S3_ACCESS_KEY_ID',
    parse: matching(/^[\w.-]{3,128}$/, 'must be 3 to 128 letters, digits, dots, hyphens or underscores'),
    description: 'The id of the access key of the object storage.',
  }),
  s3SecretAccessKey: optional({
    name: 'BAILIWICK_S3_SECRET_ACCESS_KEY',
    isSecret: true,
    parse: secretAccessKey,
    description: 'The secret of the access key of the object storage.',
  }),
  mediaFilesPerTenant: withDefault({
    name: 'BAILIWICK_MEDIA_FILES_PER_TENANT',
    parse: integer(0, 999_999_999),
    default: '100000',
    description: 'How many files a tenant can have, including unfinished uploads.',
  }),
  mediaMibPerTenant: withDefault({
    name: 'BAILIWICK_MEDIA_MIB_PER_TENANT',
    parse: integer(0, 999_999_999),
    default: '5120',
    description: 'How many mebibytes the files of a tenant can have in total.',
  }),
  mediaKeptMibPerTenant: withDefault({
    name: 'BAILIWICK_MEDIA_KEPT_MIB_PER_TENANT',
    parse: integer(0, 999_999_999),
    default: '1024',
    description:
      'How many mebibytes of transformed images are cached for each tenant; the least recently used are removed first. 0 turns the cache off.',
  }),
  mediaAddresses: optional({
    name: 'BAILIWICK_MEDIA_ADDRESSES',
    parse: oneOf('named', 'any'),
    description:
      'What image URLs can request: `named` transformations of the tenant, or `any` size and format. Default: named in production, any in development.',
  }),
  ...retentionVariables,
  ...oauthVariables,
  logLevel: withDefault({
    name: 'BAILIWICK_LOG_LEVEL',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'The log level: fatal, error, warn, info, debug, trace or silent.',
  }),
  metricsPort: optional({
    name: 'BAILIWICK_METRICS_PORT',
    parse: integer(1, 65_535),
    description:
      'The port on which metrics are served, separate from the API. Without it, metrics are not served. With several processes, each has a port of its own: the first this one, the second the next.',
  }),
  metricsHost: withDefault({
    name: 'BAILIWICK_METRICS_HOST',
    parse: host,
    default: '127.0.0.1',
    description: 'The address on which metrics are served.',
  }),
  ...telemetryVariables,
} as const

type Variables = typeof configVariables
type ValueOf<Variable> = Variable extends { parse: (text: string) => infer Value }
  ? Variable extends { isOptional: true }
    ? Value | undefined
    : Value
  : never

export type ConfigVariables = { [Key in keyof Variables]: ValueOf<Variables[Key]> }
