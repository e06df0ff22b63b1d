import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import type { Logger } from 'pino'
import { Secret } from './crypto/secret.ts'
import { createLog } from './log.ts'

const canary = 'canary-0123456789'

/** The lines that the body logs, and their text. */
function logged(body: (log: Logger) => void): { text: string; lines: Record<string, unknown>[] } {
  let text = ''
  body(createLog({ logLevel: 'trace' }, { write: (line: string) => void (text += line) }))
  const lines = text.split('\n').filter((line) => line !== '')
  return { text, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

/** As `pg` reports it. */
const databaseError = (message: string, code: string) =>
  Object.assign(new Error(message), {
    name: 'error',
    severity: 'ERROR',
    code,
    detail: `Key (email)=(${canary}) already exists.`,
    where: `unnamed portal parameter $1 = '${canary}'`,
    parameters: [canary],
    query: `INSERT … ${canary}`,
    constraint: 'users_email_key',
    table: 'users',
  })

describe('log', () => {
  it('writes JSON lines with an ISO time, the level by name and nothing about process or machine', () => {
    const { lines } = logged((log) => log.info({ requestId: 'r1', ms: 1.5, tenantId: undefined, ip: null }, 'request'))
    const [{ time, ...line } = {}] = lines
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(line, { level: 'info', requestId: 'r1', ms: 1.5, ip: null, msg: 'request' })
  })

  it('writes lines at its level or above', () => {
    let text = ''
    const log = createLog({ logLevel: 'warn' }, { write: (line: string) => void (text += line) })
    log.info('not this')
    log.warn('but this')
    assert.match(text, /but this/)
    assert.doesNotMatch(text, /not this/)
    assert.equal(createLog({ logLevel: 'silent' }, { write: assert.fail }).isLevelEnabled('fatal'), false)
  })

  const names =
    'authorization Authorization proxy-authorization cookie set-cookie x-secret-key password newPassword clientSecret ' +
    'client_secret secret secretKey token access_token refreshToken code'
  for (const name of names.split(' ')) {
    it(`never writes ${name}, however deep it is`, () => {
      const { text } = logged((log) => {
        const field = { [name]: canary }
        log.info(field, 'here')
        log.info({ req: { headers: field, body: { list: [field, { deeper: { still: [[field]] } }] } } })
        log.info({ field: { [name]: { nested: [canary] } } })
        log.child(field).info('child')
        log
          .child({ req: { headers: field } })
          .child(field, { level: 'debug' })
          .info('grandchild')
        log.setBindings(field)
        log.info('bound')
        log.info('in the text %o', { headers: field })
      })
      assert.doesNotMatch(text, /canary/)
      assert.match(text, /\[secret\]/)
    })
  }

  it('shows only the class of values that are not plain data', () => {
    const request = new IncomingMessage(new Socket())
    request.headers['x-other'] = canary
    const { text, lines } = logged((log) => log.info({ request, bytes: Buffer.from(canary), key: new Secret(canary) }))
    assert.doesNotMatch(text, /canary/)
    assert.equal(lines[0]?.['request'], '[IncomingMessage]')
    assert.equal(lines[0]?.['bytes'], '[bytes]')
    assert.equal(lines[0]?.['key'], '[secret]')
  })

  it('writes dates unchanged and is safe with any content of a body', () => {
    const { lines } = logged((log) => {
      const body = JSON.parse('{"__proto__":{"toJSON":1},"hasOwnProperty":1}') as object
      log.info({ at: new Date(0), body, call: { toJSON: () => canary } })
    })
    const [{ at, body, call } = {}] = lines
    assert.deepEqual(
      { at, body, call },
      { at: '1970-01-01T00:00:00.000Z', body: { hasOwnProperty: 1 }, call: { toJSON: '[function]' } },
    )
  })

  it('ends on cycles and limits long values', () => {
    const cycle: Record<string, unknown> = { long: 'x'.repeat(100_000) }
    cycle['self'] = cycle
    const { text } = logged((log) => log.info({ cycle, list: Array.from({ length: 100_000 }, () => 1) }))
    assert.ok(text.length < 60_000, String(text.length))
  })
})

describe('errors in the log', () => {
  it('show type, message, code, frames and causes', () => {
    const cause = Object.assign(new TypeError('refused to connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
    const { lines } = logged((log) => log.error({ err: new Error('no database', { cause }) }, 'failed'))
    const err = lines[0]?.['err'] as Record<string, Record<string, unknown>>
    assert.equal(lines[0]?.['msg'], 'failed')
    assert.equal(err['message'], 'no database')
    assert.match(JSON.stringify(err['stack']), /^" {4}at .*log\.test\.ts/)
    assert.equal(err['cause']?.['type'], 'TypeError')
    assert.equal(err['cause']?.['code'], 'ECONNREFUSED')
    assert.equal(err['cause']?.['syscall'], 'connect')
  })

  const canaryErrors: Record<string, unknown> = {
    'a duplicate key': databaseError('duplicate key value violates unique constraint "users_email_key"', '23505'),
    'a value of a wrong type': databaseError(`invalid input syntax for type integer: "${canary}"`, '22P02'),
    'an error without a known state': databaseError(canary, ''),
    'a message that looks like a frame': databaseError(`x\n    at ${canary}`, '22000'),
    'unreadable JSON': (() => {
      try {
        return JSON.parse(`{"password":${canary}}`) as unknown
      } catch (error) {
        return error
      }
    })(),
    'own properties': Object.assign(new Error('failed'), { input: canary, config: { data: canary }, url: canary }),
    'something thrown that is no error': new Error('failed', { cause: { password: canary, other: canary } }),
    'a text that was thrown': new Error('failed', { cause: canary }),
  }
  for (const [name, error] of Object.entries(canaryErrors)) {
    it(`never show values: ${name}`, () => {
      const { text, lines } = logged((log) => {
        assert.ok(error instanceof Error)
        log.error(error)
        log.error(error, 'with a message')
        log.error({ err: error })
        log.error({ err: new Error('outer', { cause: error }) }, 'as a cause')
        log.error({ err: new AggregateError([error], 'outer') })
        log.error({ deep: { error } })
        log.error('in the text: %s', error)
        log.child({ err: error }).error('child')
      })
      assert.doesNotMatch(text, /canary/)
      assert.equal(lines.length, 8)
    })
  }

  it('keep the properties that identify a constraint', () => {
    const { lines } = logged((log) =>
      log.error(databaseError('duplicate key value violates unique constraint "u"', '23505')),
    )
    const [{ err } = {}] = lines
    const { code, constraint, table } = err as Record<string, unknown>
    assert.deepEqual({ code, constraint, table }, { code: '23505', constraint: 'users_email_key', table: 'users' })
    assert.equal(lines[0]?.['msg'], 'duplicate key value violates unique constraint "u"')
  })
})

describe('standard output', () => {
  const moduleUrl = JSON.stringify(new URL('log.ts', import.meta.url).href)
  const endings = {
    'the end of its work': '',
    'process.exit': 'process.exit(0)',
    'an uncaught error': 'throw new Error("bug")',
    'a flush': 'log.flush(() => process.exit(0))',
  }
  for (const [name, ending] of Object.entries(endings)) {
    it(`has every line when the process ends by ${name}`, () => {
      const script = `import { createLog } from ${moduleUrl}
        const log = createLog({ logLevel: 'info' })
        for (let line = 0; line < 2000; line++) log.info({ line }, 'x')
        ${ending}`
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
      const numbers = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { line: number }).line)
      assert.deepEqual(
        numbers,
        Array.from({ length: 2000 }, (_, line) => line),
      )
    })
  }

  it('gets a line soon after it was logged, while the process continues', async () => {
    const script = `import { createLog } from ${moduleUrl}
      createLog({ logLevel: 'info' }).info('first')
      setInterval(() => {}, 1000)`
    const running = spawn(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 })
    let text = ''
    for await (const chunk of running.stdout) {
      text += String(chunk)
      if (text.endsWith('\n')) break
    }
    running.kill()
    assert.equal((JSON.parse(text) as { msg: string }).msg, 'first')
  })
})
