// Decides by the first bytes which decoder may see them: no decoder gets input that it was not chosen for.

export const sourceKinds = ['jpeg', 'png', 'webp', 'gif', 'avif', 'svg'] as const
export type SourceKind = (typeof sourceKinds)[number]

const starts = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.max(0, Math.min(text.length, bytes.length - at))).toString(
    'latin1',
  ) === text

/** ISO/IEC 14496-12 §4.3: the brands as which a file claims to be readable. */
function isAvif(bytes: Uint8Array): boolean {
  if (!starts(bytes, 4, 'ftyp')) return false
  const end = Math.min(64, bytes.length, Buffer.from(bytes.subarray(0, 4)).readUInt32BE())
  for (let at = 8; at + 4 <= end; at += 4) if (starts(bytes, at, 'avif') || starts(bytes, at, 'avis')) return true
  return false
}

/** Returns the kind of raster image by the first bytes. SVG is text, so only the caller can tell whether something is SVG. */
export function rasterKind(bytes: Uint8Array): Exclude<SourceKind, 'svg'> | undefined {
  if (starts(bytes, 0, '\xff\xd8\xff')) return 'jpeg'
  if (starts(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP')) return 'webp'
  if (starts(bytes, 0, 'GIF87a') || starts(bytes, 0, 'GIF89a')) return 'gif'
  return isAvif(bytes) ? 'avif' : undefined
}
