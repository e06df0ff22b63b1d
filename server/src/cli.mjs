#!/usr/bin/env node
// The command line. Says first which Node is needed; everything else is loaded after that.
import { refusedNode } from './node-version.mjs'

const refusal = refusedNode(process.version)
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}
const { availableParallelism } = await import('node:os')
// Node's own four threads would let a storm of sign-ins hold up every write to the disk. Read when the first of them starts.
process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 4)
const { enableCompileCache } = await import('node:module')
enableCompileCache()
if (process.argv.length === 3 && process.argv[2] === 'start') {
  const { pauseOptimizing } = await import('./optimizing.ts')
  pauseOptimizing()
  const { runService } = await import('./commands/run-service.ts')
  await runService()
} else {
  const { run } = await import('./commands.ts')
  await run(process.argv)
}
