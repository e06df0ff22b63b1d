// The service in-process, on each engine, for tests: real routes, real database, requests through the same interface as every client's.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Endpoint, type EndpointId, type ErrorBody, endpoints } from '@bailiwick/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import type { Deps } from '../../src/identity/deps.ts'
import { createSessionDirectory } from '../../src/identity/sessions/session-directory.ts'
import { KeptImages } from '../../src/media/delivery/kept-images.ts'
import { ImagePool } from '../../src/media/engine/workers/pool.ts'
import { TemplatePool } from '../../src/messaging/notifications/rendering/template-pool.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { EngineName } from '../../src/platform/db/database.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/open.ts'
import { createHealth } from '../../src/platform/http/health.ts'
import { buildApp } from '../../src/service/app.ts'
import { buildDeps } from '../../src/service/main.ts'
import { ensureConsoleTenant } from '../../src/service/tenant-lifecycle/create-tenant.ts'
import { createTenantDirectory } from '../../src/tenancy/directory/tenant-directory.ts'
import { type TestDatabase, describeOnEngines, engines } from './databases/databases.ts'
import { type SuiteOnOneEngine, engineOf } from './databases/on-one-engine.ts'
import { assertDeclared } from './declared-answers.ts'
import { joinNodes } from './nodes-in-turn.ts'
import { cheapPasswords } from './people/passwords.ts'

export const operatorKey = `op_${randomBytes(32).toString('hex')}`
export const testEnv = {
  BAILIWICK_OPERATOR_KEY: operatorKey,
  BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64'),
  // Nobody answers there: only tests that run a server of their own get answers.
  BAILIWICK_DNS_SERVERS: '127.0.0.1:9',
  BAILIWICK_CHALLENGE_VERIFY_URL: 'http://127.0.0.1:9/siteverify',
}
export const productionEnv = {
  ...testEnv,
  BAILIWICK_ENV: 'production',
  BAILIWICK_BASE_URL: 'https://id.example.com/api/v0',
}

export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly body: Body
}

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A Bearer token; undefined: the operator key; null: none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

const formBoundary = 'the-boundary-of-a-test'

/** The parts of a form, in this order; what is not text is a file. */
function formOf(parts: Readonly<Record<string, unknown>>): Buffer {
  const texts = Object.entries(parts).flatMap(([name, value]) => {
    const isFile = value instanceof Uint8Array
    const head = `--${formBoundary}\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="f"' : ''}\r\n\r\n`
    return [Buffer.from(head), isFile ? Buffer.from(value) : Buffer.from(String(value)), Buffer.from('\r\n')]
  })
  return Buffer.concat([...texts, Buffer.from(`--${formBoundary}--\r\n`)])
}

const readLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Returns what is sent for a body, and its type if that is not JSON. */
function payloadOf({ bodyType }: Endpoint, body: unknown): { type?: string; payload?: string | object } {
  if (body === undefined) return {}
  if (bodyType === 'multipart/form-data') {
    return { type: `${bodyType}; boundary=${formBoundary}`, payload: formOf(body as Record<string, unknown>) }
  }
  if (bodyType !== undefined && Array.isArray(body)) return { type: bodyType, payload: readLines(body) }
  return { payload: body as object }
}

/** Parsed if it is JSON; an array of lines if it is newline-delimited JSON. */
function bodyOf(contentType: string, text: string): unknown {
  if (contentType.startsWith('application/x-ndjson')) {
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
  }
  if (contentType.startsWith('image/') || contentType === 'application/octet-stream') return text
  return contentType.startsWith('application/json') && text !== '' ? (JSON.parse(text) as unknown) : undefined
}

/** One running service, and how tests call it. */
export class TestService {
  readonly app: FastifyInstance
  readonly deps: Deps

  constructor(app: FastifyInstance, deps: Deps) {
    this.app = app
    this.deps = deps
  }

  /** Sends any request; answers that the contract does not declare fail the test. */
  async request(options: InjectOptions): Promise<Answer> {
    const response = await this.app.inject(options)
    const answer = {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: bodyOf(response.headers['content-type'] ?? '', response.body),
    }
    return answer
  }

  /** Returns the beginning of an endless answer, which is then aborted. */
  async beginning(options: InjectOptions): Promise<Answer> {
    const response = await this.app.inject({ ...options, payloadAsStream: true })
    const chunks: AsyncIterable<Buffer> = response.stream()
    let text = ''
    for await (const chunk of chunks) {
      text += chunk.toString()
      if (response.statusCode === 200) break
    }
    const body: unknown = response.statusCode === 200 ? text : JSON.parse(text)
    return { status: response.statusCode, headers: response.headers, text, body }
  }

