// The engine alone: the same rows that the service writes, made beforehand, inserted by a loop over the driver as a careful programmer
// would write it.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { prepareUser, userStatements } from '@bailiwick/server/src/identity/users/users.ts'
import { readConfig } from '@bailiwick/server/src/platform/config.ts'
import { openDatabase } from '@bailiwick/server/src/platform/db/open.ts'
import type { Statement } from '@bailiwick/server/src/platform/db/sql.ts'
import { type TenantId, newId } from '@bailiwick/server/src/platform/ids.ts'
import { buildDeps } from '@bailiwick/server/src/service/main.ts'
import { Client } from 'pg'
import { pino } from 'pino'
import type { Deps } from '../../../server/src/identity/deps.ts'
import { newTenantStatements, prepareTenant } from '../../../server/src/service/tenant-lifecycle/new-tenant.ts'
import type { Store } from '../data/store.ts'
import { newTenantBody, newUserBody } from '../load/bodies.ts'
import type { Sample } from '../load/load.ts'
import { answerQuestions } from './child-process.ts'

export type Rows = 'users' | 'tenants'

export type EngineQuestion =
  | { readonly kind: 'open'; readonly store: Store; readonly tenantId: string; readonly poolSize: number }
  | {
      readonly kind: 'run'
      readonly rows: Rows
      readonly seconds: number
      /** How many transactions share a commit on SQLite. */
      readonly groupSize: number
    }

interface Runner {
  /** Runs transactions, each of which is a list of statements; the transactions of one lane run one after the other. */
  run(lanes: readonly (readonly Statement[])[][], groupSize: number): Promise<void>
  readonly lanes: number
}

const transactionsPerChunk = 1000
const actor = { type: 'secret_key', id: null, ip: '127.0.0.1', ua: 'bench' } as const

function sqliteRunner(file: string): Runner {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000')
  database.exec('PRAGMA cache_size = -16384')
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return {
    lanes: 1,
    async run([transactions = []], groupSize) {
      for (let from = 0; from < transactions.length; from += groupSize) {
        prepare('BEGIN IMMEDIATE').run()
        for (const statements of transactions.slice(from, from + groupSize)) {
          for (const { sqliteText, values } of statements) prepare(sqliteText).run(...values)
        }
        prepare('COMMIT').run()
      }
    },
  }
}

async function postgresqlRunner(url: string, poolSize: number): Promise<Runner> {
  const clients = await Promise.all(
    Array.from({ length: poolSize }, async () => {
      const client = new Client(url)
      await client.connect()
      return client
    }),
  )
  const runLane = async (client: Client, transactions: readonly (readonly Statement[])[]) => {
    for (const statements of transactions) {
      await client.query('BEGIN')
      for (const { name, postgresqlText, values } of statements) {
        await client.query({ name, text: postgresqlText, values: [...values] })
      }
      await client.query('COMMIT')
    }
  }
  return {
    lanes: poolSize,
    async run(lanes) {
      await Promise.all(clients.map((client, index) => runLane(client, lanes[index] ?? [])))
    },
  }
}

async function rowsOfTenant(deps: Deps, shard: number): Promise<readonly Statement[]> {
  const id = newId<'TenantId'>()
  const prepared = await prepareTenant(deps, id, 'production')
  const body = newTenantBody()
  return newTenantStatements(deps, { shard }, { ...body, id, kind: 'tenant' }, prepared, actor, undefined)
}

async function rowsOfUser(deps: Deps, tenantId: TenantId, shard: number): Promise<readonly Statement[]> {
  const input = newUserBody()
  const prepared = await prepareUser(deps, tenantId, input)
  return userStatements(deps, { shard }, tenantId, input, prepared, actor).statements
}

let open: { readonly deps: Deps; readonly runner: Runner; readonly tenantId: TenantId } | undefined

async function openStore(store: Store, tenantId: string, poolSize: number) {
  const { databaseUrl, sqliteFile: file } = store
  const env = { BAILIWICK_DATA_DIR: store.dataDir, BAILIWICK_OPERATOR_KEY: store.operatorKey }
  const options =
    databaseUrl === undefined
      ? ({ kind: 'sqlite', file } as const)
      : ({ kind: 'postgresql', url: databaseUrl } as const)
  const deps = await buildDeps(readConfig(env), await openDatabase(options), pino({ level: 'silent' }))
  const runner = databaseUrl === undefined ? sqliteRunner(file) : await postgresqlRunner(databaseUrl, poolSize)
  open = { deps, runner, tenantId: tenantId as TenantId }
}

async function run(rows: Rows, seconds: number, groupSize: number): Promise<Sample> {
  if (open === undefined) throw new Error('no store is open')
  const { deps, runner, tenantId } = open
  let done = 0
  let elapsedMs = 0
  while (elapsedMs < seconds * 1000) {
    const lanes: (readonly Statement[])[][] = Array.from({ length: runner.lanes }, () => [])
    for (let index = 0; index < transactionsPerChunk; index++) {
      const shard = index % runner.lanes
      lanes[shard]?.push(await (rows === 'users' ? rowsOfUser(deps, tenantId, shard) : rowsOfTenant(deps, shard)))
    }
    const start = performance.now()
    await runner.run(lanes, groupSize)
    elapsedMs += performance.now() - start
    done += transactionsPerChunk
  }
  return { perSecond: (done * 1000) / elapsedMs, p99: undefined }
}

answerQuestions((question: EngineQuestion) =>
  question.kind === 'open'
    ? openStore(question.store, question.tenantId, question.poolSize)
    : run(question.rows, question.seconds, question.groupSize),
)
