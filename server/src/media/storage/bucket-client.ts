// Signed requests to the bucket of an S3-compatible store. What is wrong with the store becomes a StorageError.
import type { AwsClient } from 'aws4fetch'
import type { S3Config } from '../../platform/config.ts'
import { Unavailable } from '../../platform/unavailable.ts'

export const timeoutMs = 30_000

/** The store's answer was unexpected or missing; it is only logged. */
export class StorageError extends Unavailable {
  override readonly name = 'StorageError'
}

/** Sends a request for a path below the bucket. Returns the answer, or undefined for 404. */
export type AskBucket = (method: string, path: string, init?: RequestInit) => Promise<Response | undefined>

async function connect({ accessKeyId, secretAccessKey, region }: S3Config): Promise<AwsClient> {
  const { AwsClient } = await import('aws4fetch')
  return new AwsClient({ accessKeyId, secretAccessKey: secretAccessKey.reveal(), region, service: 's3', retries: 2 })
}

/** @param bucketUrl the address of the bucket, without a slash at its end. */
export function createBucketClient(config: S3Config, bucketUrl: string): AskBucket {
  let client: Promise<AwsClient> | undefined

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const aws = await (client ??= connect(config))
    try {
      return await aws.fetch(`${bucketUrl}${path}`, { signal: AbortSignal.timeout(timeoutMs), ...init, method })
    } catch (cause) {
      throw new StorageError('the object storage cannot be reached', { cause })
    }
  }

  return async (method, path, init) => {
    const response = await send(method, path, init)
    if (response.ok) return response
    const text = await response.text()
    if (response.status === 404 && !text.includes('NoSuchBucket')) return undefined
    throw new StorageError(`the object storage answered ${response.status}: ${text.slice(0, 500)}`)
  }
}

/** Yields the body of an answer, which may be cut off long after it has begun. */
export async function* readBody(body: NonNullable<Response['body']>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new StorageError('the object storage broke off', { cause })
  }
}
