// The headers under which an image is delivered.
import { type EncodedFormat, mediaTypes } from '../engine/formats.ts'
import type { ShownFileRow } from '../queries.ts'

export type ImageHeaders = Readonly<Record<string, string>>

/** Nothing in an image may run, even when it is opened by itself: SVG may only contain styles and pictures. */
export const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** @param isNegotiated whether the Accept header decided on the format. */
export const imageHeaders = (
  { access }: Pick<ShownFileRow, 'access'>,
  format: EncodedFormat,
  digest: string,
  isNegotiated: boolean,
): ImageHeaders => ({
  'content-type': mediaTypes[format],
  'content-security-policy': imagePolicy,
  'content-disposition': format === 'svg' ? 'attachment' : 'inline',
  'cross-origin-resource-policy': 'cross-origin',
  etag: `"${digest}"`,
  'accept-ranges': 'bytes',
  ...(isNegotiated ? { vary: 'Accept' } : {}),
  ...(access === 'public' ? { 'access-control-allow-origin': '*' } : {}),
})
