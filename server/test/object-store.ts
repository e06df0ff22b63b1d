// A real S3 server on this machine. It checks signatures of requests, but no policies of browser-based uploads.
import { createRequire } from 'node:module'
import { mkdirSync } from 'node:fs'
import type { S3Config } from '../src/config.ts'
import { Secret } from '../src/crypto/secret.ts'

interface S3rver {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver

export interface ObjectStore {
  readonly config: S3Config
  stop(): Promise<void>
}

export async function startObjectStore(directory: string): Promise<ObjectStore> {
  mkdirSync(directory, { recursive: true })
  const bucket = 'media'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: new Secret('S3RVER'),
    },
    stop: () => server.close(),
  }
}
