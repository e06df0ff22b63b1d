// Bare node:http: reads whatever body arrives, and answers every request with the same bytes. It is the least that any server built on
// node:http needs.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestions } from './child-process.ts'

export interface BareAnswer {
  readonly headers: Readonly<Record<string, string>>
  /** Each character stands for a byte, because an answer may be a picture. */
  readonly body: string
}

let answer: BareAnswer = { headers: {}, body: '' }

const server = createServer((request, response) => {
  const send = () => {
    response.writeHead(200, answer.headers)
    response.end(answer.body, 'latin1')
  }
  if (request.method === 'GET') return send()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    Buffer.concat(chunks)
    send()
  })
})
server.listen(0, '127.0.0.1')

answerQuestions(async (next: BareAnswer) => {
  answer = next
  if (!server.listening) await new Promise((done) => server.once('listening', done))
  return (server.address() as AddressInfo).port
})
