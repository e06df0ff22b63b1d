// The service as users start it, on a database that belongs to the run.
import type { ChildProcess } from 'node:child_process'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../data/store.ts'
import { freePort, repositoryRoot, spawnLogged, stopChild } from './child-process.ts'

const readyWithinMs = 60_000
const pollMs = 3

export interface BailiwickServer {
  readonly port: number
  readonly child: ChildProcess
  /** The time from the start of the process to the first 200 of /readyz. */
  readonly startMs: number
  stop(): Promise<void>
}

export interface BailiwickOptions {
  /** The folder with the cache of compiled code; a new folder makes a cold start. */
  readonly compileCache: string
  /** The value of NODE_OPTIONS; none by default. */
  readonly nodeOptions?: string
  /** How many processes answer on the port; one by default. */
  readonly processes?: number
}

const isReady = (port: number) =>
  new Promise<boolean>((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false))
  })

/** Starts the service and waits until it is ready. */
export async function startBailiwick(
  store: Store,
  { compileCache, nodeOptions, processes = 1 }: BailiwickOptions,
): Promise<BailiwickServer> {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    PORT: String(port),
    NODE_COMPILE_CACHE: compileCache,
    ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
    BAILIWICK_DATA_DIR: store.dataDir,
    BAILIWICK_OPERATOR_KEY: store.operatorKey,
    BAILIWICK_PROCESSES: String(processes),
    ...(store.databaseUrl === undefined ? {} : { DATABASE_URL: store.databaseUrl }),
  }
  const startedAt = performance.now()
  const cli = join(repositoryRoot, 'server/.built/cli.mjs')
  const { child, output } = spawnLogged(cli, ['start'], env, `${store.dataDir}.log`)
  while (!(await isReady(port))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded || performance.now() - startedAt > readyWithinMs) {
      await stopChild(child)
      throw new Error(`the service did not start: ${output.text}`)
    }
    await sleep(pollMs)
  }
  return { port, child, startMs: performance.now() - startedAt, stop: () => stopChild(child) }
}
