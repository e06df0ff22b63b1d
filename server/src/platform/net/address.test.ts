import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isAddressAllowed } from './address.ts'

const production = { isPrivateAllowed: false }
const development = { isPrivateAllowed: true }

/** Addresses that only the development deployment may call. */
const privateAddresses = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '::1',
  'fc00::1',
  'fd12:3456:789a::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
]

/** Addresses that nobody may call. */
const neverAllowed = [
  '0.0.0.0',
  '0.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.0.1',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::ffff:0.0.0.0',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::169.254.169.254',
  '64:ff9b::0.0.0.0',
  '64:ff9b:1::7f00:1',
  '64:ff9b:1::808:808',
  '::ffff:0:7f00:1',
  '::ffff:0:808:808',
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2002:808:808::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '100::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  '8000::1',
]

const publicAddresses = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.255.255',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:830::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
]

describe('isAddressAllowed', () => {
  it('allows only public addresses in production', () => {
    for (const address of publicAddresses) assert.equal(isAddressAllowed(address, production), true, address)
    for (const address of [...privateAddresses, ...neverAllowed]) {
      assert.equal(isAddressAllowed(address, production), false, address)
    }
  })

  it('allows loopback and private networks too in development, and nothing else', () => {
    for (const address of [...publicAddresses, ...privateAddresses]) {
      assert.equal(isAddressAllowed(address, development), true, address)
    }
    for (const address of neverAllowed) assert.equal(isAddressAllowed(address, development), false, address)
  })

  it('refuses text that is not an address', () => {
    for (const text of [
      '',
      'localhost',
      'example.com',
      '1.2.3',
      '1.2.3.4.5',
      '[::1]',
      '8.8.8.8/32',
      ' 8.8.8.8',
      '::g',
    ]) {
      assert.equal(isAddressAllowed(text, production), false, JSON.stringify(text))
    }
  })

  it('treats an IPv4 address inside an IPv6 address like the address itself', () => {
    const octet = fc.nat(255)
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const plain = octets.join('.')
        const hex = octets.map((each) => each.toString(16).padStart(2, '0'))
        const words = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
        const expected = isAddressAllowed(plain, production)
        assert.equal(isAddressAllowed(`::ffff:${plain}`, production), expected, plain)
        assert.equal(isAddressAllowed(`::ffff:${words}`, production), expected, plain)
        assert.equal(isAddressAllowed(`64:ff9b::${words}`, production), expected, plain)
        assert.equal(isAddressAllowed(`2002:${words}::1`, production), false, plain)
        assert.equal(isAddressAllowed(`::${words}`, production), false, plain)
      }),
      { numRuns: 500 },
    )
  })
})
