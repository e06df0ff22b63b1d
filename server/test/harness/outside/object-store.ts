// A real S3 server on this machine. It checks the signatures of requests, but no policies of browser-based uploads.
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { S3Config } from '../../../src/platform/config.ts'
import { Secret } from '../../../src/platform/crypto/secret.ts'

interface S3rver {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver

export interface ObjectStore {
  readonly config: S3Config
  stop(): Promise<void>
}

/** What an administrator sets up on the bucket, so that pages may send files to it (docs/media.md). */
const corsOf = (origin: string) =>
  `<CORSConfiguration><CORSRule><AllowedOrigin>${origin}</AllowedOrigin><AllowedMethod>POST</AllowedMethod>` +
  '<AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>'

/** @param pages the origin of the pages that may send files to it. */
export async function startObjectStore(directory: string, pages?: string): Promise<ObjectStore> {
  mkdirSync(directory, { recursive: true })
  const bucket = 'media'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, ...(pages === undefined ? {} : { configs: [corsOf(pages)] }) }],
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

async function startFalseStore(like: S3Config, answer: RequestListener): Promise<ObjectStore> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    config: { ...like, endpoint: `http://127.0.0.1:${port}` },
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** An object store that hangs up in the middle of every object. */
export const startBrokenStore = (like: S3Config) =>
  startFalseStore(like, (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('a beginning', () => response.destroy())
  })

/** An object store behind a gateway that answers in its place and reports success. */
export const startReplacedStore = (like: S3Config) =>
  startFalseStore(like, (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'))
