#!/usr/bin/env node
// The command line. Says first which Node is needed; everything else is loaded after that.
import { refusedNode } from './node-version.mjs'

const refusal = refusedNode(process.version)
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}
const { enableCompileCache } = await import('node:module')
enableCompileCache()
if (process.argv.length === 3 && process.argv[2] === 'start') {
  const { runService } = await import('./commands/run-service.ts')
  await runService()
} else {
  const { run } = await import('./commands.ts')
  await run(process.argv)
}
