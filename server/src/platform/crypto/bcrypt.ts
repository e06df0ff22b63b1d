// Checks passwords that another service hashed with bcrypt. Only the first sign-in of an imported user needs it, so threads start on
// demand: one for each check under way. The password pool limits these to a few, so no check waits behind a more expensive one.
import { Worker } from 'node:worker_threads'

/** bcrypt reads only the first 72 bytes of a password. */
const bytesMax = 72
/** How many idle threads are kept for the next check. */
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
  // This thread must not keep the process alive.
  worker.unref()
  if (idle.length < idleMax) idle.push(worker)
  else void worker.terminate()
}

/**
 * Returns whether the hash was made from this password.
 * @param hash as `$2b$10$…`; its form has been checked.
 */
export function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const worker = idle.pop() ?? startWorker()
  // The process must not end while a caller waits for the answer.
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
