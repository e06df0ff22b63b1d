// Holds "As code" to what the console sends: the curl command is taken apart by a shell, the SDK code runs against the SDK itself, for every
// operation of the contract, and both must make the request that the form makes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Endpoint, endpoints } from '@bailiwick/contract'
import { Bailiwick } from '@bailiwick/sdk'
import { type CodePlace, asCurl, asSdkCode } from '../src/form/as-code.ts'
import type { FormState } from '../src/form/form-state.ts'
import { operationTable } from '../src/node/operations-of-contract.ts'

const run = promisify(execFile)
const table = operationTable()

interface Sent {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly authorization: string | undefined
}

/** What would break a shell, a template or a text of JavaScript if it were not quoted. */
const awkward = `it's "quoted" \`tick\` $HOME \\ back \${x} !bang\n<second line> \u2028 ü 日本`

/** A form of the operation with the contract's example in it, where texts that people write are awkward ones. */
function formOf({ id, example }: Endpoint): FormState {
  const {
    params = {},
    query = {},
    body,
  } = example as {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  const hasText = typeof body === 'object' && body !== null && !Array.isArray(body)
  const texts = { ...query, ...(Object.hasOwn(query, 'query') ? { query: awkward } : {}) }
  return {
    operationId: id,
    params,
    query: texts,
    body: hasText ? { ...body, description: awkward, 'x-odd name': [1, true, null, { nested: awkward }] } : undefined,
  } as unknown as FormState
}

const forms = (Object.values(endpoints) as readonly Endpoint[])
  // What comes and goes as a file or a stream has no form.
  .filter(({ bodyType, responseType }) => bodyType === undefined && responseType === undefined)
  .map((endpoint) => formOf(endpoint))

describe('a form as code', () => {
  const received: Sent[] = []
  let place: CodePlace
  let folder: string
  const server = createServer((request, response) => {
    void readAll(request).then((text) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
      const { method = '', headers } = request
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      const query = Object.fromEntries(searchParams)
      received.push({ method, path: pathname, query, body, authorization: headers.authorization })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })

  async function readAll(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    return Buffer.concat(parts).toString()
  }

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    place = { baseUrl: `http://127.0.0.1:${port}/api/v0`, needsNoKey: false }
    folder = mkdtempSync(join(tmpdir(), 'bailiwick-code-'))
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  /** What the console sends, by the SDK, for each form. */
  async function sentByConsole(): Promise<Sent[]> {
    received.length = 0
    const client = new Bailiwick({ baseUrl: place.baseUrl, secretKey: 'sk_of_the_test' })
    for (const { operationId, params, query, body } of forms) {
      const call = client[operationId] as unknown as (input: object) => Promise<unknown>
      await call({ params, query, ...(body === undefined ? {} : { body }) })
    }
    return [...received]
  }

  it('sends as curl what the console sends, whatever is typed', async () => {
    const wanted = await sentByConsole()
    assert.equal(wanted.length, forms.length)
    received.length = 0
    const commands = forms.map((state) => {
      const facts = table[state.operationId] ?? assert.fail(state.operationId)
      return `${asCurl(state, facts, place)} -s -o /dev/null`
    })
    const script = join(folder, 'all.sh')
    writeFileSync(script, `set -e\n${commands.join('\n')}\n`)
    await run('bash', [script], { env: { ...process.env, BAILIWICK_SECRET_KEY: 'sk_of_the_test' }, timeout: 120_000 })
    assert.deepEqual(received, wanted)
  })

  it('sends as SDK code what the console sends, whatever is typed', async () => {
    const wanted = await sentByConsole()
    received.length = 0
    const secret = process.env['BAILIWICK_SECRET_KEY']
    process.env['BAILIWICK_SECRET_KEY'] = 'sk_of_the_test'
    try {
      for (const [index, state] of forms.entries()) {
        // The code as it is, with another way to the SDK and no talk.
        const code = asSdkCode(state, place)
          .replace(`'@bailiwick/sdk'`, JSON.stringify(import.meta.resolve('@bailiwick/sdk')))
          .replace('console.log(answer)', '')
        const file = join(folder, `${index}.mjs`)
        writeFileSync(file, code)
        await import(file)
      }
    } finally {
      if (secret === undefined) delete process.env['BAILIWICK_SECRET_KEY']
      else process.env['BAILIWICK_SECRET_KEY'] = secret
    }
    assert.deepEqual(received, wanted)
  })

  it('has no key where the service takes callers on this machine without one', () => {
    const [state = assert.fail()] = forms
    const facts = table[state.operationId] ?? assert.fail()
    const open = { ...place, needsNoKey: true }
    assert.ok(!asCurl(state, facts, open).includes('authorization'))
    assert.ok(!asSdkCode(state, open).includes('secretKey'))
  })
})
