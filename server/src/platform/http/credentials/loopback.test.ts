// Cases that no HTTP client in the tests can send. The whole table is in server/test/attacks/loopback-operator.test.ts.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { isLoopbackCaller } from './loopback.ts'

const request = (remoteAddress: string | undefined, headers: object) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

describe('a loopback caller', () => {
  it('comes from this machine and names it', () => {
    assert.equal(isLoopbackCaller(request('127.0.0.1', { host: 'localhost:4000' })), true)
  })

  it('is none without a Host, as HTTP/1.0 allows, or with an empty one', () => {
    assert.equal(isLoopbackCaller(request('127.0.0.1', {})), false)
    assert.equal(isLoopbackCaller(request('127.0.0.1', { host: '' })), false)
  })

  it('is none on a connection that has no peer any more, or on a UNIX socket', () => {
    assert.equal(isLoopbackCaller(request(undefined, { host: 'localhost' })), false)
    assert.equal(isLoopbackCaller(request('', { host: 'localhost' })), false)
  })
})
