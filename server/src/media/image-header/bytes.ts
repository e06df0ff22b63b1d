// Shared by the header readers: the type of their result, and functions that read numbers from bytes. Beyond the end these return NaN,
// which fails every comparison, so that a truncated header ends a loop or fails a check instead of throwing.

export interface ImageSize {
  /** The size of the upright picture in pixels; null if a vector image states none. */
  readonly width: number | null
  readonly height: number | null
  /** 1 for a still picture. */
  readonly frames: number
}

/** Reads one format's header; returns undefined for anything that is not exactly of that format. */
export type ReadHeader = (bytes: Uint8Array) => ImageSize | undefined

const at = (bytes: Uint8Array, index: number) => bytes[index] ?? Number.NaN

export const u8 = at
export const u16be = (bytes: Uint8Array, index: number) => at(bytes, index) * 0x1_00 + at(bytes, index + 1)
export const u16le = (bytes: Uint8Array, index: number) => at(bytes, index + 1) * 0x1_00 + at(bytes, index)
export const u24le = (bytes: Uint8Array, index: number) => at(bytes, index + 2) * 0x1_00_00 + u16le(bytes, index)
export const u32be = (bytes: Uint8Array, index: number) => u16be(bytes, index) * 0x1_00_00 + u16be(bytes, index + 2)
export const u32le = (bytes: Uint8Array, index: number) => u16le(bytes, index + 2) * 0x1_00_00 + u16le(bytes, index)

/** Whether the bytes at this place are these ASCII characters. */
export function hasText(bytes: Uint8Array, index: number, text: string): boolean {
  for (let offset = 0; offset < text.length; offset++) {
    if (bytes[index + offset] !== text.charCodeAt(offset)) return false
  }
  return true
}
