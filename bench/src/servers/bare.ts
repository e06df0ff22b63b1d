import type { BareAnswer } from './bare-process.ts'
import { Worker } from './child-process.ts'

export interface BareServer {
  /** Answers with these bytes, which another server has sent, from now on. Returns the port. */
  answerLike(answer: Buffer): Promise<number>
  stop(): Promise<void>
}

/** The headers that node:http writes by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

export function bareAnswer(bytes: Buffer): BareAnswer {
  const [, ...lines] = bytes.toString('utf8', 0, bytes.indexOf('\r\n\r\n')).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    headers: Object.fromEntries(headers.filter(([name]) => !ownHeaders.has(name))),
    body: bytes.toString('latin1', bytes.indexOf('\r\n\r\n') + 4),
  }
}

export function startBare(): BareServer {
  const worker = new Worker(new URL('bare-process.ts', import.meta.url), { PATH: process.env['PATH'] })
  return {
    answerLike: (bytes) => worker.ask<number>(bareAnswer(bytes)),
    stop: () => worker.stop(),
  }
}
