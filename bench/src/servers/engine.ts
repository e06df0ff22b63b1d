import { openSync, readSync, closeSync } from 'node:fs'
import type { Dataset } from '../data/dataset.ts'
import type { Sample } from '../load/load.ts'
import { Worker } from './child-process.ts'
import type { EngineQuestion, Rows } from './engine-process.ts'

/** As many connections as the service opens by default. */
const poolSize = 10

export interface EngineAlone {
  /** @param groupSize how many transactions share a commit on SQLite. */
  run(rows: Rows, seconds: number, groupSize: number): Promise<Sample>
  stop(): Promise<void>
}

/** @param dataset a database on which no service is running. */
export async function startEngineAlone({ store, main }: Dataset): Promise<EngineAlone> {
  const worker = new Worker(new URL('engine-process.ts', import.meta.url), { PATH: process.env['PATH'] })
  const ask = (question: EngineQuestion) => worker.ask<Sample>(question)
  await ask({ kind: 'open', store, tenantId: main.id, poolSize })
  return {
    run: (rows, seconds, groupSize) => ask({ kind: 'run', rows, seconds, groupSize }),
    stop: () => worker.stop(),
  }
}

/** The field iChange of the WAL index's header, which SQLite increments with each commit (sqlite.org/walformat.html, section 2.1). */
const changeCounterAt = 8

/** Returns how many commits a SQLite database has had, as far as 32 bits count. */
export function commitCount(sqliteFile: string): number {
  const file = openSync(`${sqliteFile}-shm`, 'r')
  try {
    const counter = new Uint32Array(1)
    readSync(file, counter, 0, counter.byteLength, changeCounterAt)
    return counter[0] ?? 0
  } finally {
    closeSync(file)
  }
}
