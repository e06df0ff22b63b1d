// What the private servers of tests share: statements over a connection of their own, and waiting for a server that was started.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const startMillisecondsMax = 30_000
const logCharactersMax = 4000

/** Runs statements one after the other, over one connection. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await runStatements(url, ['SELECT 1'])
    return true
  } catch {
    return false
  }
}

/**
 * Waits until a server answers statements.
 * @param name what the server is called in the error.
 * @throws Error with the end of what it has printed if it ends, or does not answer within 30 s.
 */
export async function waitUntilAnswered(server: ChildProcess, url: string, name: string): Promise<void> {
  let log = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-logCharactersMax)
  })
  let hasEnded = false
  server.once('error', (error) => {
    hasEnded = true
    log = error.message
  })
  server.once('exit', () => {
    hasEnded = true
  })
  const deadline = Date.now() + startMillisecondsMax
  while (!(await answers(url))) {
    if (hasEnded || Date.now() > deadline) throw new Error(`${name} did not start: ${log}`)
    await sleep(30)
  }
}
