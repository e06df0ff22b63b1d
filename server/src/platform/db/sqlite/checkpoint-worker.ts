// Copies the write-ahead log into the database file whenever it is asked. A passive checkpoint blocks neither the writer nor readers; what a
// reader still needs stays in the log.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckpointTask, Progress } from './checkpoint.ts'

const { file } = workerData as CheckpointTask
const database = new DatabaseSync(file, { timeout: 0 })
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
parentPort?.on('message', () => {
  // The pragma returns these columns.
  const { log, checkpointed } = checkpoint.get() as unknown as Progress
  parentPort?.postMessage({ log, checkpointed } satisfies Progress, [])
})
