import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressKeys, addressKeysOf } from './address-key.ts'

const addressKey = (ip: string) => addressKeys(ip)?.subscriber
const siteOf = (ip: string) => addressKeys(ip)?.site

describe('the key of an address', () => {
  it('is the IPv4 address itself, even if it is mapped to IPv6', () => {
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:192.0.2.7']) {
      assert.equal(addressKey(ip), '192.0.2.7', ip)
    }
  })

  // Guards: caller-addresses
  it('is one for all addresses of an IPv6 /64, and another for its neighbour', () => {
    const key = addressKey('2001:db8:1:2::1')
    for (const ip of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:1:2:3::', '2001:db8:1:2::192.0.2.1']) {
      assert.equal(addressKey(ip), key, ip)
    }
    for (const ip of ['2001:db8:1:3::1', '2001:db8::1', '::1']) assert.notEqual(addressKey(ip), key, ip)
  })

  // Guards: caller-addresses
  it('is also one for all addresses of an IPv6 /48, and for IPv4 there is none', () => {
    const site = siteOf('2001:db8:1:2::1')
    for (const ip of ['2001:db8:1::', '2001:db8:1:ffff:ffff:ffff:ffff:ffff']) assert.equal(siteOf(ip), site, ip)
    for (const ip of ['2001:db8:2:2::1', '2001:db8::1', '::1']) assert.notEqual(siteOf(ip), site, ip)
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7']) assert.equal(siteOf(ip), undefined, ip)
  })

  // Guards: caller-addresses
  it('is the IPv4 address that receives the answers to NAT64, 6to4 and Teredo addresses', () => {
    for (const ip of [
      '64:ff9b::192.0.2.7',
      '2002:c000:207::1',
      '2002:c000:0207:ffff:1:2:3:4',
      '2001:0:4136:e378:8000:63bf:3fff:fdf8',
      '2001::ffff:ffff:0:0:3fff:fdf8',
    ]) {
      assert.deepEqual(addressKeys(ip), { subscriber: '192.0.2.7', site: undefined }, ip)
    }
    // Close to those prefixes, but in none of them.
    for (const ip of ['64:ff9b:1::192.0.2.7', '2003:c000:207::1', '2001:1::3fff:fdf8']) {
      assert.match(String(addressKey(ip)), /::\/64$/, ip)
    }
  })

  it('ignores the zone of a link-local address', () => {
    assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'))
  })

  it('is that of the proxy if the proxy passes on something that is not an address', () => {
    const socket = { remoteAddress: '192.0.2.1' } as never
    for (const ip of ['', 'unknown', '999.1.1.1', '192.0.2.7:80', '<script>']) {
      assert.equal(addressKeys(ip), undefined, ip)
      assert.equal(addressKeysOf({ ip, socket }).subscriber, '192.0.2.1', ip)
    }
    assert.equal(addressKeysOf({ ip: '192.0.2.9', socket }).subscriber, '192.0.2.9')
  })
})
