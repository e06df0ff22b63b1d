// Answers that arrive line by line.
import { BailiwickError } from '../errors.ts'
import { type Chunks, readChunks } from './chunks.ts'
import type { OpenAnswer } from './transport.ts'

/** Longer than any record of the service. */
const lineLengthMax = 4 * 1024 * 1024

/**
 * Yields the lines of an answer of that media type, as {@link readChunks} its bytes.
 * @throws BailiwickError invalid_response for another answer or an endless line, network_error or timed_out if it breaks off.
 */
export const readLines = async (answer: OpenAnswer, type: string): Promise<AsyncGenerator<string, void, undefined>> =>
  walkLines(await readChunks(answer, type))

async function* walkLines(chunks: Chunks): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  const linesWith = (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  }
  for await (const chunk of chunks) {
    yield* linesWith(decoder.decode(chunk, { stream: true }))
    if (rest.length > lineLengthMax) throw new BailiwickError('invalid_response', 'A line of the response is too long.')
  }
  yield* linesWith(decoder.decode())
  if (rest !== '') yield rest
}

export const ndjsonType = 'application/x-ndjson'

/** One line of newline-delimited JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch (cause) {
    throw new BailiwickError('invalid_response', 'A line of the response is not JSON.', { cause })
  }
}

/** Yields the values of an answer in newline-delimited JSON. Nothing is sent before the first one is requested. */
export async function* walkValues(
  open: () => Promise<AsyncGenerator<string, void, undefined>>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const line of await open()) {
    if (line !== '') yield parseLine(line)
  }
}
