// Checks passwords that another service kept with bcrypt. Only the first sign-in of somebody who was imported needs it, so
// its thread starts then.
import { Worker } from 'node:worker_threads'

/** What bcrypt has always read of a password; the rest never counted. */
const bytesMax = 72

export interface BcryptQuestion {
  readonly id: number
  readonly hash: string
  readonly password: Uint8Array
}

export type BcryptAnswer =
  | { readonly id: number; readonly isRight: boolean }
  | { readonly id: number; readonly problem: string }

interface Waiting {
  readonly resolve: (isRight: boolean) => void
  readonly reject: (error: Error) => void
}

const waiting = new Map<number, Waiting>()
let lastId = 0
let worker: Worker | undefined

function settle(reply: BcryptAnswer) {
  const asked = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (waiting.size === 0) worker?.unref()
  if ('problem' in reply) asked?.reject(new Error(`bcrypt: ${reply.problem}`))
  else asked?.resolve(reply.isRight)
}

function startWorker(): Worker {
  const started = new Worker(new URL('./bcrypt-worker.ts', import.meta.url))
  started.on('message', settle)
  started.on('error', (error: Error) => {
    worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  return started
}

/**
 * Whether bcrypt made the hash of this password.
 * @param hash as `$2b$10$…`, its form checked before.
 */
export function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  worker ??= startWorker()
  // The process must not end while somebody waits, nor live on for this thread.
  worker.ref()
  const id = ++lastId
  const question: BcryptQuestion = { id, hash, password: Buffer.from(password, 'utf8').subarray(0, bytesMax) }
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.postMessage(question, [])
  })
}
