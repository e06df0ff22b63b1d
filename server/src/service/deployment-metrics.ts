// The metrics of a node, and the port that serves them.
import type { Server } from 'node:net'
import { eventTypes } from '@bailiwick/contract'
import type { Deps } from '../identity/deps.ts'
import type { CacheUse } from '../platform/cache/memory.ts'
import { toMs } from '../platform/clock.ts'
import type { OpenDatabase } from '../platform/db/open.ts'
import type { ReadReplica } from '../platform/db/postgresql/read-replica.ts'
import { unsealedSeconds } from '../platform/events/sealer.ts'
import type { Health } from '../platform/http/health.ts'
import { countDue, selectOldestDue } from '../platform/jobs/backlog.ts'
import { createServer } from '../platform/net/node-http.ts'
import { AnswerDelay } from '../platform/telemetry/answer-delay.ts'
import { type Metrics, addMeter, createMetrics } from '../platform/telemetry/metrics.ts'
import { addHealth } from './health-metrics.ts'

/** How many waiting jobs are counted; beyond that it does not matter any more. */
const jobsCountedMax = 10_000

function addJobs(metrics: Metrics, { db, clock }: Deps) {
  metrics.addGauge({
    name: 'jobs_oldest_due_seconds',
    help: 'How long the job that has waited longest is due; 0 if none is',
    async read() {
      const oldest = await selectOldestDue(db, clock.now())
      return [{ value: oldest === undefined ? 0 : Math.max(0, (clock.nowMs() - toMs(oldest.run_at)) / 1000) }]
    },
  })
  metrics.addGauge({
    name: 'jobs_due',
    help: `How many jobs are due, running or not, ${jobsCountedMax} at most`,
    read: async () => [{ value: (await countDue(db, clock.now(), jobsCountedMax))?.count ?? 0 }],
  })
}

function addPool(metrics: Metrics, db: OpenDatabase) {
  if (db.load === undefined) return
  metrics.addGauge({
    name: 'database_connections',
    help: 'Connections to PostgreSQL: open and idle ones, how many may be open, and callers that wait for one',
    labels: ['state'],
    read() {
      const { max = 0, open = 0, idle = 0, waiting = 0 } = db.load ?? {}
      return Object.entries({ max, open, idle, waiting }).map(([state, value]) => ({ labels: { state }, value }))
    },
  })
}

function addReplica(metrics: Metrics, replica: ReadReplica) {
  metrics.addCounter({
    name: 'database_replica_reads',
    help: 'Reads of lists that the replica answered, and those that the primary answered because it was behind or away',
    labels: ['result'],
    read: () => Object.entries(replica.reads).map(([result, value]) => ({ labels: { result }, value })),
  })
  metrics.addGauge({
    name: 'database_replica_usable',
    help: '1 if lists are read from the replica, 0 if they are read from the primary',
    read: () => [{ value: replica.state === 'usable' ? 1 : 0 }],
  })
  metrics.addGauge({
    name: 'database_replica_lag_bytes',
    help: 'How much of the write-ahead log the replica lacked when it was last looked at; absent while it is away',
    read: () => (replica.lag === undefined ? [] : [{ value: replica.lag }]),
  })
}

function addPasswords(metrics: Metrics, { passwordPool }: Deps) {
  metrics.addGauge({
    name: 'passwords',
    help: 'Passwords that are being hashed or verified, and those that wait for their turn',
    labels: ['state'],
    read() {
      const { running, waiting } = passwordPool.load
      return Object.entries({ running, waiting }).map(([state, value]) => ({ labels: { state }, value }))
    },
  })
  metrics.addCounter({
    name: 'passwords_refused',
    help: 'Passwords that were neither hashed nor verified, because too many waited',
    read: () => [{ value: passwordPool.load.refused }],
  })
}

function addCaches(metrics: Metrics, { tenants, sessions }: Deps) {
  const uses: Readonly<Record<string, () => CacheUse>> = { tenants: tenants.cacheUse, sessions: sessions.cacheUse }
  metrics.addGauge({
    name: 'cache_entries',
    help: 'Entries in memory',
    labels: ['cache'],
    read: () => Object.entries(uses).map(([cache, use]) => ({ labels: { cache }, value: use().entries })),
  })
  metrics.addCounter({
    name: 'cache_lookups',
    help: 'Look-ups that memory answered (hit) and that went to the database (miss)',
    labels: ['cache', 'result'],
    read: () =>
      Object.entries(uses).flatMap(([cache, use]) => {
        const { hits, misses } = use()
        return [
          { labels: { cache, result: 'hit' }, value: hits },
          { labels: { cache, result: 'miss' }, value: misses },
        ]
      }),
  })
}

async function listen({ registry }: Metrics, { port, host }: { readonly port: number; readonly host: string }) {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  // Each of several processes has a port of its own.
  await new Promise<void>((done, fail) => server.once('error', fail).listen({ port, host, exclusive: true }, done))
  return server
}

/** Measures how long callers wait, by asking the server of the metrics, which answers in the same turns as all others. */
function addAnswerDelay(metrics: Metrics, server: Server): () => Promise<void> {
  const delay = new AnswerDelay(server)
  metrics.addGauge({
    name: 'answer_delay_seconds',
    help: 'The longest time since the last request for metrics that this node took to answer a new connection',
    read: () => [{ value: delay.take() }],
  })
  return async () => {
    delay.stop()
    await new Promise<void>((done) => void server.close(() => done()))
  }
}

/** Serves metrics on a port of their own if the configuration names one, because nobody outside needs them. */
export async function serveMetrics(deps: Deps, db: OpenDatabase, health: Health, replica: ReadReplica | undefined) {
  const { config, meter } = deps
  if (config.metrics === undefined) return undefined
  const metrics = await createMetrics()
  // A counter that appears with its first event would hide that event from `increase()`.
  for (const type of eventTypes) meter.count('events', { type }, 0)
  for (const outcome of ['succeeded', 'failed']) meter.count('webhook_attempts', { outcome }, 0)
  for (const channel of ['deployment', 'tenant']) {
    for (const outcome of ['sent', 'failed', 'refused']) meter.count('message_attempts', { channel, outcome }, 0)
  }
  addMeter(metrics, meter)
  addHealth(metrics, deps, db, health)
  metrics.addGauge({
    name: 'event_log_oldest_unsealed_seconds',
    help: 'Age of the oldest event that is not sealed yet; 0 if all are sealed',
    read: async () => [{ value: await unsealedSeconds(deps) }],
  })
  addJobs(metrics, deps)
  addPool(metrics, db)
  if (replica !== undefined) addReplica(metrics, replica)
  addPasswords(metrics, deps)
  addCaches(metrics, deps)
  return { metrics, close: addAnswerDelay(metrics, await listen(metrics, config.metrics)) }
}
