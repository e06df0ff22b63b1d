import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../platform/http/api-error.ts'

/** Reads a body that no parser has read. @throws ApiError payload_too_large */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new ApiError('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
