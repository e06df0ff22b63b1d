// A client whose requests tell how much of them has been sent, which fetch does not: XMLHttpRequest in the form of fetch.
import { Bailiwick, type Fetch } from '@bailiwick/sdk'
import { asOperator } from './operator-key.ts'

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s)
    if (name !== '') headers.append(name, value)
  }
  return headers
}

/** Sends like fetch; the answer's body comes as text, piece by piece. */
const fetchTelling =
  (onSent: (bytes: number) => void): Fetch =>
  (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined
      let taken = 0
      const take = () => {
        const text = request.responseText.slice(taken)
        taken += text.length
        if (text !== '') stream?.enqueue(new TextEncoder().encode(text))
      }
      const fail = (error: unknown) => {
        stream?.error(error)
        reject(error)
      }
      const abort = () => request.abort()
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
      request.addEventListener('readystatechange', () => {
        // Before that, or after a failure, there is no answer.
        if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED || request.status === 0) return
        const parts = new ReadableStream<Uint8Array>({
          start: (controller) => {
            stream = controller
          },
          cancel: abort,
        })
        resolve(new Response(parts, { status: request.status, headers: headersOf(request) }))
      })
      request.addEventListener('progress', take)
      request.addEventListener('load', () => {
        take()
        stream?.close()
      })
      request.addEventListener('error', () => fail(new TypeError('the connection broke')))
      request.addEventListener('abort', () => fail(signal.reason ?? new TypeError('the request was ended')))
      request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
      signal.addEventListener('abort', abort, { once: true })
      request.send(body ?? null)
    })

/** @param onSent is told how many bytes of the body have been sent. */
export const uploadClient = (onSent: (bytes: number) => void) =>
  new Bailiwick({ baseUrl: `${location.origin}/api/v0`, fetch: asOperator(fetchTelling(onSent)) })
