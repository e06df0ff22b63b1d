// Users in the export formats of other services: converted, imported, and signed in with their old password.
import assert from 'node:assert/strict'
import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { ImportedUser } from '@bailiwick/contract'
import { hashRaw } from '@node-rs/argon2'
import { bcrypt } from 'hash-wasm'
import { Browser } from '../../../../test/harness/browser/frontend.ts'
import { createTenant } from '../../../../test/harness/factories.ts'
import { describeService } from '../../../../test/harness/service.ts'
import { convertUsers } from './convert-users.ts'
import type { UserFormat } from './user-formats/names.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-convert-'))
after(() => rmSync(folder, { recursive: true }))

const password = 'correct horse battery staple'
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const salt = randomBytes(16)
const bcryptHash = () => bcrypt({ password, salt, costFactor: 4, outputType: 'encoded' })

interface Left {
  readonly leftBehind: string
  readonly users: number
}

function convert(format: UserFormat, text: string, hashConfig?: string) {
  const [file, config, output] = ['export', 'hash-config', 'lines'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(file, text)
  if (hashConfig !== undefined) writeFileSync(config, hashConfig)
  const outcome = convertUsers(format, file, { output, ...(hashConfig === undefined ? {} : { hashConfig: config }) })
  const lines = readFileSync(output, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ImportedUser]))
  assert.equal(statSync(output).mode & 0o777, 0o600)
  return { lines, ...(outcome.json as { withPassword: number; leftBehind: readonly Left[] }) }
}

interface Sample {
  readonly text: string
  readonly hashConfig?: string
  /** The user who signs in, and the password unless it is the usual one. */
  readonly people: Readonly<Record<string, string>>
  /** The line that the import gets for the first user, in part. */
  readonly line: Partial<ImportedUser>
  readonly leftBehind: readonly Left[]
}

const clerkColumns =
  'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher'

async function clerkSample(): Promise<Sample> {
  const pbkdf2 = (digest: 'sha256' | 'sha512', bytes: Uint8Array | string) =>
    pbkdf2Sync(password, bytes, 1000, digest === 'sha256' ? 32 : 64, digest)
  const argon2 = await hashRaw(password, { salt, memoryCost: 64, timeCost: 1, parallelism: 1 })
  const bare = (bytes: Uint8Array) => base64(bytes).replace(/=+$/, '')
  const digests = {
    bcrypt: await bcryptHash(),
    argon2id: `$argon2id$v=19$m=64,t=1,p=1$${bare(salt)}$${bare(argon2)}`,
    pbkdf2_sha256: `pbkdf2_sha256$1000$${base64(salt)}$${base64(pbkdf2('sha256', salt))}`,
    pbkdf2_sha256_django: `pbkdf2_sha256$1000$seasalt$${base64(pbkdf2('sha256', 'seasalt'))}`,
    pbkdf2_sha512: `pbkdf2_sha512$1000$seasalt$${hex(pbkdf2('sha512', 'seasalt'))}`,
    scrypt_werkzeug: `scrypt:1024:8:1$seasalt$${hex(scryptSync(password, 'seasalt', 64, { N: 1024, r: 8, p: 1 }))}`,
  }
  const row = ([hasher, digest]: readonly [string, string]) =>
    `user_${hasher},"Ada, Countess",Lovelace,,${hasher}@acme.example,,${hasher}@acme.example,,,,,"${digest}",${hasher}`
  const rows = [
    ...Object.entries(digests).map(row),
    'user_md5,,,ada_l,md5@acme.example,+44 20 7946 0000,,md5@acme.example|two@acme.example,,,JBSWY3DPEHPK3PXP,5f4dcc3b5aa765d61d8327deb882cf99,md5',
  ]
  return {
    text: `${[clerkColumns, ...rows].join('\r\n')}\r\n`,
    people: Object.fromEntries(Object.keys(digests).map((hasher) => [`${hasher}@acme.example`, password])),
    line: {
      email: 'bcrypt@acme.example',
      emailVerified: true,
      name: 'Ada, Countess Lovelace',
      privateMeta: { previousId: 'user_bcrypt' },
    },
    leftBehind: [
      { leftBehind: 'further e-mail addresses', users: 1 },
      { leftBehind: 'the authenticator app', users: 1 },
      { leftBehind: 'the password: hashes made by md5 cannot be imported', users: 1 },
    ],
  }
}

