// A connection on which tests send any bytes, for what no HTTP client would send.
import assert from 'node:assert/strict'
import { type Socket, connect } from 'node:net'
import { until } from './service-process.ts'

const answerMsMax = 60_000

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Record<string, unknown>
}

export interface RawConnection {
  readonly socket: Socket
  received(): string
  isClosed(): boolean
  closed(): Promise<void>
  /** Returns the first answers, as many as given, each with a content-length and a JSON body. */
  answers(count: number): Promise<RawAnswer[]>
  /** The one answer after which the service closes the connection. */
  lastAnswer(): Promise<RawAnswer>
}

/** The answers at the start of what was received; the last one may still be arriving and is then left out. */
function parseAnswers(received: string): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = []
  let rest = received
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return { answers, rest }
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
    )
    const bytes = Buffer.from(rest.slice(end + 4))
    const length = Number(headers.get('content-length'))
    assert.ok(Number.isInteger(length), `an answer without a length:\n${rest}`)
    if (bytes.length < length) return { answers, rest }
    const body = JSON.parse(bytes.subarray(0, length).toString()) as Record<string, unknown>
    answers.push({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]), headers, body })
    rest = bytes.subarray(length).toString()
  }
}

export async function dial(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let isClosed = false
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  // How it ends is seen by what was received; a reset is one way.
  socket.on('error', () => undefined).on('close', () => (isClosed = true))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const closed = async () => {
    await until(
      () => `the connection is closed; received:\n${received}`,
      answerMsMax,
      () => isClosed || undefined,
    )
  }
  return {
    socket,
    received: () => received,
    isClosed: () => isClosed,
    closed,
    answers: (count) =>
      until(
        () => `${count} answers have come; received:\n${received}`,
        answerMsMax,
        () => {
          const { answers } = parseAnswers(received)
          return answers.length >= count ? answers : undefined
        },
      ),
    async lastAnswer() {
      await closed()
      const { answers, rest } = parseAnswers(received)
      assert.equal(rest, '', 'something came after the answer')
      assert.equal(answers.length, 1, `one answer was expected:\n${received}`)
      const [answer] = answers
      assert.ok(answer !== undefined)
      return answer
    },
  }
}

/** A request as bytes. */
export const requestText = (line: string, headers: readonly string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'host: 127.0.0.1', ...headers, '', body].join('\r\n')
