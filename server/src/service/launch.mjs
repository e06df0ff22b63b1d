#!/usr/bin/env node
// `npx bailiwick`: runs the command line on this Node if it is new enough, otherwise on the one that npm has installed with the package.
// Without arguments it starts the service. It is plain JavaScript, because it runs on whatever Node the machine has (20 or newer).
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusedNode } from './node-version.mjs'

const signals = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])
const failure = 1

/** Returns the path of the Node that npm has installed; undefined on platforms for which there is none. */
function installedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`)
    return [join(dirname(manifest), 'bin', file)].find((path) => existsSync(path))
  } catch {
    return undefined
  }
}

/** @param {string} node @param {readonly string[]} args */
function runOn(node, args) {
  const cli = fileURLToPath(new URL('cli.mjs', import.meta.url))
  const child = spawn(node, [cli, ...args], { stdio: 'inherit' })
  // The child decides how to react to a signal. It receives a signal twice if a terminal has sent it to both processes, and treats that as
  // one.
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}`)
    process.exit(failure)
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
}

if (process.argv.length === 2) process.argv.push('start')
const refusal = refusedNode(process.version)
if (refusal === undefined) await import('./cli.mjs')
else {
  const node = installedNode()
  if (node === undefined) {
    console.error(`Bailiwick runs on Node.js 24, and npm has none for this machine; this is ${process.version}.`)
    process.exit(failure)
  }
  runOn(node, process.argv.slice(2))
}
