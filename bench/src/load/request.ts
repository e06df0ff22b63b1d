// Requests as the bytes that are sent. Those that are all alike are made before or between the measured spans.

export interface RequestParts {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body is JSON unless `mime` says otherwise. */
  readonly body?: string | Uint8Array
  readonly mime?: string
}

/** Returns the body of an answer with a content length, as text. */
export const bodyText = (bytes: Buffer): string => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4).toString('utf8')

export function requestBytes({ method, path, headers = {}, body, mime = 'application/json' }: RequestParts): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'user-agent: bench']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`content-type: ${mime}`, `content-length: ${Buffer.byteLength(body)}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return body === undefined ? head : Buffer.concat([head, Buffer.from(body)])
}
