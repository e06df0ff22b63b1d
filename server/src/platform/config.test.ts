import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { type Config, ConfigError, readConfig } from './config.ts'

type Env = Record<string, string>

const masterKey = randomBytes(32).toString('base64')
const operatorKey = `op_${randomBytes(32).toString('hex')}`
const production: Env = {
  BAILIWICK_ENV: 'production',
  BAILIWICK_BASE_URL: 'https://id.example.com',
  BAILIWICK_MASTER_KEY: masterKey,
  BAILIWICK_OPERATOR_KEY: operatorKey,
}
const s3: Env = {
  BAILIWICK_S3_ENDPOINT: 'https://s3.example.com/',
  BAILIWICK_S3_BUCKET: 'media',
  BAILIWICK_S3_REGION: 'eu-central-1',
  BAILIWICK_S3_ACCESS_KEY_ID: 'AKIA123',
  BAILIWICK_S3_SECRET_ACCESS_KEY: randomBytes(24).toString('base64'),
}

function findProblems(env: Env): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    assert.ok(error.problems.every((problem) => error.message.includes(problem)))
    return error.problems
  }
  return []
}

const without = (env: Env, name: string): Env =>
  Object.fromEntries(Object.entries(env).filter(([each]) => each !== name))

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-config-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('readConfig', () => {
  it('needs nothing in development', () => {
    const { dataDir, ...config } = readConfig({ PATH: '/bin' })
    assert.ok(isAbsolute(dataDir) && dataDir.endsWith('.bailiwick'))
    assert.deepEqual(config, {
      env: 'development',
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databaseReplicaUrl: undefined,
      databasePool: 10,
      processes: 1,
      baseUrl: 'http://127.0.0.1:4000/api/v0',
      breachedPasswords: undefined,
      challengeVerifyUrl: undefined,
      masterKey: undefined,
      previousMasterKeys: undefined,
      newMasterKey: undefined,
      exportPassphrase: undefined,
      operatorKey: undefined,
      shutdownDelayMs: 0,
      keepAliveMs: 130_000,
      trustedProxies: [],
      tenantRequestsPerSecond: 1000,
      consoleSignUp: 'closed',
      isTestModeAllowed: true,
      tenantsPerUserMax: 10,
      dnsServers: undefined,
      smtpUrl: undefined,
      smtpFrom: undefined,
      sending: {
        perTenantPerDay: 2000,
        perCreatorPerDay: 2000,
        perRecipientPerHour: 10,
        perRecipientPerDay: 30,
        abuseContact: undefined,
      },
      s3: undefined,
      media: { filesMax: 100_000, bytesMax: 5 * 1024 ** 3, keptBytesMax: 1024 ** 3, addresses: 'any' },
      eventRetention: { daysMin: 30, daysMax: undefined },
      oauth: {},
      logLevel: 'info',
      metrics: undefined,
      traces: undefined,
    })
  })

  it('accepts a complete production configuration', () => {
    const config = readConfig({ ...production, ...s3, BAILIWICK_METRICS_PORT: '9100' })
    assert.equal(config.env, 'production')
    assert.equal(config.shutdownDelayMs, 15_000)
    assert.equal(config.media.addresses, 'named')
    assert.equal(config.baseUrl, 'https://id.example.com/api/v0')
    assert.deepEqual(Buffer.from(config.masterKey?.reveal().key ?? []).toString('base64'), masterKey)
    assert.equal(config.operatorKey?.reveal(), operatorKey)
    assert.equal(config.s3?.endpoint, 'https://s3.example.com')
    assert.equal(config.s3?.secretAccessKey.reveal(), s3['BAILIWICK_S3_SECRET_ACCESS_KEY'])
    assert.deepEqual(config.metrics, { port: 9100, host: '127.0.0.1' })
  })

  const accepted: [Env, (config: Config) => unknown, unknown][] = [
    [{ PORT: '8080' }, (config) => config.baseUrl, 'http://127.0.0.1:8080/api/v0'],
    [{ PORT: '0' }, (config) => config.port, 0],
    [{ HOST: '::' }, (config) => config.host, '::'],
    [{ HOST: 'localhost' }, (config) => config.host, 'localhost'],
    [{ BAILIWICK_BASE_URL: 'http://h/api/v0/' }, (config) => config.baseUrl, 'http://h/api/v0'],
    [{ BAILIWICK_BASE_URL: 'https://h:8443/id/' }, (config) => config.baseUrl, 'https://h:8443/id/api/v0'],
    [{ DATABASE_URL: 'postgres://u:p@h/db' }, (config) => config.databaseUrl?.reveal(), 'postgres://u:p@h/db'],
    [
      { DATABASE_URL: 'postgresql:///db?host=/run' },
      (config) => config.databaseUrl?.reveal(),
      'postgresql:///db?host=/run',
    ],
    [
      { DATABASE_URL: 'postgresql://u:p@h1,h2:5433/db?target_session_attrs=read-write' },
      (config) => config.databaseUrl?.reveal(),
      'postgresql://u:p@h1,h2:5433/db?target_session_attrs=read-write',
    ],
    [{ BAILIWICK_SHUTDOWN_DELAY_SECONDS: '300' }, (config) => config.shutdownDelayMs, 300_000],
    [{ BAILIWICK_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }, (config) => config.trustedProxies, ['10.0.0.0/8', '::1']],
    [
      { BAILIWICK_SMTP_URL: 'smtps://u:p@h:465', BAILIWICK_SMTP_FROM: 'no-reply@example.com' },
      (config) => config.smtpUrl?.reveal(),
      'smtps://u:p@h:465',
    ],
    [{ BAILIWICK_LOG_LEVEL: 'silent' }, (config) => config.logLevel, 'silent'],
    [
      { DATABASE_URL: 'postgres://a/b', BAILIWICK_DATABASE_REPLICA_URL: 'postgres://c/b?target_session_attrs=standby' },
      (config) => config.databaseReplicaUrl?.reveal(),
      'postgres://c/b?target_session_attrs=standby',
    ],
    [{ BAILIWICK_DATABASE_POOL: '64' }, (config) => config.databasePool, 64],
    [{ BAILIWICK_DATA_DIR: '/var/lib/bailiwick' }, (config) => config.dataDir, '/var/lib/bailiwick'],
  ]
  for (const [env, pick, expected] of accepted) {
    it(`takes ${JSON.stringify(env)}`, () => assert.deepEqual(pick(readConfig(env)), expected))
  }

  const refused: [Env, RegExp][] = [
    ...['', 'abc', '-1', '65536', '1e3', '0x10', ' 80', '80 '].map((port): [Env, RegExp] => [{ PORT: port }, /^PORT /]),
    ...['a b', 'http://h', '999.1.1.1', '-h'].map((host): [Env, RegExp] => [{ HOST: host }, /^HOST .* host name$/]),
    ...['h', 'ftp://h', 'http://', 'https://u:p@h', 'https://h/?a', 'https://h/#a', 'https://h /'].map(
      (url): [Env, RegExp] => [{ BAILIWICK_BASE_URL: url }, /^BAILIWICK_BASE_URL /],
    ),
    ...[
      'h',
      '10.0.0.0/33',
      '127.1',
      '0x7f.1',
      '10.0.0.1,',
      '::/0',
      '0.0.0.0/0',
      'loopback',
      'fe80::1%eth0',
      '1.1.1.1/8/8',
    ].map((range): [Env, RegExp] => [{ BAILIWICK_TRUSTED_PROXIES: range }, /^BAILIWICK_TRUSTED_PROXIES "/]),
    [
      { BAILIWICK_SHUTDOWN_DELAY_SECONDS: '5s' },
      /^BAILIWICK_SHUTDOWN_DELAY_SECONDS "5s" must be a whole number from 0/,
    ],
    [{ BAILIWICK_ENV: 'prod' }, /^BAILIWICK_ENV "prod" must be one of development, production$/],
    [{ BAILIWICK_LOG_LEVEL: 'loud' }, /^BAILIWICK_LOG_LEVEL "loud" must be one of fatal/],
    [{ BAILIWICK_DATABASE_POOL: '65' }, /^BAILIWICK_DATABASE_POOL "65" must be a whole number from 1 to 64$/],
    [{ BAILIWICK_METRICS_PORT: '4000' }, /^BAILIWICK_METRICS_PORT must differ from PORT$/],
    [{ BAILIWICK_PROCESSES: '2' }, /^BAILIWICK_PROCESSES must be 1 without DATABASE_URL/],
    [
      { BAILIWICK_PROCESSES: '4', DATABASE_URL: 'postgres://h/d', BAILIWICK_METRICS_PORT: '3998' },
      /^BAILIWICK_METRICS_PORT must differ from PORT: the 4 processes serve metrics at 3998 to 4001$/,
    ],
    [
      { BAILIWICK_PROCESSES: '9', DATABASE_URL: 'postgres://h/d', BAILIWICK_METRICS_PORT: '65530' },
      /^BAILIWICK_METRICS_PORT must leave room for 9 ports, up to 65535$/,
    ],
    [{ BAILIWICK_DATA_DIR: '' }, /^BAILIWICK_DATA_DIR is empty/],
    [
      { DATABASE_URL: 'mysql://u:pw@h/db' },
      /^DATABASE_URL \[secret\] must start with postgres:\/\/ or postgresql:\/\/$/,
    ],
    [
      { BAILIWICK_DATABASE_REPLICA_URL: 'postgres://c/b' },
      /^BAILIWICK_DATABASE_REPLICA_URL requires DATABASE_URL, the database of this standby$/,
    ],
    [
      { DATABASE_URL: 'postgres://a/b', BAILIWICK_DATABASE_REPLICA_URL: 'postgres://c/b?target_session_attrs=primary' },
      /^BAILIWICK_DATABASE_REPLICA_URL \[secret\] has a target_session_attrs that excludes standbys/,
    ],
    [
      { DATABASE_URL: 'postgres://u:pw@h1,h2/db?target_session_attrs=standby' },
      /^DATABASE_URL \[secret\] has target_session_attrs=standby, which can select a server that does not accept writes/,
    ],
    [{ BAILIWICK_SMTP_URL: 'https://h' }, /^BAILIWICK_SMTP_URL \[secret\] must start with smtp/],
    [{ BAILIWICK_MASTER_KEY: 'short' }, /^BAILIWICK_MASTER_KEY \[secret\] must be 32 bytes/],
    [{ BAILIWICK_MASTER_KEY: 'A'.repeat(43) }, /^BAILIWICK_MASTER_KEY \[secret\] is not random enough/],
    [
      { BAILIWICK_OPERATOR_KEY: 'x'.repeat(40) },
      /^BAILIWICK_OPERATOR_KEY \[secret\] must be op_ followed by at least 32/,
    ],
    [{ BAILIWICK_OPERATOR_KEY: `op_${'7f3a9c'.repeat(5)}` }, /must be op_ followed by at least 32/],
    [{ BAILIWICK_OPERATOR_KEY: `op_${'a'.repeat(40)}` }, /^BAILIWICK_OPERATOR_KEY \[secret\] is not random enough/],
    [{ BAILIWICK_OPERATOR_KEY: 'op_changeme-7f3a9c-changeme-7f3a9c-1b2' }, /is not random enough/],
    [{ BAILIWICK_MASTERKEY: 'x' }, /^BAILIWICK_MASTERKEY is not known; did you mean BAILIWICK_MASTER_KEY\?$/],
    [{ BAILIWICK_PORT: '1' }, /^BAILIWICK_PORT is not known; did you mean PORT\?$/],
    [{ BAILIWICK_DATABASE_URL: 'x' }, /^BAILIWICK_DATABASE_URL is not known; did you mean DATABASE_URL\?$/],
    [{ BAILIWICK_LOG_LEVEL_FILE: 'x' }, /^BAILIWICK_LOG_LEVEL_FILE is not known; did you mean BAILIWICK_LOG_LEVEL\?$/],
    [{ BAILIWICK_QUUX: 'x' }, /^BAILIWICK_QUUX is not known$/],
  ]
  for (const [env, problem] of refused) {
    it(`refuses ${JSON.stringify(env)}`, () => {
      const problems = findProblems(env)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', problem)
    })
  }

  for (const name of ['BAILIWICK_MASTER_KEY', 'BAILIWICK_OPERATOR_KEY', 'BAILIWICK_BASE_URL']) {
    it(`refuses production without ${name}`, () => {
      const problems = findProblems(without(production, name))
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', new RegExp(`^${name} is required in production`))
    })
  }

  it('refuses production over plain http', () => {
    const problems = findProblems({ ...production, BAILIWICK_BASE_URL: 'http://id.example.com' })
    assert.deepEqual(problems, [
      'BAILIWICK_BASE_URL "http://id.example.com/api/v0" must start with https:// in production',
    ])
  })

  for (const name of Object.keys(s3)) {
    it(`takes the object storage all or none: ${name}`, () => {
      assert.match(findProblems(without(s3, name)).join('\n'), new RegExp(`^${name} is missing`))
      assert.equal(findProblems({ [name]: s3[name] ?? '' }).length, 4)
      assert.equal(findProblems({ [name]: '' }).length, 5)
    })
  }
})

describe('the mail server', () => {
  it('comes with a sender, and a sender with it', () => {
    assert.match(findProblems({ BAILIWICK_SMTP_URL: 'smtp://h' }).join(), /^BAILIWICK_SMTP_FROM is missing/)
    assert.match(findProblems({ BAILIWICK_SMTP_FROM: 'a@b.example' }).join(), /^BAILIWICK_SMTP_URL is missing/)
    const both = { BAILIWICK_SMTP_URL: 'smtp://h', BAILIWICK_SMTP_FROM: 'a@b.example, c@d.example' }
    assert.match(findProblems(both).join(), /BAILIWICK_SMTP_FROM .* must be an e-mail address/)
  })

  it('names as the contact for complaints an address or a page, and nothing that would end a header', () => {
    for (const contact of [
      'mailto:abuse@acme.example',
      'mailto:a@b.example?subject=Spam',
      'https://acme.example/abuse',
    ]) {
      assert.equal(readConfig({ BAILIWICK_ABUSE_CONTACT: contact }).sending.abuseContact, contact)
    }
    const refused = [
      'abuse@acme.example',
      'mailto:',
      'mailto:a@b.example,c@d.example',
      'http://acme.example/abuse',
      'https://user:word@acme.example/',
      'https://acme.example/>',
      'https://acme.example/\r\nBcc: x@y.example',
      'javascript:alert(1)',
    ]
    for (const contact of refused)
      assert.match(
        findProblems({ BAILIWICK_ABUSE_CONTACT: contact }).join(),
        /^BAILIWICK_ABUSE_CONTACT .* must be mailto:/s,
      )
  })
})

describe('every problem', () => {
  const secrets: Env = {
    DATABASE_URL: 'mysql://user:canary-1@host/db',
    BAILIWICK_MASTER_KEY: 'canary-2',
    BAILIWICK_OPERATOR_KEY: 'canary-3',
    BAILIWICK_SMTP_URL: 'ftp://user:canary-4@host',
    BAILIWICK_S3_SECRET_ACCESS_KEY: 'changeme-canary-5',
    BAILIWICK_BASE_URL: 'http://user:canary-6@host',
    BAILIWICK_S3_ENDPOINT: 'https://user:canary-7@host',
    BAILIWICK_OPERATORKEY: 'canary-8',
  }
  const env: Env = { ...secrets, BAILIWICK_ENV: 'production', PORT: 'x', HOST: '', BAILIWICK_LOG_LEVEL: 'x' }

  it('is reported completely, each variable once', () => {
    const problems = findProblems(env)
    const names = problems.map((problem) => problem.split(' ')[0] ?? '')
    const expected = [...Object.keys(env), 'BAILIWICK_S3_BUCKET', 'BAILIWICK_S3_REGION', 'BAILIWICK_S3_ACCESS_KEY_ID']
    assert.deepEqual(names.toSorted(), expected.filter((name) => name !== 'BAILIWICK_ENV').toSorted())
  })

  it('is reported without a secret', () => {
    try {
      readConfig(env)
      assert.fail('it was taken')
    } catch (error) {
      const text = inspect(error, { depth: null, showHidden: true }) + String(error) + JSON.stringify(error)
      assert.doesNotMatch(text, /canary/)
      assert.match(text, /\[secret\]/)
    }
  })
})

describe('secrets', () => {
  it('are never printed', () => {
    const config = readConfig({
      ...production,
      ...s3,
      DATABASE_URL: 'postgres://u:canary@h/db',
      BAILIWICK_SMTP_URL: 'smtp://u:canary@h',
      BAILIWICK_SMTP_FROM: 'no-reply@example.com',
    })
    const text = inspect(config, { depth: null, showHidden: true }) + JSON.stringify(config)
    for (const secret of ['canary', masterKey, operatorKey, s3['BAILIWICK_S3_SECRET_ACCESS_KEY'] ?? '']) {
      assert.ok(!text.includes(secret))
    }
    assert.match(text, /\[secret\]/)
  })

  it('may come from files, whose final line end is ignored', () => {
    const config = readConfig({
      BAILIWICK_MASTER_KEY_FILE: file('master', `${masterKey}\n`),
      BAILIWICK_OPERATOR_KEY_FILE: file('operator', `${operatorKey}\r\n`),
      DATABASE_URL_FILE: file('database', 'postgres://h/db'),
      BAILIWICK_SMTP_URL_FILE: file('smtp', 'smtp://h\n'),
      BAILIWICK_SMTP_FROM: 'no-reply@example.com',
      ...without(s3, 'BAILIWICK_S3_SECRET_ACCESS_KEY'),
      BAILIWICK_S3_SECRET_ACCESS_KEY_FILE: file('s3', '0a1b2c3d4e5f6g7h\n'),
    })
    assert.equal(config.masterKey?.reveal().id.length, 8)
    assert.equal(config.operatorKey?.reveal(), operatorKey)
    assert.equal(config.databaseUrl?.reveal(), 'postgres://h/db')
    assert.equal(config.smtpUrl?.reveal(), 'smtp://h')
    assert.equal(config.s3?.secretAccessKey.reveal(), '0a1b2c3d4e5f6g7h')
  })

  it('are refused from a file that is missing, empty or given beside the value', () => {
    const name = 'BAILIWICK_OPERATOR_KEY'
    assert.match(
      findProblems({ [`${name}_FILE`]: join(folder, 'none') }).join('\n'),
      /^BAILIWICK_OPERATOR_KEY .*\(ENOENT\)$/,
    )
    assert.match(findProblems({ [`${name}_FILE`]: folder }).join('\n'), /\(EISDIR\)$/)
    assert.match(findProblems({ [`${name}_FILE`]: file('empty', '\n') }).join('\n'), /is empty/)
    const both = { [name]: operatorKey, [`${name}_FILE`]: file('both', operatorKey) }
    assert.deepEqual(findProblems(both), [`${name} and ${name}_FILE are both set; keep one`])
  })

  it('from a broken file are not asked for a second time in production', () => {
    const env = { ...without(production, 'BAILIWICK_MASTER_KEY'), BAILIWICK_MASTER_KEY_FILE: join(folder, 'none') }
    assert.equal(findProblems(env).length, 1)
  })
})
