#!/usr/bin/env node
// The command line. It first says which Node is needed; everything else is loaded after that.
import { refusedNode } from './node-version.mjs'

const refusal = refusedNode(process.version)
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}
const { availableParallelism } = await import('node:os')
// Passwords take at most one thread more than there are cores, see main.ts: three remain for the disk and for name look-ups, whatever an
// operator has set. Node reads the setting when the first of them starts.
const threadsMin = availableParallelism() + 4
process.env['UV_THREADPOOL_SIZE'] = String(Math.max(Number(process.env['UV_THREADPOOL_SIZE'] ?? 0) || 0, threadsMin))
const { enableCompileCache } = await import('node:module')
enableCompileCache()
if (process.argv.length === 3 && process.argv[2] === 'start') {
  const { pauseOptimizing } = await import('../platform/startup/idle-memory.ts')
  pauseOptimizing()
  const { runService } = await import('./commands/run-service.ts')
  await runService()
} else {
  const { run } = await import('./commands.ts')
  await run(process.argv)
}
