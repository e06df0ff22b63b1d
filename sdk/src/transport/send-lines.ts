// Sends many records in requests of limited size, each of which can be repeated: so a million records need no streamed request, which few
// runtimes support, and a broken connection costs one batch.
import { BailiwickError } from '../errors.ts'
import { ndjsonType, parseLine, readLines } from './lines.ts'
import type { OutgoingRequest, Send } from './transport.ts'

const batchLinesMax = 500
const batchCharactersMax = 256 * 1024

interface Summary {
  readonly created: number
  readonly exists: number
  readonly error: number
}
type AnswerLine = { readonly line: number } | { readonly summary: Summary }

async function* splitBatches(records: Iterable<unknown> | AsyncIterable<unknown>) {
  let lines: string[] = []
  let characters = 0
  for await (const record of records) {
    const line = JSON.stringify(record)
    if (lines.length === batchLinesMax || (lines.length > 0 && characters + line.length > batchCharactersMax)) {
      yield lines
      lines = []
      characters = 0
    }
    lines.push(line)
    characters += line.length
  }
  if (lines.length > 0) yield lines
}

/** Returns all answers to one batch. */
async function sendBatch(send: Send, request: OutgoingRequest, lines: readonly string[]): Promise<AnswerLine[]> {
  const body = `${lines.join('\n')}\n`
  const headers = { accept: ndjsonType, 'content-type': ndjsonType }
  return send({ ...request, body, headers }, async (answer) => {
    const answers: AnswerLine[] = []
    for await (const line of await readLines(answer, ndjsonType)) {
      if (line !== '') answers.push(parseLine(line) as AnswerLine)
    }
    const last = answers.at(-1)
    if (last !== undefined && 'summary' in last && answers.length === lines.length + 1) return answers
    throw new BailiwickError('network_error', 'The response was cut short.')
  })
}

/**
 * Yields the answer to each record, numbered across all batches, and one summary at the end. The next batch is sent when the answers to the
 * previous one have been taken.
 */
export async function* sendLines(
  send: Send,
  request: OutgoingRequest,
  records: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<AnswerLine, void, undefined> {
  const total = { created: 0, exists: 0, error: 0 }
  let sent = 0
  for await (const lines of splitBatches(records)) {
    for (const answer of await sendBatch(send, request, lines)) {
      if ('summary' in answer) {
        total.created += answer.summary.created
        total.exists += answer.summary.exists
        total.error += answer.summary.error
      } else yield { ...answer, line: sent + answer.line }
    }
    sent += lines.length
  }
  yield { summary: total }
}

/** Returns all records as lines. A Blob is taken for lines already. */
export async function allLines(records: Iterable<unknown> | AsyncIterable<unknown> | Blob): Promise<Blob> {
  if (records instanceof Blob) return records
  const parts: string[] = []
  for await (const lines of splitBatches(records)) parts.push(`${lines.join('\n')}\n`)
  return new Blob(parts)
}
