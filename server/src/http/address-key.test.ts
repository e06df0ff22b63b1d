import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressKey, addressKeyOf } from './address-key.ts'

describe('the key of an address', () => {
  it('is an IPv4 address itself, also where IPv6 only maps it', () => {
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:192.0.2.7']) {
      assert.equal(addressKey(ip), '192.0.2.7', ip)
    }
  })

  it('is one for all addresses of an IPv6 /64, and another for its neighbour', () => {
    const key = addressKey('2001:db8:1:2::1')
    for (const ip of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:1:2:3::', '2001:db8:1:2::192.0.2.1']) {
      assert.equal(addressKey(ip), key, ip)
    }
    for (const ip of ['2001:db8:1:3::1', '2001:db8::1', '::1']) assert.notEqual(addressKey(ip), key, ip)
  })

  it('passes over the zone of a link-local address', () => {
    assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'))
  })

  it("is the proxy's own where the proxy passes on what is no address", () => {
    const socket = { remoteAddress: '192.0.2.1' } as never
    for (const ip of ['', 'unknown', '999.1.1.1', '192.0.2.7:80', '<script>']) {
      assert.equal(addressKey(ip), undefined, ip)
      assert.equal(addressKeyOf({ ip, socket }), '192.0.2.1', ip)
    }
    assert.equal(addressKeyOf({ ip: '192.0.2.9', socket }), '192.0.2.9')
  })
})