async function auth0Sample(): Promise<Sample> {
  const user = {
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
    email_verified: true,
    email: 'ada@acme.example',
    passwordHash: await bcryptHash(),
    password_set_date: { $date: '2019-12-06T18:36:12.412Z' },
    tenant: 'acme',
    connection: 'Username-Password-Authentication',
    _tmp_is_unique: true,
  }
  const { email: _email, email_verified: _verified, ...bare } = user
  const other = {
    ...bare,
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec94' },
    alt_id: 'grace',
    identifiers: [{ type: 'email', value: 'grace@acme.example', verified: true }],
  }
  return {
    text: [user, other].map((each) => JSON.stringify(each)).join('\n'),
    people: { 'ada@acme.example': password, 'grace@acme.example': password },
    line: { emailVerified: true, privateMeta: { previousId: 'auth0|5dea9f9c82dd7c0e76e4ec93' } },
    leftBehind: [],
  }
}

/** The hash and its parameters are the published ones of github.com/firebase/scrypt. */
const firebaseSample: Sample = {
  text: JSON.stringify({
    users: [
      {
        localId: 'FbUid1',
        email: 'ada@acme.example',
        emailVerified: true,
        passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
        salt: '42xEC+ixf3L2lw==',
        displayName: 'Ada Lovelace',
        lastSignedInAt: '1699999999000',
        createdAt: '1600000000000',
        phoneNumber: '+442079460000',
        disabled: false,
        customAttributes: '{"admin":true}',
        providerUserInfo: [{ providerId: 'google.com', rawId: '1', email: 'ada@acme.example' }],
      },
      { localId: 'FbUid2', email: 'grace@acme.example', disabled: true, providerUserInfo: [] },
    ],
  }),
  hashConfig: `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
`,
  people: { 'ada@acme.example': 'user1password' },
  line: {
    phone: '+442079460000',
    phoneVerified: true,
    createdAt: '2020-09-13T12:26:40.000Z',
    privateMeta: { previousId: 'FbUid1', customClaims: { admin: true } },
  },
  leftBehind: [{ leftBehind: 'the connection to google.com', users: 1 }],
}

function betterAuthSample(): Sample {
  const text = hex(salt)
  const key = scryptSync(password, text, 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 })
  const user = { id: 'k1', name: 'Ada', email: 'ada@acme.example', emailVerified: true }
  const rows = [
    { ...user, createdAt: '2025-01-02T03:04:05.678+00:00', password: `${text}:${hex(key)}` },
    { ...user, id: 'k2', email: 'grace@acme.example', emailVerified: 1, createdAt: 1735787045678, password: null },
    { ...user, id: 'k3', email: 'edith@acme.example', password: 'plain' },
  ]
  return {
    text: rows.map((row) => JSON.stringify(row)).join('\n'),
    people: { 'ada@acme.example': password },
    line: { name: 'Ada', createdAt: '2025-01-02T03:04:05.678Z', privateMeta: { previousId: 'k1' } },
    leftBehind: [{ leftBehind: 'the password: the hash has an unknown format', users: 1 }],
  }
}

async function keycloakSample(): Promise<Sample> {
  const argon2 = await hashRaw(password, { salt, memoryCost: 7168, timeCost: 5, parallelism: 1, outputLen: 32 })
  const credential = (value: Uint8Array, data: object) => ({
    id: '5f0b6a3e-6a1f-4c8e-8a49-8c7c1d1f0a11',
    type: 'password',
    userLabel: 'My password',
    createdDate: 1735787045678,
    secretData: JSON.stringify({ value: base64(value), salt: base64(salt), additionalParameters: {} }),
    credentialData: JSON.stringify(data),
  })
  const parameters = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] }
  const user = (name: string, credentials: readonly object[], more: object = {}) => ({
    id: `9b1c-${name}`,
    username: `${name}@acme.example`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `${name}@acme.example`,
    emailVerified: true,
    enabled: true,
    createdTimestamp: 1735787045678,
    totp: false,
    credentials,
    realmRoles: ['default-roles-acme'],
    ...more,
  })
  const pbkdf2 = (digest: 'sha1' | 'sha256' | 'sha512') => pbkdf2Sync(password, salt, 1000, 64, digest)
  const of = (algorithm: string) => ({ hashIterations: 1000, algorithm, additionalParameters: {} })
  const users = [
    user('argon2', [credential(argon2, { hashIterations: 5, algorithm: 'argon2', additionalParameters: parameters })], {
      attributes: { team: ['engines'] },
    }),
    user('sha256', [credential(pbkdf2('sha256'), of('pbkdf2-sha256')), { type: 'otp' }]),
    user('sha512', [credential(pbkdf2('sha512'), of('pbkdf2-sha512'))]),
    user('sha1', [credential(pbkdf2('sha1'), of('pbkdf2'))], { enabled: false, username: 'ada' }),
    { id: 'robot', username: 'service-account-shop', serviceAccountClientId: 'shop', enabled: true },
  ]
  return {
    text: JSON.stringify({ realm: 'acme', users }),
    people: Object.fromEntries(['argon2', 'sha256', 'sha512'].map((name) => [`${name}@acme.example`, password])),
    line: {
      name: 'Ada Lovelace',
      createdAt: '2025-01-02T03:04:05.678Z',
      privateMeta: { previousId: '9b1c-argon2', attributes: { team: ['engines'] } },
    },
    leftBehind: [
      { leftBehind: 'the authenticator app', users: 1 },
      { leftBehind: 'the password: hashes made by pbkdf2 cannot be imported', users: 1 },
    ],
  }
}

