// The certificate in which a connection publishes its key. Providers take the key out of it and check nothing else, so that it is signed by
// itself and lives long; Node can read certificates but not make them, hence the few lines of DER (X.690, RFC 5280).
import { type KeyObject, sign } from 'node:crypto'

const tags = { integer: 0x02, bits: 0x03, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31, version: 0xa0 }
const sha256WithRsa = '300d06092a864886f70d01010b0500'
const commonName = '0603550403'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const hex = content.length.toString(16)
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

const hexed = (text: string) => Buffer.from(text, 'hex')
const name = (text: string) =>
  der(tags.sequence, der(tags.set, der(tags.sequence, hexed(commonName), der(tags.utf8, Buffer.from(text)))))
/** Writes GeneralizedTime, which has no fractions. */
const time = (at: Date) => der(tags.time, Buffer.from(`${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`))

interface Certificate {
  readonly commonName: string
  /** 16 random bytes. */
  readonly serial: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Returns the certificate of an RSA key as PEM. */
export function selfSigned(key: { publicKey: KeyObject; privateKey: KeyObject }, about: Certificate): string {
  const serial = Buffer.from(about.serial)
  // Positive, and without needless zeros.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const subject = name(about.commonName)
  const body = der(
    tags.sequence,
    der(tags.version, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, serial),
    hexed(sha256WithRsa),
    subject,
    der(tags.sequence, time(about.notBefore), time(about.notAfter)),
    subject,
    key.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', body, key.privateKey)
  const whole = der(tags.sequence, body, hexed(sha256WithRsa), der(tags.bits, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
