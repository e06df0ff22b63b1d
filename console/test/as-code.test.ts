// Checks "As code" against what the console sends: the curl command is parsed by a shell, the SDK code runs against the SDK itself, for
// every operation of the contract, and both must make the request that the form makes. The forms of archives send and take files.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Endpoint, endpoints } from '@bailiwick/contract'
import { Bailiwick } from '@bailiwick/sdk'
import { curlOfExport, curlOfImport, sdkOfExport, sdkOfImport } from '../src/form/archive-code.ts'
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

/** Text that would break a shell, a template or a text of JavaScript if it were not quoted. */
const awkward = `it's "quoted" \`tick\` $HOME \\ back \${x} !bang\n<second line> \u2028 ü 日本`

/** A form of the operation with the contract's example in it, with awkward texts wherever people write their own. */
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
  // Operations that send or receive a file or a stream, and those of gateways, have no form.
  .filter((endpoint) =>
    [endpoint.bodyType, endpoint.responseType, endpoint.requestHeaders].every((each) => each === undefined),
  )
  .map((endpoint) => formOf(endpoint))

const key = 'sk_of_the_test'

/** Returns the request that curl makes from its arguments. */
function requestOf(args: readonly string[]): Sent {
  const valuesOf = (name: string) => args.flatMap((each, index) => (args[index - 1] === name ? [each] : []))
  const [method = ''] = valuesOf('-X')
  const { pathname, searchParams } = new URL(args[2] ?? '')
  const authorization = valuesOf('-H').find((header) => header.startsWith('authorization: '))
  const [data] = valuesOf('-d')
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: data === undefined ? undefined : (JSON.parse(data) as unknown),
    authorization: authorization?.slice('authorization: '.length),
  }
}

describe('a form as code', () => {
  const received: Sent[] = []
  let wanted: readonly Sent[]
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
    place = { baseUrl: `http://127.0.0.1:${port}/api/v0`, key: 'tenant' }
    folder = mkdtempSync(join(tmpdir(), 'bailiwick-code-'))
    wanted = await sentByConsole()
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  /** Returns the request that the console sends, by the SDK, for each form. */
  async function sentByConsole(): Promise<Sent[]> {
    received.length = 0
    const client = new Bailiwick({ baseUrl: place.baseUrl, secretKey: key })
    for (const { operationId, params, query, body } of forms) {
      const call = client[operationId] as unknown as (input: object) => Promise<unknown>
      await call({ params, query, ...(body === undefined ? {} : { body }) })
    }
    return [...received]
  }

  const commandOf = (state: FormState) => asCurl(state, table[state.operationId] ?? assert.fail(), place)
  const environment = { ...process.env, BAILIWICK_SECRET_KEY: key }

  it('makes curl send what the console sends, whatever is typed', async () => {
    // One shell parses all commands; a process for each would take a minute.
    const script = join(folder, 'all.sh')
    writeFileSync(script, `curl() { printf '%s\\0' "$@" --; }\n${forms.map(commandOf).join('\n')}\n`)
    const { stdout } = await run('bash', [script], { env: environment, maxBuffer: 64 * 1024 * 1024 })
    const requests = stdout
      .split('\0--\0')
      .slice(0, -1)
      .map((each) => requestOf(each.split('\0')))
    assert.deepEqual(requests, wanted)

    received.length = 0
    const some = forms.flatMap((state, index) => (index % 40 === 0 ? [{ state, index }] : []))
    for (const { state } of some) {
      await run('bash', ['-c', `${commandOf(state)} --silent --fail`], { env: environment, timeout: 60_000 })
    }
    assert.deepEqual(
      received,
      some.map(({ index }) => wanted[index]),
    )
  })

  it('makes the SDK send what the console sends, whatever is typed', async () => {
    received.length = 0
    const importLine = `import { Bailiwick } from '@bailiwick/sdk'\n`
    const blocks = forms.map((state) => {
      const code = asSdkCode(state, place)
      assert.ok(code.startsWith(importLine) && code.endsWith('console.log(answer)\n'))
      return `{${code.slice(importLine.length).replace('console.log(answer)', '')}}`
    })
    const file = join(folder, 'all.mjs')
    const sdk = JSON.stringify(import.meta.resolve('@bailiwick/sdk'))
    writeFileSync(file, `import { Bailiwick } from ${sdk}\n${blocks.join('\n')}`)
    await run(process.execPath, [file], { env: environment, timeout: 120_000 })
    assert.deepEqual(received, wanted)
  })

  it('contains no key if the service accepts callers on this machine without one', () => {
    const [state = assert.fail()] = forms
    const facts = table[state.operationId] ?? assert.fail()
    const open: CodePlace = { ...place, key: 'none' }
    assert.ok(!asCurl(state, facts, open).includes('authorization'))
    assert.ok(!asSdkCode(state, open).includes('secretKey'))
  })
})