const samples: Readonly<Record<UserFormat, () => Sample | Promise<Sample>>> = {
  clerk: clerkSample,
  auth0: auth0Sample,
  firebase: () => firebaseSample,
  'better-auth': betterAuthSample,
  keycloak: keycloakSample,
}

describeService('bailiwick convert-users', (service) => {
  for (const [format, sample] of Object.entries(samples) as [UserFormat, (typeof samples)[UserFormat]][]) {
    it(`converts users of ${format} with their passwords, and lists what cannot be imported`, async () => {
      const { hashConfig, leftBehind, line, people, text } = await sample()
      const converted = convert(format, text, hashConfig)
      assert.deepEqual(converted.lines[0], { ...converted.lines[0], ...line })
      assert.deepEqual(
        converted.leftBehind.toSorted((a, b) => (a.leftBehind < b.leftBehind ? -1 : 1)),
        leftBehind,
      )
      assert.equal(converted.withPassword, Object.keys(people).length)

      const { tenant } = await createTenant(service())
      const answers = await service().ok<unknown[]>('importUsers', {
        query: { tenantId: tenant.id },
        body: converted.lines,
      })
      const summary = { created: converted.lines.length, exists: 0, error: 0 }
      assert.deepEqual(answers.at(-1), { summary }, JSON.stringify(answers))
      for (const [identifier, right] of Object.entries(people)) {
        const browser = new Browser(service(), tenant.publicKey)
        const body = { identifier, strategy: 'email_password' }
        await browser.refused('createSignIn', 'factor_refused', { body: { ...body, password: `${right}!` } })
        const { sessionUser } = await browser.ok<{ sessionUser: object }>('createSignIn', {
          body: { ...body, password: right },
        })
        assert.ok(sessionUser, identifier)
      }
    })
  }
})

describe('an export that cannot be converted', () => {
  const refused: readonly (readonly [UserFormat, string, RegExp])[] = [
    ['auth0', '{"_id": ', /line 1 is not JSON/],
    ['auth0', '{}\n[]', /number 2 is not a JSON object/],
    ['firebase', '{}', /no array "users"/],
    ['firebase', '{"users": [{"localId": "1", "passwordHash": "AAAA", "salt": "AAAA"}]}', /--hash-config/],
    ['keycloak', '{"realm": "acme"}', /no array "users"/],
    ['clerk', 'id,first_name\nuser_1,"Ada', /row 2/],
  ]
  for (const [format, text, problem] of refused) {
    it(`is refused: ${format} with ${text.slice(0, 40)}`, () => {
      assert.throws(() => convert(format, text), problem)
    })
  }

  it('is refused if the hash configuration lacks a value, which is named', () => {
    const config = firebaseSample.hashConfig?.replace('mem_cost', 'memory') ?? ''
    assert.throws(() => convert('firebase', firebaseSample.text, config), /no mem_cost/)
  })

  it('keeps a user whose address or hash an import would refuse, without it, and says so', () => {
    const user = { id: 'k1', email: 'nobody', username: 'ada', password: '$2b$31$short' }
    const { lines, leftBehind } = convert('better-auth', JSON.stringify(user))
    assert.deepEqual(lines, [{ username: 'ada', privateMeta: { previousId: 'k1' } }])
    assert.deepEqual(
      leftBehind.map((each) => each.leftBehind),
      [
        'the password: bcrypt must be $2a$, $2b$ or $2y$, a cost of two digits, and 53 characters',
        'an e-mail address that is not valid for this service',
      ],
    )
  })
})
