// bcrypt in WebAssembly blocks its thread for a tenth of a second or more, so it has a thread of its own.
import { parentPort } from 'node:worker_threads'
import { bcryptVerify } from 'hash-wasm'
import type { BcryptAnswer, BcryptQuestion } from './bcrypt.ts'

if (parentPort === null) throw new Error('this runs in a worker thread')
const port = parentPort

async function answer({ hash, password }: BcryptQuestion): Promise<BcryptAnswer> {
  try {
    return { isRight: await bcryptVerify({ password, hash }) }
  } catch (error) {
    return { problem: String(error) }
  }
}

port.on('message', (question: BcryptQuestion) => {
  void answer(question).then((reply) => port.postMessage(reply))
})
