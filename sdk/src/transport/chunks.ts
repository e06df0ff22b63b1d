// Answers that arrive in pieces, however long they are and however slowly they are read.
import { type OpenAnswer, describeFailure, foreignAnswer } from './transport.ts'

export type Chunks = AsyncGenerator<Uint8Array, void, undefined>

/** Whether the answer is of that media type. */
const isOfType = (response: Response, type: string) =>
  (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() === type

/**
 * Yields the bytes of an answer of that media type. The time limit counts only while the service is awaited; leaving the loop closes the
 * connection.
 * @throws BailiwickError invalid_response for another answer, network_error or timed_out if it breaks off.
 */
export async function readChunks(answer: OpenAnswer, type: string): Promise<Chunks> {
  const { deadline, response } = answer
  const { body } = response
  if (!isOfType(response, type) || body === null) throw foreignAnswer(response)
  // Until the first bytes are requested, nobody waits for the service.
  deadline.hold()
  return takeFrom(answer, body.getReader())
}

async function* takeFrom(
  { deadline, request }: OpenAnswer,
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> },
): Chunks {
  try {
    for (;;) {
      deadline.restart()
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw describeFailure(error, request, deadline)
      })
      deadline.hold()
      if (value !== undefined) yield value
      if (done) return
    }
  } finally {
    deadline.clear()
    // A connection that broke cannot be closed; that is known already.
    await reader.cancel().catch(() => undefined)
  }
}

/** Yields the bytes of an answer. Nothing is sent before the first ones are requested. */
export async function* walkChunks(open: () => Promise<Chunks>): Chunks {
  yield* await open()
}
