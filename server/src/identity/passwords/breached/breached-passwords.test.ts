import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { Browser } from '../../../../test/harness/browser/frontend.ts'
import { createTenant, createUser, unique } from '../../../../test/harness/factories.ts'
import { signedInUser } from '../../../../test/harness/people/signed-in-user.ts'
import { describeService, testEnv } from '../../../../test/harness/service.ts'
import { ConfigError } from '../../../platform/config.ts'
import { Meter } from '../../../platform/telemetry/meter.ts'
import { convertBreachedPasswords } from '../../../service/commands/conversions/convert-breached-passwords.ts'
import { type IsBreached, openBreachedPasswords } from './breached-passwords.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-breached-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const log = pino({ level: 'silent' })

const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const lineOf = ([password, count]: readonly [string, number]) => `${sha1(password)}:${count}`

/** Writes a list as Have I Been Pwned publishes it, and returns its path. */
function writeList(name: string, passwords: readonly (readonly [string, number])[], end = '\r\n'): string {
  const path = join(folder, name)
  writeFileSync(path, passwords.map(lineOf).toSorted().join(end))
  return path
}

const convert = async (path: string, least = 1) => {
  const output = join(folder, `${unique()}.bin`)
  const { json } = await convertBreachedPasswords(path, { output, least }, () => {})
  return { output, json }
}

async function open(source: { file: string } | { address: string }): Promise<IsBreached> {
  const isBreached = await openBreachedPasswords({ breachedPasswords: source }, log, new Meter())
  assert.ok(isBreached)
  return isBreached
}

const breached = 'Summer2024!'

const readIssues = ({ body }: { readonly body: unknown }) => (body as { readonly issues: unknown }).issues

describe('a file of breached passwords', () => {
  it('knows every password of the list and no other', async () => {
    const passwords = Array.from({ length: 20_000 }, (_, at) => [`known ${at}`, 1 + (at % 7)] as const)
    const { output, json } = await convert(writeList('all', passwords))
    assert.deepEqual(json, { passwords: passwords.length, output })
    const isBreached = await open({ file: output })
    for (const [password] of passwords) assert.equal(await isBreached(password), true, password)
    for (let at = 0; at < 2000; at += 1) assert.equal(await isBreached(`unknown ${at}`), false)
  })

  it('leaves out passwords that were seen fewer times than asked for', async () => {
    const list = writeList('rare', [
      [breached, 12],
      ['seen once', 1],
    ])
    const { output } = await convert(list, 2)
    const isBreached = await open({ file: output })
    assert.equal(await isBreached(breached), true)
    assert.equal(await isBreached('seen once'), false)
  })

  it('is empty for an empty list', async () => {
    const { output } = await convert(writeList('none', []))
    assert.equal(await (await open({ file: output }))(breached), false)
  })

  it('is not written from a list that is not sorted or has other lines', async () => {
    const first = `${'0'.repeat(40)}:1`
    const second = `${'F'.repeat(40)}:1`
    const wrong = [
      `${second}\n${first}`,
      `${first}\n${first}`,
      'password',
      `${first}\n\n${second}`,
      `${'0'.repeat(39)}:1`,
    ]
    for (const text of wrong) {
      const path = join(folder, 'wrong')
      writeFileSync(path, text)
      await assert.rejects(convert(path), /line \d+ is not/, text)
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.unfinished')),
      [],
      'no unfinished file is left behind',
    )
  })

  it('stops the start if it is missing, damaged or cut off', async () => {
    const { output } = await convert(writeList('whole', [[breached, 3]]))
    const whole = readFileSync(output)
    const damaged = Buffer.from(whole)
    damaged.writeUInt32LE(7, 8)
    const wrong = { 'other.bin': randomBytes(300_000), 'short.bin': whole.subarray(0, 100), 'damaged.bin': damaged }
    const files = Object.entries({ ...wrong, 'cut.bin': whole.subarray(0, -1) })
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
    for (const name of [...files.map(([each]) => each), 'missing.bin']) {
      await assert.rejects(open({ file: join(folder, name) }), ConfigError, name)
    }
  })
})

