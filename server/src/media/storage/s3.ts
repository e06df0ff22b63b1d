// Files as objects in the bucket of an S3-compatible store.
import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { S3Config } from '../../platform/config.ts'
import { type AskBucket, StorageError, createBucketClient, readBody, timeoutMs } from './bucket-client.ts'
import { type ByteRange, type DirectUploadTerms, type Storage, type StorageKey, assertStorageKey } from './storage.ts'

const pageSize = 1000

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
const keysIn = (xml: string) => [...xml.matchAll(/<Key>([a-z\d/-]+)<\/Key>/g)].map(([, key = '']) => key as StorageKey)

/** Opens an object, or a range of its bytes. */
async function openObject(ask: AskBucket, key: StorageKey, range: ByteRange | undefined) {
  // The time-out applies to the beginning of the answer; the rest is read as fast as the caller takes it.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  try {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const response = await ask('GET', `/${assertStorageKey(key)}`, { headers, signal: limit.signal })
    if (response?.body === undefined || response.body === null) return undefined
    const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
    const size = Number(whole ?? response.headers.get('content-length'))
    return { size, stream: Readable.from(readBody(response.body), { objectMode: false }) }
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the keys of the first objects below a prefix. */
async function listKeys(ask: AskBucket, prefix: StorageKey): Promise<StorageKey[]> {
  const query = new URLSearchParams({
    'list-type': '2',
    prefix: `${assertStorageKey(prefix)}/`,
    'max-keys': String(pageSize),
  })
  const listed = await ask('GET', `?${query.toString()}`)
  return listed === undefined ? [] : keysIn(await listed.text())
}

export function createS3Storage(config: S3Config): Storage {
  const bucketUrl = `${config.endpoint}/${config.bucket}`
  const ask = createBucketClient(config, bucketUrl)

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

    get: (key, range) => openObject(ask, key, range),

    async head(key) {
      const response = await ask('HEAD', `/${assertStorageKey(key)}`)
      return response && { size: Number(response.headers.get('content-length')) }
    },

    delete: remove,

    async deleteAll(prefix) {
      for (;;) {
        const keys = await listKeys(ask, prefix)
        if (keys.length === 0) return
        for (const key of keys) await remove(key)
      }
    },

    presignPost: (terms) => ({ url: bucketUrl, fields: signPolicy(config, terms) }),
  }
}