describe('the form of an archive as code', () => {
  const archive = Buffer.from(Array.from({ length: 300_000 }, (_each, index) => index % 251))
  const received: { readonly path: string; readonly authorization: string | undefined; readonly parts: unknown }[] = []
  let place: CodePlace
  let folder: string
  const server = createServer((request, response) => {
    void answerOf(request).then(({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body))
  })

  /** Answers like the service: an export with the bytes of the archive, an import with its progress. */
  async function answerOf(request: IncomingMessage) {
    const { url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const part of request) chunks.push(part as Buffer)
    const sent = new Response(Buffer.concat(chunks), { headers: { 'content-type': headers['content-type'] ?? '' } })
    const isExport = url.endsWith('/archive')
    const parts: unknown = isExport ? await sent.json() : await formOfParts(sent)
    received.push({ path: url, authorization: headers.authorization, parts })
    return isExport
      ? { type: 'application/octet-stream', body: archive }
      : { type: 'application/x-ndjson; charset=utf-8', body: '{"step":"imported","rows":12}\n' }
  }

  /** Returns the parts in the order in which they were sent, and of a file its bytes. */
  async function formOfParts(sent: Response) {
    const entries: [string, unknown][] = []
    for (const [name, value] of await sent.formData()) {
      entries.push([name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer())])
    }
    return entries
  }

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    place = { baseUrl: `http://127.0.0.1:${port}/api/v0`, key: 'operator' }
    folder = mkdtempSync(join(tmpdir(), 'bailiwick-archive-code-'))
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const options = () => ({
    cwd: folder,
    env: { ...process.env, BAILIWICK_OPERATOR_KEY: 'op_of_the_test' },
    timeout: 60_000,
  })
  const runCurl = (state: FormState, write: typeof asCurl) =>
    run('bash', ['-c', write(state, table[state.operationId] ?? assert.fail(), place)], options())
  const runSdk = (state: FormState, write: typeof asSdkCode) =>
    run(process.execPath, ['--input-type=module', '--eval', write(state, place)], options())

  const saved = () => readFileSync(join(folder, 'tenant.bailiwick'))
  const authorization = 'Bearer op_of_the_test'

  it('saves the archive of the tenant, with curl and with the SDK', async () => {
    const params = { id: 'c0mwq1xyzi5o20ozvv993p2b3' }
    const state: FormState = { operationId: 'exportTenant', params, query: {}, body: { passphrase: '…' } }
    for (const save of [() => runCurl(state, curlOfExport), () => runSdk(state, sdkOfExport)]) {
      rmSync(join(folder, 'tenant.bailiwick'), { force: true })
      await save()
      assert.deepEqual(saved(), archive)
      const path = `/api/v0/deployment/tenants/${params.id}/archive`
      assert.deepEqual(received.pop(), { path, authorization, parts: { passphrase: '…' } })
    }
  })

  it('sends the archive after its passphrase, with curl and with the SDK, and prints how far the import is', async () => {
    writeFileSync(join(folder, 'tenant.bailiwick'), archive)
    const body = { passphrase: '…', file: 'tenant.bailiwick' }
    const state: FormState = { operationId: 'importTenant', params: {}, query: {}, body }
    const path = '/api/v0/deployment/archives'
    const parts = [
      ['passphrase', '…'],
      ['file', archive],
    ]
    for (const send of [() => runCurl(state, curlOfImport), () => runSdk(state, sdkOfImport)]) {
      const { stdout } = await send()
      assert.match(stdout, /imported/)
      assert.deepEqual(received.pop(), { path, authorization, parts })
    }
  })
})
