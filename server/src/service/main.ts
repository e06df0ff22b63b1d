// Configuration -> database -> application -> listen -> graceful stop.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Deps } from '../identity/deps.ts'
import { openBreachedPasswords } from '../identity/passwords/breached/breached-passwords.ts'
import { createSigners } from '../identity/session-tokens/signers.ts'
import { createSessionDirectory } from '../identity/sessions/session-directory.ts'
import { KeptImages } from '../media/delivery/kept-images.ts'
import { ImagePool } from '../media/engine/workers/pool.ts'
import { createStorage } from '../media/storage/create-storage.ts'
import { TemplatePool } from '../messaging/notifications/rendering/template-pool.ts'
import { followInvalidations } from '../platform/cache/invalidation-feed.ts'
import { createClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { createCodeHasher } from '../platform/crypto/code-hash.ts'
import { masterKeysOf } from '../platform/crypto/master-keys.ts'
import { createPasswordPool } from '../platform/crypto/password-pool.ts'
import { createPersonalSealer } from '../platform/crypto/personal.ts'
import { createSealer } from '../platform/crypto/sealed.ts'
import { type OpenDatabase, openDatabase, openStandby } from '../platform/db/open.ts'
import { lockDirectory } from '../platform/db/sqlite/directory-lock.ts'
import { isDiskFull, noRoom } from '../platform/db/sqlite/disk-full.ts'
import { resumeRestoredLog } from '../platform/events/restored-log.ts'
import { createHealth } from '../platform/http/health.ts'
import { followConnections } from '../platform/http/limits/connections.ts'
import { createRequestsUnderWay } from '../platform/http/limits/under-way.ts'
import { createEgress } from '../platform/net/egress.ts'
import { createNames } from '../platform/net/names.ts'
import { Meter } from '../platform/telemetry/meter.ts'
import type { Tracer } from '../platform/telemetry/tracer.ts'
import { storedConsoleSignUp } from '../tenancy/auth-configuration/read-settings.ts'
import { createTenantDirectory } from '../tenancy/directory/tenant-directory.ts'
import { createTxtResolver } from '../tenancy/domains/txt-resolver.ts'
import { assertMasterKeyFits, assertMasterKeyIsThere } from '../tenancy/signing-keys/fitting-master-key.ts'
import { buildApp } from './app.ts'
import { startBackground } from './background.ts'
import { serveMetrics } from './deployment-metrics.ts'
import { migrateDeployment } from './deployment/layout.ts'
import { warnAtStart } from './start-warnings.ts'
import { ensureConsoleTenant } from './tenant-lifecycle/create-tenant.ts'

const drainMs = 30_000
/** By then a proxy that was refused a new connection has stopped using the ones it has. */
const lingerMsMax = 2000
const lingerMs = ({ shutdownDelayMs }: Config) => Math.min(shutdownDelayMs, lingerMsMax)
/** One more than can be hashed at once: no core waits for the event loop to hand it the next. Several processes share the cores. */
const passwordsAtOnce = ({ processes }: Config) => Math.ceil((availableParallelism() + 1) / processes)
const passwordQueueMax = ({ processes }: Config) => Math.ceil(64 / processes)

/**
 * Lets several processes listen on one port, each for itself, so that none loses the connections of another that ends. Where the system
 * cannot do that, the first process takes them all and hands them on.
 */
const sharing = ({ processes }: Config) =>
  processes > 1 && process.platform === 'linux' ? { reusePort: true, exclusive: true } : {}

export interface Service {
  /** The address where it listens, such as `http://127.0.0.1:4000`. */
  readonly url: string
  /** Reports not ready at once, finishes what is under way after the configured delay (30 s at most), then closes everything. */
  stop(): Promise<void>
}

/**
 * Opens the database that the configuration names, with its data directory held for this process.
 * @param options.isReadOnly whether a PostgreSQL server that accepts no writes is sufficient.
 * @param options.readOnlyReason why SQLite is to be opened for reading only.
 */
export async function openConfiguredDatabase(
  config: Config,
  { isReadOnly = false, readOnlyReason }: { readonly isReadOnly?: boolean; readonly readOnlyReason?: Error } = {},
): Promise<{ db: OpenDatabase; release: () => Promise<void> }> {
  if (config.databaseUrl !== undefined) {
    const db = await openDatabase({
      kind: 'postgresql',
      url: config.databaseUrl.reveal(),
      directUrl: config.databaseDirectUrl?.reveal(),
      poolSize: config.databasePool,
      isReadOnly,
    })
    return { db, release: () => db.close() }
  }
  const lock = lockDirectory(config.dataDir)
  try {
    const file = join(config.dataDir, 'bailiwick.db')
    const db = await openDatabase({ kind: 'sqlite', file, ...(readOnlyReason && { readOnlyReason }) })
    return {
      db,
      release: async () => {
        await db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

export async function buildDeps(config: Config, db: OpenDatabase, log: Logger): Promise<Deps> {
  const masterKeys = await masterKeysOf(config)
  const clock = createClock()
  const tenants = createTenantDirectory(db, clock, config)
  const sealer = createSealer(masterKeys)
  const storage = createStorage(config)
  const names = createNames(config)
  const meter = new Meter()
  return {
    config,
    db,
    clock,
    sealer,
    hashCode: createCodeHasher(masterKeys),
    personal: createPersonalSealer(masterKeys),
    passwordPool: createPasswordPool({ concurrency: passwordsAtOnce(config), queueMax: passwordQueueMax(config) }),
    tenants,
    sessions: createSessionDirectory(db, tenants, clock, log),
    signers: createSigners(db, sealer),
    isBreached: await openBreachedPasswords(config, log, meter),
    egress: createEgress({ isPrivateAllowed: config.env === 'development' }, names.addresses),
    resolveTxt: createTxtResolver(names),
    storage,
    imagePool: new ImagePool(),
    templatePool: new TemplatePool(),
    keptImages: new KeptImages({ config, db, clock, storage, log }),
    log,
    meter,
  }
}

/** Loads what traces need only where they are asked for. */
async function startTraces({ traces }: Config, log: Logger) {
  if (traces === undefined) return undefined
  const { startTracing } = await import('../platform/telemetry/tracing.ts')
  return startTracing(traces, log)
}

async function buildTracedDeps(config: Config, db: OpenDatabase, log: Logger, tracer: Tracer | undefined) {
  if (tracer === undefined) return buildDeps(config, db, log)
  const { tracedDatabase, tracedEgress } = await import('../platform/telemetry/traced.ts')
  const deps = await buildDeps(config, tracedDatabase(db, tracer), log)
  return { ...deps, egress: tracedEgress(deps.egress, tracer) }
}

/** The stored setting of the console's tenant has no effect, which surprises people who read it in the database. */
async function tellConsoleSignUp({ config, db, log }: Deps) {
  const { consoleSignUp } = config
  const told = { consoleSignUp, storedSignUpEnabled: await storedConsoleSignUp(db) }
  const text = `sign-up at the console is ${consoleSignUp}, as BAILIWICK_CONSOLE_SIGN_UP decides`
  if (consoleSignUp === 'open') log.warn(told, `${text}: everyone can create an account and tenants`)
  else log.info(told, text)
}

async function startReplica({ databaseReplicaUrl, databasePool }: Config, db: OpenDatabase, log: Logger) {
  if (databaseReplicaUrl === undefined) return undefined
  const { ReadReplica } = await import('../platform/db/postgresql/read-replica.ts')
  const replica = new ReadReplica(db, await openStandby(databaseReplicaUrl.reveal(), databasePool), log)
  await replica.start()
  return replica
}

/** Logs when the database stops taking writes and when it takes them again; returns a function that ends this. */
function tellWhetherWritable(db: OpenDatabase, log: Logger) {
  const stop = db.watch?.((reason) => {
    if (reason === undefined) log.info('the service accepts writes again')
    else log.error({ err: reason }, `the service only reads: ${reason.message}`)
  })
  return async () => stop?.()
}

/** Opens the database, migrates it and listens. A service whose disk is full still starts, to answer reads. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  try {
    return await startOn(await openConfiguredDatabase(config), config, log)
  } catch (error) {
    if (config.databaseUrl !== undefined || !isDiskFull(error)) throw error
    const reason = noRoom(config.dataDir)
    // If reading is impossible too, the first error is the one to fix.
    const opened = await openConfiguredDatabase(config, { readOnlyReason: reason }).catch(() => Promise.reject(error))
    const service = await startOn(opened, config, log)
    log.error({ err: error }, `the service only reads: ${reason.message}`)
    return service
  }
}

async function startOn(
  { db, release }: Awaited<ReturnType<typeof openConfiguredDatabase>>,
  config: Config,
  log: Logger,
): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = [release]
  try {
    const applied = await migrateDeployment(db)
    if (applied.length > 0) log.info({ applied }, 'migrated')
    await assertMasterKeyIsThere(config, db)
    const tracing = await startTraces(config, log)
    if (tracing !== undefined) closers.push(() => tracing.close())
    const deps = await buildTracedDeps(config, db, log, tracing?.tracer)
    await ensureConsoleTenant(deps)
    await tellConsoleSignUp(deps)
    await assertMasterKeyFits(db, deps.sealer)
    await resumeRestoredLog(deps)
    closers.unshift(() => deps.sessions.settle())
    closers.unshift(await followInvalidations(db, deps, log))
    if (db.readOnlyReason === undefined) closers.unshift(await startBackground(deps, tracing?.tracer))
    const replica = await startReplica(config, db, log)
    if (replica !== undefined) closers.unshift(() => replica.close())
    closers.unshift(tellWhetherWritable(db, log))
    const health = createHealth(db)
    const served = await serveMetrics(deps, db, health, replica)
    if (served !== undefined) closers.unshift(served.close)
    await warnAtStart(config, db, deps.clock, log)
    const underWay = createRequestsUnderWay()
    const app = buildApp(deps, {
      health,
      underWay,
      ...(served && { metrics: served.metrics }),
      ...(tracing && { tracer: tracing.tracer }),
      ...(replica && { replica }),
    })
    closers.unshift(() => app.close())
    const connections = followConnections(app.server)
    const url = await app.listen({ host: config.host, port: config.port, ...sharing(config) })
    const stop = async () => {
      health.drain()
      // From now on every answer says that its connection closes; a caller that ignores both that and readiness is cut off in the end.
      await sleep(config.shutdownDelayMs)
      health.stop()
      const isOverdue = sleep(drainMs, undefined, { ref: false })
      // A proxy whose connection is refused from now on uses another node. If the service listened to the end, the last connections would
      // be reset.
      await connections.stopListening()
      // What is left after the last answer are connections that never sent a request, and after 30 s those whose time is over.
      await Promise.race([connections.unused(lingerMs(config)), isOverdue])
      await Promise.race([underWay.end(), isOverdue])
      app.server.closeAllConnections()
      await closeEach(closers)
    }
    return { url, stop }
  } catch (error) {
    await closeEach(closers)
    throw error
  }
}

/** They are closed one after the other, even if an earlier one fails. */
async function closeEach(closers: readonly (() => Promise<unknown>)[]) {
  const failures: unknown[] = []
  for (const close of closers) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
}
