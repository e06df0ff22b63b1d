// One keep-alive connection of the load generator. It shares the machine with the measured server, so it reads only as much of an answer
// as it needs to find its end: a full HTTP client takes more than the servers under test.
import { connect, type Socket } from 'node:net'

export interface HttpAnswer {
  readonly status: number
  /** Head and body as they arrived; a chunked body still contains its chunk sizes. */
  readonly bytes: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')
const statusFrom = 'HTTP/1.1 '.length

interface Waiting {
  readonly resolve: (answer: HttpAnswer) => void
  readonly reject: (error: Error) => void
}

/** Returns the length in bytes of the whole answer, or undefined while a part is missing. */
export function answerLength(bytes: Buffer): number | undefined {
  const headLength = bytes.indexOf(headEnd)
  if (headLength < 0) return undefined
  const bodyStart = headLength + headEnd.length
  const head = bytes.toString('latin1', 0, headLength + 2)
  const contentLength = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1]
  if (contentLength !== undefined) {
    const length = bodyStart + Number(contentLength)
    return bytes.length >= length ? length : undefined
  }
  if (!/\r\ntransfer-encoding: *chunked\r\n/i.test(head)) return bodyStart
  // Only one request is under way at a time, so the answer ends with the last chunk.
  return bytes.subarray(bodyStart).subarray(-lastChunk.length).equals(lastChunk) ? bytes.length : undefined
}

export class HttpConnection {
  readonly #socket: Socket
  #waiting: Waiting | undefined
  #received: Buffer | undefined
  /** Why it has ended. */
  #ended: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  /** @param localAddress the address from which it connects, because limits count by address. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new HttpConnection(socket)
  }

  /** Sends one whole request, head and body. Send the next one after this is answered. */
  send(request: Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended)
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close() {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer) {
    const bytes = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk])
    const length = answerLength(bytes)
    if (length === undefined) {
      this.#received = bytes
      return
    }
    this.#received = undefined
    const waiting = this.#waiting
    this.#waiting = undefined
    if (length !== bytes.length) {
      waiting?.reject(new Error('the server sent more than one answer'))
      return
    }
    waiting?.resolve({ status: Number(bytes.toString('latin1', statusFrom, statusFrom + 3)), bytes })
  }

  #fail(error: Error) {
    this.#ended ??= error
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(error)
  }
}
