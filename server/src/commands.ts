// The commands, over the same code paths as the service.
import { Command } from 'commander'
import { collectGarbage } from './collect-garbage.ts'
import { ConfigError, type Config, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { type Service, openConfiguredDatabase, startService } from './main.ts'

/** EX_CONFIG of sysexits.h. */
const exitConfig = 78
const exitFailure = 1
/** npm passes on to its child a signal that the whole process group has got already: one that follows so soon is the same. */
const sameSignalMs = 1000
/** By then whatever comes with a start is done. */
const settleMs = 1000

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error('The configuration has these problems:')
    for (const problem of error.problems) console.error(`  - ${problem}`)
    process.exit(exitConfig)
  }
}

function banner(config: Config, { url }: Service): string {
  const lines = [
    `Bailiwick (${config.env}) is ready.`,
    `  API        ${url}/api/v0`,
    `  Reference  ${url}/api/v0/reference`,
    `  Database   ${config.databaseUrl === undefined ? `SQLite in ${config.dataDir}/` : 'PostgreSQL'}`,
  ]
  if (config.env === 'development') {
    lines.push(
      '  Callers on this machine act as the operator without a credential: development only, never behind a proxy.',
    )
  }
  return lines.join('\n')
}

async function start() {
  const config = configOrExit()
  const log = createLog(config)
  const service = await startService(config, log)
  let signalledAt: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt < sameSignalMs) return
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
      return
    }
    signalledAt = performance.now()
    log.info({ signal }, 'stopping')
    service.stop().then(
      () => {
        log.info('stopped')
        log.flush(() => process.exit(0))
      },
      (err: unknown) => {
        log.fatal({ err }, 'could not stop cleanly')
        log.flush(() => process.exit(exitFailure))
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Last, for whoever reads it may send a signal the next moment.
  console.error(banner(config, service))
  log.info({ url: service.url, env: config.env }, 'ready')
  setTimeout(collectGarbage, settleMs).unref()
}

async function migrate(options: { json?: boolean }) {
  const { db, release } = await openConfiguredDatabase(configOrExit())
  try {
    const applied = await db.migrate()
    if (options.json === true) console.log(JSON.stringify({ applied }))
    else console.log(applied.length === 0 ? 'The schema is current.' : `Applied: ${applied.join(', ')}`)
  } finally {
    await release()
  }
}

export async function run(argv: readonly string[]) {
  const program = new Command('bailiwick').description('A multi-tenant identity service.').showHelpAfterError()
  program.command('start').description('run the service').action(start)
  program
    .command('migrate')
    .description('bring the database schema up to date, and exit')
    .option('--json', 'print the result as JSON')
    .action(migrate)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(exitFailure)
  }
}