  /** Calls one operation of the contract, as the operator unless a token is given. The answer must be one that it declares. */
  async call<Body = Record<string, unknown>>(id: EndpointId, options: CallOptions = {}): Promise<Answer<Body>> {
    const endpoint: Endpoint = endpoints[id]
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
      encodeURIComponent(options.params?.[name] ?? name),
    )
    const search = new URLSearchParams(options.query).toString()
    const token = options.token === undefined ? operatorKey : options.token
    const send = endpoint.responseType === 'text/event-stream' ? this.beginning.bind(this) : this.request.bind(this)
    const { type, payload } = payloadOf(endpoint, options.body)
    const answer = await send({
      method: endpoint.method,
      url: `/api/v0${path}${search === '' ? '' : `?${search}`}`,
      headers: {
        // From another machine, so that the loopback rule of development grants no rights.
        host: 'id.test',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    assertDeclared(endpoint, answer)
    return answer as Answer<Body>
  }

  /** Does the same as `call`; the answer must be 200. Returns its body. */
  async ok<Body = Record<string, unknown>>(id: EndpointId, options: CallOptions = {}): Promise<Body> {
    const answer = await this.call<Body>(id, options)
    if (answer.status !== 200) throw new Error(`${id} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }

  /** Does the same as `call`; the answer must be an error with that code. Returns its body. */
  async refused(id: EndpointId, code: string, options: CallOptions = {}): Promise<ErrorBody> {
    const answer = await this.call<ErrorBody>(id, options)
    if (answer.body?.code !== code) throw new Error(`${id} answered ${answer.status} ${answer.text} instead of ${code}`)
    return answer.body
  }
}

/** Shared by all services of the process, because starting its worker processes takes longer than most tests. */
class SharedTemplatePool extends TemplatePool {
  override async close(): Promise<void> {
    // It ends with the process.
  }
}

/** As {@link SharedTemplatePool}. */
class SharedImagePool extends ImagePool {
  override async close(): Promise<void> {
    // Its workers end when they are idle, or with the process.
  }
}

const renderers = new SharedTemplatePool()
const images = new SharedImagePool()
const directories: string[] = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** @param replace what replaces the real dependencies: a clock that the test advances, a log that it reads. */
export async function startTestService(
  db: OpenDatabase,
  env: NodeJS.ProcessEnv = testEnv,
  replace: (deps: Deps) => Partial<Deps> = () => ({}),
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-data-'))
  directories.push(dataDir)
  const config = readConfig({ BAILIWICK_DATA_DIR: dataDir, ...env })
  const built = {
    ...(await buildDeps(config, db, pino({ level: 'silent' }))),
    ...cheapPasswords(),
    templatePool: renderers,
    imagePool: images,
  }
  const replaced = { ...built, ...replace(built) }
  const deps: Deps = { ...replaced, keptImages: new KeptImages(replaced) }
  await ensureConsoleTenant(deps)
  const app = buildApp(deps, { health: createHealth(db) })
  await app.ready()
  return new TestService(app, deps)
}

/** As `npm test -- --nodes=2` asks. */
const usualNodeCount = Number(process.env['TEST_NODES'] ?? 1)

type Suite = (service: () => TestService) => void

interface ServiceOptions {
  readonly env?: NodeJS.ProcessEnv | undefined
  /** On PostgreSQL; a SQLite directory belongs to one process. */
  readonly nodeCount?: number
  /** What replaces the real dependencies. */
  readonly replace?: (deps: Deps) => Partial<Deps>
}

/** Runs the same suite on SQLite and on PostgreSQL, each with one service on a fresh database. */
export function describeService(title: string, suite: Suite, env?: NodeJS.ProcessEnv) {
  describeServiceOn(engines, title, suite, { env })
}

/** Runs one of the suites that `on-one-engine.ts` lists, on one engine only. */
export function describeServiceOnce(title: SuiteOnOneEngine, suite: Suite, env?: NodeJS.ProcessEnv) {
  describeServiceOn([engineOf(title)], title, suite, { env })
}

/** Runs a suite, on each engine, whose tests need other dependencies than usual: those that `replace` returns, for each node. */
export function describeServiceWith(
  title: string,
  replace: (deps: Deps) => Partial<Deps>,
  suite: Suite,
  nodeCount?: number,
) {
  describeServiceOn(engines, title, suite, { replace, ...(nodeCount === undefined ? {} : { nodeCount }) })
}

/** Does the same as {@link describeService}; on PostgreSQL each request goes to that of two nodes which has not answered the one before. */
export function describeNodesInTurn(title: string, suite: Suite, env?: NodeJS.ProcessEnv) {
  describeServiceOn(engines, title, suite, { env, nodeCount: 2 })
}

/** One clock for all nodes: tests of what happens after what would otherwise depend on which node has answered. */
function withClock(database: OpenDatabase, { clock, config }: Deps, { log }: Deps): Partial<Deps> {
  const tenants = createTenantDirectory(database, clock, config)
  return { clock, tenants, sessions: createSessionDirectory(database, tenants, clock, log) }
}

interface Started {
  readonly service: TestService
  readonly stop: (this: void) => Promise<void>
}

/** Starts the nodes of one deployment, which have one directory and each a database connection of its own. */
async function startNodes(
  { database, options }: TestDatabase,
  { env = testEnv, replace, nodeCount = usualNodeCount }: ServiceOptions,
): Promise<Started> {
  const service = await startTestService(database, env, replace)
  if (options.kind !== 'postgresql' || nodeCount === 1) return { service, stop: async () => service.app.close() }
  const nodeEnv = { ...env, BAILIWICK_DATA_DIR: service.deps.config.dataDir }
  const start = async () => {
    const own = await openDatabase(options)
    const replaceMore = (deps: Deps) => ({ ...withClock(own, service.deps, deps), ...replace?.(deps) })
    const { app, deps } = await startTestService(own, nodeEnv, replaceMore)
    return { database: own, app, memory: deps }
  }
  const further = await Promise.all(Array.from({ length: nodeCount - 1 }, start))
  const joined = await joinNodes([{ database, app: service.app, memory: service.deps }, ...further])
  return {
    service: new TestService(joined.app, service.deps),
    async stop() {
      await joined.stop()
      await service.app.close()
      for (const node of further) {
        await node.app.close()
        await node.database.close()
      }
    },
  }
}

function describeServiceOn(
  on: readonly EngineName[],
  title: string,
  suite: Suite,
  serviceOptions: ServiceOptions = {},
) {
  describeOnEngines(on, title, (open) => {
    let started: Started | undefined
    before(async () => {
      started = await startNodes(await open(), serviceOptions)
    })
    after(async () => {
      await started?.stop()
    })
    suite(() => {
      if (started === undefined) throw new Error('the service starts before the tests, not before the suite')
      return started.service
    })
  })
}
