// Stores the bytes of files on this machine's disk, or in an object store that speaks S3.
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'

declare const brand: unique symbol

/** Contains only our own names, never a caller's input: `tenant/random/what`. */
export type StorageKey = string & { readonly [brand]: 'StorageKey' }

/** The first and the last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredContent {
  /** The size of the whole object, whatever the range. */
  readonly size: number
  readonly stream: Readable
}

/** Lets a browser send one object directly to the store. */
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
   * Stores the bytes durably, completely or not at all. An object with that key is replaced.
   * @param isNew whether the key is new and unknown to anybody before this resolves. If the process dies meanwhile, a part of the object
   * may be left.
   */
  put(key: StorageKey, bytes: Uint8Array, mime: string, isNew?: boolean): Promise<void>
  /** Returns undefined if there is no such object. The stream must be read to its end or destroyed. */
  get(key: StorageKey, range?: ByteRange): Promise<StoredContent | undefined>
  head(key: StorageKey): Promise<{ readonly size: number } | undefined>
  /** Removes the object if it exists. */
  delete(key: StorageKey): Promise<void>
  /** Removes every object below `prefix/`. If it is interrupted, calling it again removes the rest. */
  deleteAll(prefix: StorageKey): Promise<void>
  /** Present only if objects are files on this machine, which our other processes can read. */
  readonly localPath?: (key: StorageKey) => string
  /** Present only if the store accepts uploads directly from clients under signed terms. */
  readonly presignPost?: (terms: DirectUploadTerms) => DirectUpload
}

const part = /^[a-z\d][a-z\d-]{0,63}$/
const partsMax = 4

/** @throws RangeError for anything that is not our own name. */
export function storageKey(...parts: readonly string[]): StorageKey {
  if (parts.length === 0 || parts.length > partsMax || !parts.every((each) => part.test(each))) {
    throw new RangeError('a storage key has up to four parts of lower-case letters, digits and hyphens')
  }
  return parts.join('/') as StorageKey
}

/** @throws RangeError for anything that is not our own name; an address that is made of it would lead elsewhere. */
export const assertStorageKey = (key: string): StorageKey => storageKey(...key.split('/'))

/** Hashes the tenant's id, because an imported one may contain any characters. */
export const tenantPrefix = (tenantId: string): StorageKey => storageKey(hash('sha256', tenantId, 'hex').slice(0, 32))
