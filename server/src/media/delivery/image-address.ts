// The addresses of images, and the signatures that open private ones.
import { hash } from 'node:crypto'
import { isEqual } from '../../platform/crypto/tokens.ts'
import type { Deps } from '../deps.ts'
import type { ImageDefinition } from '../engine/definition.ts'
import type { ImageQuery } from './image-query.ts'

type Keys = Pick<Deps, 'hashCode'>

export interface SignedImage {
  readonly tenantId: string
  readonly fileId: string
  readonly transformation: string | undefined
  readonly expiresAtSeconds: number
}

const signatureOf = ({ hashCode }: Keys, { tenantId, fileId, transformation, expiresAtSeconds }: SignedImage) =>
  hashCode(JSON.stringify(['image address', tenantId, fileId, transformation ?? null, expiresAtSeconds]))

const versions = new WeakMap<ImageDefinition, string>()

/** A hash of a definition's content. An address that contains it may be cached for ever. */
export function versionOf(definition: ImageDefinition): string {
  let version = versions.get(definition)
  if (version === undefined) {
    version = hash('sha256', JSON.stringify(definition), 'hex').slice(0, 16)
    versions.set(definition, version)
  }
  return version
}

export function signedAddress(deps: Keys & Pick<Deps, 'config'>, image: SignedImage, version: string): string {
  const { tenantId, fileId, transformation, expiresAtSeconds } = image
  const query = new URLSearchParams({
    ...(transformation === undefined ? {} : { t: transformation }),
    v: version,
    e: String(expiresAtSeconds),
    s: signatureOf(deps, image),
  })
  const path = ['media', tenantId, fileId, 'image'].map(encodeURIComponent).join('/')
  return `${deps.config.baseUrl}/${path}?${query.toString()}`
}

/** Whether the address may be used now and for this request. Explicit parameters are never signed. */
export function isSigned(
  { hashCode, clock }: Keys & Pick<Deps, 'clock'>,
  { tenantId, fileId }: { readonly tenantId: string; readonly fileId: string },
  { transformation, parameters, expiresAtSeconds, signature }: ImageQuery,
): boolean {
  if (signature === undefined || expiresAtSeconds === undefined || parameters !== undefined) return false
  const expected = signatureOf({ hashCode }, { tenantId, fileId, transformation, expiresAtSeconds })
  return isEqual(signature, expected) && expiresAtSeconds * 1000 > clock.nowMs()
}
