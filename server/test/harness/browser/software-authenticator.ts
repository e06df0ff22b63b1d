// A passkey in software: it answers navigator.credentials, and each part of the answer can be made wrong.
import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface AnswerOptions {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly clientData?: Readonly<Record<string, unknown>>
  readonly rpId?: string
  /** Bits of the flags to invert. */
  readonly flip?: number
  /** undefined means one more than the last time. */
  readonly counter?: number
  readonly userHandle?: string | null
  readonly credentialId?: string
  /** What is signed and sent after the counter. */
  readonly tail?: Buffer
  /** Changes the signature. */
  readonly spoil?: (signature: Buffer) => Buffer
  readonly algorithm?: number
  readonly format?: string
  readonly attestationStatement?: Buffer
  readonly rawId?: string
  /** The kind of authenticator, in hexadecimal without hyphens. */
  readonly aaguid?: string
}

export const flag = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64, extensions: 128 } as const

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
const cborInteger = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value))
const cborBytes = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([head(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

interface Options {
  readonly challenge: string
}
export interface CreationOptions extends Options {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}
export interface RequestOptions extends Options {
  readonly rpId: string
}

export class SoftwareAuthenticator {
  readonly credentialId = base64url(randomBytes(32))
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly flags: number
  readonly origin: string
  userHandle = ''
  counter = 0

  constructor(flags: number = flag.present | flag.verified, origin = 'http://localhost:3000') {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.privateKey = pair.privateKey
    this.publicKey = pair.publicKey
    this.flags = flags
    this.origin = origin
  }

  /** The answer of navigator.credentials.create(). */
  create(asked: CreationOptions, options: AnswerOptions = {}) {
    this.userHandle = asked.user.id
    const id = Buffer.from(options.credentialId ?? this.credentialId, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const attested = Buffer.concat([
      Buffer.from(options.aaguid ?? '0'.repeat(32), 'hex'),
      length,
      id,
      this.#coseKey(options.algorithm ?? -7),
    ])
    const authData = this.#authData(asked.rp.id, flag.attested, attested, options)
    const attestationObject = cborMap([
      [cborText('fmt'), cborText(options.format ?? 'none')],
      [cborText('attStmt'), options.attestationStatement ?? cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ])
    return this.#credential(options, {
      clientDataJSON: base64url(this.#clientData('webauthn.create', asked, options)),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    })
  }

  /** The answer of navigator.credentials.get(). */
  get(asked: RequestOptions, options: AnswerOptions = {}) {
    const clientData = this.#clientData('webauthn.get', asked, options)
    const authData = this.#authData(asked.rpId, 0, Buffer.alloc(0), options)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.privateKey)
    const { userHandle = this.userHandle } = options
    return this.#credential(options, {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(options.spoil?.(signature) ?? signature),
      ...(userHandle === null ? {} : { userHandle }),
    })
  }

  #credential({ credentialId = this.credentialId, rawId = credentialId }: AnswerOptions, response: object) {
    return {
      id: credentialId,
      rawId,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }

  #clientData(type: string, asked: Options, options: AnswerOptions) {
    return JSON.stringify({
      type: options.type ?? type,
      challenge: options.challenge ?? asked.challenge,
      origin: options.origin ?? this.origin,
      crossOrigin: false,
      ...options.clientData,
    })
  }

  #authData(rpId: string, more: number, attested: Buffer, options: AnswerOptions) {
    this.counter = options.counter ?? this.counter + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const flags = Buffer.from([(this.flags | more) ^ (options.flip ?? 0)])
    return Buffer.concat([sha256(options.rpId ?? rpId), flags, counter, attested, options.tail ?? Buffer.alloc(0)])
  }

  #coseKey(algorithm: number) {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' })
    return cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(algorithm)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

export { cborBytes, cborMap, cborText }
