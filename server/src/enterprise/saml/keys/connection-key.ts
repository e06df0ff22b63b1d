// The key of a connection: it signs requests to the provider and decrypts what the provider sends.
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { rsaBits } from '../../../platform/crypto/key-pair.ts'
import { selfSigned } from './self-signed.ts'

const generate = promisify(generateKeyPair)
const years = 20

export interface ConnectionKey {
  /** PKCS #8 as PEM: a secret. */
  readonly privateKey: string
  /** Base64 of DER. */
  readonly certificate: string
}

/** @param host names the deployment in the certificate. */
export async function newConnectionKey(host: string, now: Date): Promise<ConnectionKey> {
  const pair = await generate('rsa', { modulusLength: rsaBits })
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(now.getUTCFullYear() + years)
  // A provider whose clock is behind refuses what is not valid yet.
  const notBefore = new Date(now.getTime() - 86_400_000)
  const pem = selfSigned(pair, { commonName: host, serial: randomBytes(16), notBefore, notAfter })
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''),
  }
}
