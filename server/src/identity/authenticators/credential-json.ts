// What browsers answer with, in the form of PublicKeyCredential.toJSON(). Only what is checked is taken from it; the rest differs from
// browser to browser.
import { invalid } from '../../platform/http/api-error.ts'

interface CredentialBase {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly clientExtensionResults: Record<string, never>
}

export interface Attestation extends CredentialBase {
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
  }
  readonly transports: readonly string[]
}

export interface Assertion extends CredentialBase {
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string
  }
}

type Json = Readonly<Record<string, unknown>>

/** Web Authentication Level 3 §4: at most 1,023 bytes. */
const idLengthMax = Math.ceil((1023 * 4) / 3)
const textLengthMax = 32_768
const base64url = /^[\w-]+$/
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

const malformed = (property: string) =>
  invalid(`/credential${property}`, 'format', 'must be the result of PublicKeyCredential.toJSON()')

function objectOf(value: unknown, property: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(property)
  return value as Json
}

function bytesOf(from: Json, name: string, property: string, lengthMax = textLengthMax): string {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  if (typeof value !== 'string' || value.length > lengthMax || !base64url.test(value)) {
    throw malformed(`${property}/${name}`)
  }
  return value
}

function baseOf(value: unknown): CredentialBase & { readonly given: Json } {
  const credential = objectOf(value, '')
  const id = bytesOf(credential, 'id', '', idLengthMax)
  const rawId = bytesOf(credential, 'rawId', '', idLengthMax)
  if (credential['type'] !== 'public-key') throw malformed('/type')
  if (id !== rawId) throw malformed('/rawId')
  return {
    id,
    rawId,
    type: 'public-key',
    clientExtensionResults: {},
    given: objectOf(credential['response'], '/response'),
  }
}

/** @throws ApiError validation_failed */
export function parseAttestation(value: unknown): Attestation {
  const { given, ...base } = baseOf(value)
  const { transports } = given
  return {
    ...base,
    response: {
      clientDataJSON: bytesOf(given, 'clientDataJSON', '/response'),
      attestationObject: bytesOf(given, 'attestationObject', '/response'),
    },
    transports: Array.isArray(transports) ? transportNames.filter((name) => transports.includes(name)) : [],
  }
}

/** @throws ApiError validation_failed */
export function parseAssertion(value: unknown): Assertion {
  const { given, ...base } = baseOf(value)
  const { userHandle } = given
  return {
    ...base,
    response: {
      clientDataJSON: bytesOf(given, 'clientDataJSON', '/response'),
      authenticatorData: bytesOf(given, 'authenticatorData', '/response'),
      signature: bytesOf(given, 'signature', '/response'),
      ...(userHandle === undefined || userHandle === null
        ? {}
        : { userHandle: bytesOf(given, 'userHandle', '/response') }),
    },
  }
}
