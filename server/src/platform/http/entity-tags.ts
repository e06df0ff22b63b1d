// Tags of representations (RFC 9110 §8.8.3), and the conditions that clients make with them.
import { hash } from 'node:crypto'

/** Returns the tag of these bytes, in quotes. */
export const entityTag = (bytes: string | Uint8Array): string => `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`

const anyTag = '*'
const readTags = (header: string) => header.split(',').map((each) => each.trim())

/** If-None-Match (RFC 9110 §13.1.2), with weak comparison of tags. */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && readTags(header).some((each) => each === anyTag || each.replace(/^W\//, '') === tag)

/** If-Match (RFC 9110 §13.1.1): whether the client only wants a version other than this; tags are compared strongly. */
export const wantsAnother = (header: string | undefined, tag: string): boolean =>
  header !== undefined && !readTags(header).some((each) => each === anyTag || each === tag)
