// What Standard Webhooks sign, and with which key: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec
import { type Bytes, bytesOfBase64 } from './base64.ts'

const secretBytesMin = 24

/** @throws TypeError for what is no secret of a webhook or hook. */
export async function importSecret(secret: string, use: 'sign' | 'verify') {
  const bytes = typeof secret === 'string' ? bytesOfBase64(secret.replace(/^whsec_/, '')) : undefined
  if (bytes === undefined || bytes.length < secretBytesMin)
    throw new TypeError('secret must be a webhook secret that starts with whsec_')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

/** Returns the bytes that are signed: id, time and content. */
export function signedBytes(id: string, timestamp: string, content: Uint8Array): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + content.length)
  bytes.set(head)
  bytes.set(content, head.length)
  return bytes
}
