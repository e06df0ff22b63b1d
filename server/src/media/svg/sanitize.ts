// SVG is a program as much as a picture. What is kept of one is what a sanitiser makes of it, in a thread of its own for each:
// a document that makes it run wild takes down nothing but that thread.
import { Worker } from 'node:worker_threads'
import { createTurns } from '../turns.ts'

/** SVG of more than this is no icon or logo, and its document would fill the thread's memory. */
export const svgBytesMax = 2 * 1024 * 1024
const timeoutMs = 10_000
const threadsMax = 2
const queueMax = 32

export class SvgRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SvgRefused'
  }
}

export type SanitizerAnswer = { readonly svg: string } | { readonly problem: string }

const inTurn = createTurns(threadsMax, queueMax)

function runThread(text: string): Promise<SanitizerAnswer> {
  const worker = new Worker(new URL('./sanitize-worker.ts', import.meta.url), {
    workerData: text,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  })
  return new Promise<SanitizerAnswer>((resolve) => {
    const timer = setTimeout(() => resolve({ problem: 'must be simpler: reading it takes too long' }), timeoutMs)
    worker.once('message', resolve)
    // Out of memory, out of stack: whatever stops it, the document is the cause.
    worker.once('error', () => resolve({ problem: 'must be SVG that can be read within 384 MiB of memory' }))
    worker.once('exit', () => {
      clearTimeout(timer)
      resolve({ problem: 'must be SVG that can be read within 384 MiB of memory' })
    })
  }).finally(() => void worker.terminate())
}

/**
 * The picture without what could run, load or lead elsewhere, as UTF-8.
 * @throws SvgRefused for what is no well-formed SVG, or too much of it; TooManyWaiting
 */
export async function sanitizeSvg(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > svgBytesMax) throw new SvgRefused(`must be at most ${svgBytesMax / 1024 / 1024} MiB as SVG`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const answer = await inTurn(() => runThread(text))
  if ('problem' in answer) throw new SvgRefused(answer.problem)
  return Buffer.from(answer.svg, 'utf8')
}
