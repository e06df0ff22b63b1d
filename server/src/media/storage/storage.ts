// Where the bytes of files are: on this machine's disk, or in an object store that speaks S3.
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'

declare const brand: unique symbol

/** Names of ours alone, never made of anything that a caller has said: `tenant/random/what`. */
export type StorageKey = string & { readonly [brand]: 'StorageKey' }

/** The first and the last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredContent {
  /** Of the whole object, whatever the range. */
  readonly size: number
  readonly stream: Readable
}

/** Lets a browser send one object straight to the store. */
export interface DirectUpload {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

export interface DirectUploadTerms {
  readonly key: StorageKey
  readonly mime: string
  readonly size: number
  readonly expiresAtMs: number
  readonly nowMs: number
}

export interface Storage {
  /**
   * Keeps the bytes durably: whole, or not at all. An object of that key is replaced.
   * @param isNew whether the key is new, and known to nobody before this resolves: should the process die meanwhile, a part may
   * be left of it.
   */
  put(key: StorageKey, bytes: Uint8Array, mime: string, isNew?: boolean): Promise<void>
  /** undefined where there is no such object. The stream must be read to its end or destroyed. */
  get(key: StorageKey, range?: ByteRange): Promise<StoredContent | undefined>
  head(key: StorageKey): Promise<{ readonly size: number } | undefined>
  /** Removes the object, if it is there. */
  delete(key: StorageKey): Promise<void>
  /** Removes every object below `prefix/`. One that is interrupted is finished by the next. */
  deleteAll(prefix: StorageKey): Promise<void>
  /** Only where objects are files of this machine: where another process of ours can read one. */
  readonly localPath?: (key: StorageKey) => string
  /** Only where the store takes uploads from strangers under terms that were signed for them. */
  readonly presignPost?: (terms: DirectUploadTerms) => DirectUpload
}

const part = /^[a-z\d][a-z\d-]{0,63}$/
const partsMax = 4

/** @throws RangeError for anything that is no name of ours. */
export function storageKey(...parts: readonly string[]): StorageKey {
  if (parts.length === 0 || parts.length > partsMax || !parts.every((each) => part.test(each))) {
    throw new RangeError('a storage key has up to four parts of lower-case letters, digits and hyphens')
  }
  return parts.join('/') as StorageKey
}

/** A tenant's id may have come from elsewhere, with any characters in it; its hash has not. */
export const tenantPrefix = (tenantId: string): StorageKey => storageKey(hash('sha256', tenantId, 'hex').slice(0, 32))
