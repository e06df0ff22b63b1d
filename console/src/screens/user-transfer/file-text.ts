// The text of a file, read as it is needed, so that a large file is never in memory whole.

export interface Line {
  readonly number: number
  readonly text: string
}

/** Yields the text of a file as it is read. */
export async function* readText(file: Blob, signal: AbortSignal): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    signal.throwIfAborted()
    const { done, value = '' } = await reader.read()
    yield value
    if (done) return
  }
}

export async function* linesOf(file: Blob, signal: AbortSignal): AsyncGenerator<Line> {
  let rest = ''
  let number = 0
  for await (const text of readText(file, signal)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield { number: ++number, text: line }
  }
  if (rest !== '') yield { number: number + 1, text: rest }
}
