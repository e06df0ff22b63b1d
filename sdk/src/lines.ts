// Answers that arrive line by line, however long they are and however slowly they are read.
import { BailiwickError } from './errors.ts'
import { type OpenAnswer, failureOf, foreignAnswer } from './transport.ts'

/** Longer than any record of the service. */
const lineLengthMax = 4 * 1024 * 1024

/** Whether the answer is of that media type. */
const isOfType = (response: Response, type: string) =>
  (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() === type

/**
 * Yields the lines of an answer of that media type. The time limit counts only while the service is awaited; leaving the loop closes the
 * connection.
 * @throws BailiwickError invalid_response for another answer or an endless line, network_error or timed_out if it breaks off.
 */
export async function readLines(answer: OpenAnswer, type: string): Promise<AsyncGenerator<string, void, undefined>> {
  const { deadline, response } = answer
  const { body } = response
  if (!isOfType(response, type) || body === null) throw foreignAnswer(response)
  // Until the first line is requested, nobody waits for the service.
  deadline.hold()
  return walkLines(answer, body.getReader())
}

async function* walkLines(
  { deadline, request }: OpenAnswer,
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> },
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      deadline.restart()
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw failureOf(error, request, deadline)
      })
      deadline.hold()
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
      if (rest.length > lineLengthMax)
        throw new BailiwickError('invalid_response', 'A line of the answer does not end.')
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    deadline.clear()
    // A connection that broke cannot be closed; that is known already.
    await reader.cancel().catch(() => undefined)
  }
}

export const ndjsonType = 'application/x-ndjson'

/** One line of newline-delimited JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch (cause) {
    throw new BailiwickError('invalid_response', 'A line of the answer is not JSON.', { cause })
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
