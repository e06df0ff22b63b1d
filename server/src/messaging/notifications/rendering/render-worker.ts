// The process in which tenants' templates are parsed and rendered. It holds no secrets and runs one task at a time; a template that takes
// too long or too much memory ends it.
import { perform } from './perform.ts'
import type { Report, RenderResult, RenderTask } from './render-messages.ts'

const report = (said: Report) => process.send?.(said)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function resultOf(task: RenderTask): RenderResult {
  try {
    return perform(task, (part) => report({ type: 'begins', part, cpuMs: cpuMs() }))
  } catch (error) {
    return { type: 'failed', error: String(error).slice(0, 500) }
  }
}

process.on('message', (task: RenderTask) => {
  report({ type: 'done', result: resultOf(task), cpuMs: cpuMs() })
})
// It ends with its service, however that ended. It ignores signals, so that the service can finish the tasks that it has begun.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
report({ type: 'ready' })
