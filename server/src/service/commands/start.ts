import type { Config } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { collectWhenIdle } from '../../platform/startup/collect-when-idle.ts'
import { resumeOptimizing } from '../../platform/startup/idle-memory.ts'
import { keepCode } from '../../platform/startup/start-script.ts'
import { allocateYoung, boundYoungHeap } from '../../platform/startup/young-heap.ts'
import { banner } from '../banner.ts'
import { startService } from '../main.ts'
import { exitStatus } from '../outcome.ts'

/** npm forwards a signal to its child that the whole process group has received already: one that follows this soon is the same. */
const sameSignalMs = 1000
/** By then everything that belongs to a start is done. */
const settleMs = 1000

/** Whether this process is to start the others. What it takes is loaded only where there are several. */
const isFirstOfSeveral = async ({ processes }: Config) =>
  processes > 1 && (await import('node:cluster')).default.isPrimary

/** Runs the service until it is told to stop. */
export async function start(config: Config): Promise<void> {
  if (await isFirstOfSeveral(config)) {
    resumeOptimizing()
    const { startProcesses } = await import('../processes/primary.ts')
    return startProcesses(config)
  }
  const log = createLog(config)
  const joined =
    config.processes === 1 ? undefined : await (await import('../processes/worker.ts')).joinProcesses(config, log)
  const service = await startService(joined?.config ?? config, log)
  keepCode()
  resumeOptimizing()
  boundYoungHeap()
  allocateYoung()
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
        log.flush(() => process.exit(exitStatus.failure))
      },
    )
  }
  // Closing a terminal, or a log rotation that sends SIGHUP, must not cut off an answer either.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  // Printed last, because a reader may send a signal at the next moment.
  if (joined === undefined) console.error(banner(config, service.url))
  joined?.announce(service.url)
  log.info({ url: service.url, env: config.env }, 'ready')
  setTimeout(collectWhenIdle, settleMs).unref()
}
