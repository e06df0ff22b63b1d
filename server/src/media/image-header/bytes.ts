// What readers of headers share: the type of what they find, and reading numbers from bytes. Beyond the end they read NaN, which every
// comparison refuses, so that a header that is cut short ends a loop or fails a check instead of throwing.

export interface ImageSize {
  /** Pixels of the upright picture; null where a vector image names none. */
  readonly width: number | null
  readonly height: number | null
  /** 1 for a still picture. */
  readonly frames: number
}

/** One format's header, or undefined for what is not, or not quite, of that format. */
export type ReadHeader = (bytes: Uint8Array) => ImageSize | undefined

const at = (bytes: Uint8Array, index: number) => bytes[index] ?? Number.NaN

export const u8 = at
export const u16be = (bytes: Uint8Array, index: number) => at(bytes, index) * 0x1_00 + at(bytes, index + 1)
export const u16le = (bytes: Uint8Array, index: number) => at(bytes, index + 1) * 0x1_00 + at(bytes, index)
export const u24le = (bytes: Uint8Array, index: number) => at(bytes, index + 2) * 0x1_00_00 + u16le(bytes, index)
export const u32be = (bytes: Uint8Array, index: number) => u16be(bytes, index) * 0x1_00_00 + u16be(bytes, index + 2)
export const u32le = (bytes: Uint8Array, index: number) => u16le(bytes, index + 2) * 0x1_00_00 + u16le(bytes, index)

/** Whether these ASCII characters stand there. */
export function hasText(bytes: Uint8Array, index: number, text: string): boolean {
  for (let offset = 0; offset < text.length; offset++) {
    if (bytes[index + offset] !== text.charCodeAt(offset)) return false
  }
  return true
}
