// Answers of limited length: reading an answer that is too long is aborted on the way, not at its end.

/**
 * Returns the text of an answer.
 * @throws Error as soon as more than `bytesMax` bytes have arrived; the rest is not read.
 */
export async function readBoundedText(response: Response, bytesMax: number): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = (await reader.read()) as { readonly done: boolean; readonly value?: Uint8Array }
    if (done) return text + decoder.decode()
    bytes += value?.length ?? 0
    if (bytes > bytesMax) {
      // Nobody awaits this: a stream that was split ends only when its other half is cancelled too.
      reader.cancel().catch(() => undefined)
      throw new Error(`the response has more than ${bytesMax} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
