// Copies a large write-ahead log into the database file, in a thread of its own. A passive checkpoint blocks neither the writer nor
// readers; where a reader still needs the log, it waits for that reader.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { type CheckpointTask, smallLogPages } from './checkpoint.ts'

/** `log` pages are in the log, of which `checkpointed` are in the file; -1 if there is no log. */
interface Progress {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

const pauseMs = 200
const { file } = workerData as CheckpointTask
const database = new DatabaseSync(file, { timeout: 0 })
try {
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  for (;;) {
    // The pragma returns these columns.
    const { log, checkpointed } = checkpoint.get() as unknown as Progress
    // The writer does the rest, because only it can restart the log.
    if (log - checkpointed < smallLogPages) break
    await sleep(pauseMs)
  }
} finally {
  database.close()
}
