// One of several processes that answer requests on one port. Each is a node of the deployment, except that they share a machine's limits.
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import { absorbUses, shareLimits } from '../../platform/http/limits/shared-limits.ts'
import type { Numbered, Ready, Used } from './messages.ts'

/** Nothing is left to be told when the first process has ended: then this one ends, too. */
const send = (message: Ready | Used) => void process.send?.(message, undefined, undefined, () => undefined)

/**
 * Takes this process's number and begins to count with the others.
 * @returns the configuration with the common port and this process's own port for metrics, and what to call once the service listens.
 */
export async function joinProcesses(config: Config, log: Logger) {
  const [{ number, port = config.port }] = (await once(process, 'message')) as [Numbered]
  log.setBindings({ process: number })
  process.on('message', (message: Used) => absorbUses(message.uses))
  shareLimits((uses) => send({ type: 'used', uses }))
  const metrics = config.metrics && { ...config.metrics, port: config.metrics.port + number - 1 }
  return { config: { ...config, port, metrics }, announce: (url: string) => send({ type: 'ready', url }) }
}
