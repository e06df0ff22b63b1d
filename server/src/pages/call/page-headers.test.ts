import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FastifyReply } from 'fastify'
import { setPageHeaders } from './page-headers.ts'

/** Returns the directive for pictures, and how many directives and policies there are. */
function policyWith(...addresses: readonly string[]) {
  let policy = ''
  const reply = { headers: (all: Record<string, string>) => void (policy = all['content-security-policy'] ?? '') }
  setPageHeaders(
    reply as unknown as FastifyReply,
    addresses.map((address) => new URL(address).origin),
  )
  const directives = policy.split('; ')
  return { pictures: directives.find((each) => each.startsWith('img-src')), directives: policy.split(/[;,]/).length }
}

it('the policy of a page names where pictures come from, and no address of a picture changes anything else of it', () => {
  const plain = policyWith('https://cdn.example/a.png', 'http://localhost:4000/b.png', 'https://[::1]:8443/c.png')
  assert.equal(plain.pictures, "img-src 'self' https://cdn.example http://localhost:4000 https://[::1]:8443")
  const hostile = policyWith(
    'https://a;sandbox/x.png',
    'https://b,default-src/x.png',
    "https://c'd/x.png",
    'data:image/png,x',
  )
  assert.deepEqual(hostile, { ...policyWith(), directives: plain.directives })
})
