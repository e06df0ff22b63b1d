import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AwsClient } from 'aws4fetch'
import type { S3Config } from '../../platform/config.ts'
import { Unavailable } from '../../platform/unavailable.ts'
import { type DirectUploadTerms, type Storage, type StorageKey, assertStorageKey } from './storage.ts'

const timeoutMs = 30_000
const pageSize = 1000

/** The store's answer was unexpected or missing; it is only logged. */
export class StorageError extends Unavailable {
  override readonly name = 'StorageError'
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * Returns a policy that lets its holder send one object of exactly this key, type and size, and nothing else.
 * Signature Version 4 for browser-based uploads: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html
 */
function signPolicy(config: S3Config, { key, mime, size, expiresAtMs, nowMs }: DirectUploadTerms) {
  const at = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const scope = [at.slice(0, 8), config.region, 's3', 'aws4_request']
  const fields = {
    key,
    'Content-Type': mime,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': [config.accessKeyId, ...scope].join('/'),
    'x-amz-date': at,
  }
  const conditions = [
    { bucket: config.bucket },
    ...Object.entries(fields).map(([name, value]) => ['eq', `$${name}`, value]),
    ['content-length-range', size, size],
  ]
  const policy = Buffer.from(JSON.stringify({ expiration: new Date(expiresAtMs).toISOString(), conditions })).toString(
    'base64',
  )
  let signingKey: string | Buffer = `AWS4${config.secretAccessKey.reveal()}`
  for (const each of scope) signingKey = hmac(signingKey, each)
  return { ...fields, policy, 'x-amz-signature': hmac(signingKey, policy).toString('hex') }
}

/** Returns the keys of a ListObjectsV2 answer. Our keys have no characters that XML would escape. */
const keysOf = (xml: string) => [...xml.matchAll(/<Key>([a-z\d/-]+)<\/Key>/g)].map(([, key = '']) => key as StorageKey)

export function createS3Storage(config: S3Config): Storage {
  const bucketUrl = `${config.endpoint}/${config.bucket}`
  let client: Promise<AwsClient> | undefined
  const connect = async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({
      accessKeyId: config.accessKeyId,
      secretAccessKey: config.secretAccessKey.reveal(),
      region: config.region,
      service: 's3',
      retries: 2,
    })
  }

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const aws = await (client ??= connect())
    try {
      return await aws.fetch(`${bucketUrl}${path}`, { signal: AbortSignal.timeout(timeoutMs), ...init, method })
    } catch (cause) {
      throw new StorageError('the object storage cannot be reached', { cause })
    }
  }

  /** Returns the answer, or undefined for 404. */
  async function ask(method: string, path: string, init?: RequestInit): Promise<Response | undefined> {
    const response = await send(method, path, init)
    if (response.ok) return response
    const text = await response.text()
    if (response.status === 404 && !text.includes('NoSuchBucket')) return undefined
    throw new StorageError(`the object storage answered ${response.status}: ${text.slice(0, 500)}`)
  }

  /** The body of an answer may be cut off long after it has begun. */
  async function* readAll(body: NonNullable<Response['body']>): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (cause) {
      throw new StorageError('the object storage broke off', { cause })
    }
  }

  const remove = async (key: StorageKey) => {
    await (await ask('DELETE', `/${assertStorageKey(key)}`))?.body?.cancel()
  }

  return {
    async put(key, bytes, mime) {
      const headers = {
        'content-type': mime,
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      }
      const answer = await ask('PUT', `/${assertStorageKey(key)}`, { body: bytes as Uint8Array<ArrayBuffer>, headers })
      if (answer === undefined) throw new StorageError('the object storage has not kept the object')
      await answer.body?.cancel()
    },

    async get(key, range) {
      // The time-out applies to the beginning of the answer; the rest is read as fast as the caller takes it.
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), timeoutMs)
      try {
        const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
        const response = await ask('GET', `/${assertStorageKey(key)}`, { headers, signal: limit.signal })
        if (response?.body === undefined || response.body === null) return undefined
        const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
        const size = Number(whole ?? response.headers.get('content-length'))
        return { size, stream: Readable.from(readAll(response.body), { objectMode: false }) }
      } finally {
        clearTimeout(timer)
      }
    },

    async head(key) {
      const response = await ask('HEAD', `/${assertStorageKey(key)}`)
      return response && { size: Number(response.headers.get('content-length')) }
    },

    delete: remove,

    async deleteAll(prefix) {
      for (;;) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: `${assertStorageKey(prefix)}/`,
          'max-keys': String(pageSize),
        })
        const listed = await ask('GET', `?${query.toString()}`)
        const keys = listed === undefined ? [] : keysOf(await listed.text())
        if (keys.length === 0) return
        for (const key of keys) await remove(key)
      }
    },

    presignPost: (terms) => ({ url: bucketUrl, fields: signPolicy(config, terms) }),
  }
}
