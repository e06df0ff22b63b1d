import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '../platform/crypto/secret.ts'
import { banner } from './banner.ts'
import { checkLimits, checkMailChannel, checkMedia } from './checks/operation.ts'

const development = {
  env: 'development',
  port: 0,
  baseUrl: 'http://127.0.0.1:0/api/v0',
  dataDir: '/data',
  databaseUrl: undefined,
} as const

describe('the banner', () => {
  it('prints in development the addresses where the service listens, be it on any port or on every address', () => {
    assert.match(banner(development, 'http://127.0.0.1:38211'), /Pages {6}http:\/\/localhost:38211\/t\//)
    const everywhere = banner(development, 'http://0.0.0.0:38211')
    assert.match(everywhere, /API {8}http:\/\/127\.0\.0\.1:38211\/api\/v0\n/)
    assert.match(banner(development, 'http://[::]:4000'), /API {8}http:\/\/\[::1\]:4000\/api\/v0\n/)
    const named = banner({ ...development, baseUrl: 'http://ids.test:4000/api/v0' }, 'http://127.0.0.1:4000')
    assert.match(named, /Pages {6}http:\/\/ids\.test:4000\/t\//)
  })

  it('prints in production the public address, for others are refused', () => {
    const production = { ...development, env: 'production', baseUrl: 'https://id.example.com/api/v0' } as const
    const text = banner(production, 'http://0.0.0.0:4000')
    assert.match(text, /API {8}https:\/\/id\.example\.com\/api\/v0\n/)
    assert.match(text, /Listens {4}http:\/\/127\.0\.0\.1:4000 \(\/livez/)
    assert.doesNotMatch(text, /inbox|operator/)
  })
})

describe('warnings of the start and of doctor', () => {
  const status = ({ status: found }: { readonly status: string }) => found

  it('is mail that cannot be sent in production', () => {
    assert.equal(status(checkMailChannel({ env: 'production', smtpUrl: undefined })), 'warn')
    assert.equal(status(checkMailChannel({ env: 'development', smtpUrl: undefined })), 'ok')
    assert.equal(status(checkMailChannel({ env: 'production', smtpUrl: new Secret('smtp://mail') })), 'ok')
  })

  it('is media on a disk that other nodes do not see', () => {
    const databaseUrl = new Secret('postgres://db/ids')
    assert.equal(status(checkMedia({ env: 'production', databaseUrl, s3: undefined })), 'warn')
    assert.equal(status(checkMedia({ env: 'production', databaseUrl: undefined, s3: undefined })), 'ok')
  })

  it('is a limit on files or memory that load will reach', () => {
    assert.match(checkLimits(1024, 0).detail, /1024 files/)
    assert.match(checkLimits(65_536, 256 * 1024 * 1024).detail, /256 MiB/)
    assert.equal(status(checkLimits(65_536, 2 ** 63)), 'ok')
    assert.equal(status(checkLimits(undefined, 0)), 'ok')
  })
})
