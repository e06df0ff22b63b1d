// Checks passwords that another service kept with bcrypt. Only the first sign-in of somebody who was imported needs it, so its threads
// start then: one for each check under way, of which the password pool allows a few, so that none waits behind a dearer one.
import { Worker } from 'node:worker_threads'

/** What bcrypt has always read of a password; the rest never counted. */
const bytesMax = 72
/** Threads that are kept for the next check. */
const idleMax = 1

export interface BcryptQuestion {
  readonly hash: string
  readonly password: Uint8Array
}

export type BcryptAnswer = { readonly isRight: boolean } | { readonly problem: string }

const idle: Worker[] = []

function startWorker(): Worker {
  const worker = new Worker(new URL('./bcrypt-worker.ts', import.meta.url))
  worker.once('exit', () => {
    const index = idle.indexOf(worker)
    if (index !== -1) idle.splice(index, 1)
  })
  return worker
}

function release(worker: Worker) {
  // The process must not live on for this thread.
  worker.unref()
  if (idle.length < idleMax) idle.push(worker)
  else void worker.terminate()
}

/**
 * Whether bcrypt made the hash of this password.
 * @param hash as `$2b$10$…`, its form checked before.
 */
export function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const worker = idle.pop() ?? startWorker()
  // Nor may the process end while somebody waits.
  worker.ref()
  const question: BcryptQuestion = { hash, password: Buffer.from(password, 'utf8').subarray(0, bytesMax) }
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error)
    worker.once('error', fail)
    worker.once('message', (answer: BcryptAnswer) => {
      worker.off('error', fail)
      release(worker)
      if ('problem' in answer) reject(new Error(`bcrypt: ${answer.problem}`))
      else resolve(answer.isRight)
    })
    worker.postMessage(question, [])
  })
}
