// The process in which tenants' templates are parsed and rendered. It holds no secrets and runs one task at a time; a template that takes
// too long or too much memory ends it.
import { Script } from 'node:vm'
import { perform } from './perform.ts'
import type { Report, RenderResult, RenderTask } from './render-messages.ts'

const report = (said: Report) => process.send?.(said)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Longer than the service lets any task take. */
const taskMsMax = Number(process.argv[2])
const script = new Script('runTask()')

/**
 * Runs an action, and ends this process if it takes longer than the service would have let it: then the service is gone, and the event that
 * says so does not arrive while a template is being rendered.
 */
function runBounded(action: () => RenderResult): RenderResult {
  Object.assign(globalThis, { runTask: action })
  try {
    return script.runInThisContext({ timeout: taskMsMax }) as RenderResult
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') process.exit(1)
    throw error
  }
}

function resultOf(task: RenderTask): RenderResult {
  try {
    return perform(task, (part) => report({ type: 'begins', part, cpuMs: cpuMs() }))
  } catch (error) {
    return { type: 'failed', error: String(error).slice(0, 500) }
  }
}

process.on('message', (task: RenderTask) => {
  report({ type: 'done', result: runBounded(() => resultOf(task)), cpuMs: cpuMs() })
})
// It ends with its service, however that ended. It ignores signals, so that the service can finish the tasks that it has begun.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
report({ type: 'ready' })