describe('an endpoint of breached passwords', () => {
  const asked: string[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  let isBreached: IsBreached

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    isBreached = await open({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range` })
  })
  after(() => server.close())

  it('learns five digits of the hash and nothing else', async () => {
    answer = (request, response) => {
      assert.equal(request.headers['add-padding'], 'true')
      response.end(`${sha1('another').slice(5)}:4\r\n${sha1(breached).slice(5)}:26\r\n`)
    }
    assert.equal(await isBreached(breached), true)
    assert.deepEqual(asked.splice(0), [`/range/${sha1(breached).slice(0, 5)}`])
  })

  it('knows no password from the lines that only pad its answer', async () => {
    answer = (_request, response) => response.end(`${sha1(breached).slice(5)}:0\r\n`)
    assert.equal(await isBreached(breached), false)
  })

  it('keeps nobody from choosing a password while it fails', async () => {
    const failures: (typeof answer)[] = [
      (_request, response) => response.writeHead(503).end(),
      (_request, response) => response.writeHead(302, { location: '/range/elsewhere' }).end(),
      (request) => request.socket.destroy(),
      (_request, response) => response.end('x'.repeat(2_000_000)),
    ]
    for (const failure of failures) {
      answer = failure
      assert.equal(await isBreached(breached), false)
    }
  })
})

const { output } = await convert(writeList('of the service', [[breached, 1000]]))

describeService(
  'breached passwords',
  (service) => {
    const breach = [{ path: '/password', code: 'password_breached', message: 'has been in a data breach' }]

    it('are refused wherever users choose one, but not to a server that creates users', async () => {
      const { tenant } = await createTenant(service())
      await createUser(service(), tenant.id, { password: breached })
      const browser = new Browser(service(), tenant.publicKey)
      const body = { email: `${unique()}@example.com`, password: breached }
      const refused = await browser.refused('createSignUp', 'validation_failed', { body })
      assert.deepEqual(readIssues(refused), breach)
      const user = await signedInUser(service(), tenant)
      const own = await user.browser.refused('updateOwnPassword', 'validation_failed', { body: { password: breached } })
      assert.deepEqual(readIssues(own), breach)
    })

    it('are accepted where a tenant has switched the rule off', async () => {
      const { tenant } = await createTenant(service())
      const params = { id: tenant.id }
      await service().ok('putAuthTenant', { params, body: { breachedPasswordsRefused: false } })
      const browser = new Browser(service(), tenant.publicKey)
      await browser.ok('createSignUp', { body: { email: `${unique()}@example.com`, password: breached } })
    })

    it('must be changed at sign-in where a tenant asks for that, which only their owner learns', async () => {
      const { tenant } = await createTenant(service())
      const params = { id: tenant.id }
      const email = `${unique()}@example.com`
      await createUser(service(), tenant.id, { email, password: breached, emailVerified: true })
      const browser = new Browser(service(), tenant.publicKey)
      const signIn = { identifier: email, strategy: 'email_password', password: breached }
      await browser.ok('createSignIn', { body: signIn })
      await service().ok('putAuthTenant', { params, body: { breachedPasswordsChanged: true } })
      await browser.refused('createSignIn', 'password_change_required', { body: signIn })
      // A wrong guess is answered alike, whether or not it is in the list.
      const stranger = { ...signIn, identifier: `${unique()}@example.com` }
      for (const body of [stranger, { ...signIn, password: 'another one' }])
        await browser.refused('createSignIn', 'factor_refused', { body })
      const again = await browser.refused('createSignIn', 'validation_failed', {
        body: { ...signIn, newPassword: breached },
      })
      assert.deepEqual(readIssues(again), [{ ...breach[0], path: '/newPassword' }])
      const newPassword = 'correct horse battery staple'
      await browser.ok('createSignIn', { body: { ...signIn, newPassword } })
      await browser.ok('createSignIn', { body: { ...signIn, password: newPassword } })
    })
  },
  { ...testEnv, BAILIWICK_BREACHED_PASSWORDS: output },
)

describeService('a minimum length of passwords', (service) => {
  it('holds for every new password of the tenant, and only there', async () => {
    const { tenant } = await createTenant(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { passwordLengthMin: 16 } })
    const tooShort = [{ path: '/password', code: 'too_short', message: 'must have at least 16 characters' }]
    const email = `${unique()}@example.com`
    const browser = new Browser(service(), tenant.publicKey)
    const password = 'fifteen letters'
    const refused = await browser.refused('createSignUp', 'validation_failed', { body: { email, password } })
    assert.deepEqual(readIssues(refused), tooShort)
    const created = { body: { tenantId: tenant.id, email, password } }
    assert.deepEqual((await service().refused('createUser', 'validation_failed', created)).issues, tooShort)
    await browser.ok('createSignUp', { body: { email, password: 'sixteen letters!' } })
    const { tenant: other } = await createTenant(service())
    await new Browser(service(), other.publicKey).ok('createSignUp', { body: { email, password } })
  })

  it('is refused below 8 and above 64', async () => {
    const { tenant } = await createTenant(service())
    for (const passwordLengthMin of [7, 65]) {
      const change = { params: { id: tenant.id }, body: { passwordLengthMin } }
      await service().refused('putAuthTenant', 'validation_failed', change)
    }
  })
})
