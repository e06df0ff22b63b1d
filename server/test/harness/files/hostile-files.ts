// Images with a few wrong bytes: files that are almost right get into a decoder.
import { animation, drawn, patchwork, raw } from './pictures.ts'

/** Mulberry32: it makes the same files every time. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The first bytes name the kind; a file without them would simply be refused. */
const keptBytes = 12
/** Values for lengths and counts that reach beyond the file, or nowhere. */
const lengths = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

function patchLength(bytes: Buffer, at: number, value: number, isBig: boolean) {
  if (at + 4 > bytes.length) return
  if (isBig) bytes.writeUInt32BE(value, at)
  else bytes.writeUInt32LE(value, at)
}

/**
 * Changes a few bytes, most of them near the beginning, where the headers are; sometimes cuts the file, patches a length or doubles a part.
 */
export function mutated(valid: Buffer, next: () => number): Buffer {
  const bytes = Buffer.from(valid)
  const below = (bound: number) => Math.floor(next() * bound)
  for (let count = 1 + below(8); count > 0; count--) {
    const reach = next() < 0.6 ? Math.min(128, bytes.length) : bytes.length
    bytes[Math.min(bytes.length - 1, keptBytes + below(reach))] = [0, 0x7f, 0x80, 0xff, below(256)][below(5)] ?? 0
  }
  const kind = next()
  if (kind < 0.1) return bytes.subarray(0, keptBytes + below(bytes.length - keptBytes))
  if (kind < 0.2) return Buffer.concat([bytes, bytes.subarray(below(bytes.length))])
  if (kind < 0.35) {
    patchLength(bytes, keptBytes + below(bytes.length), lengths[below(lengths.length)] ?? 0, next() < 0.5)
  } else if (kind < 0.5) {
    const from = keptBytes + below(bytes.length - keptBytes)
    const to = from + below(bytes.length - from)
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  }
  return bytes
}

const shiftedPatchwork = (shift: number) => (x: number, y: number) => patchwork(x + shift, y)
const animated = (shift: number) => animation([0, 1, 2].map((frame) => drawn(24, 18, shiftedPatchwork(frame + shift))))
const picture = (shift: number) => raw(drawn(40, 30, shiftedPatchwork(shift)))

/** The files to mutate: a valid file of each kind, a different one for each shift below 256. */
export const validFiles = {
  jpeg: (shift = 0) =>
    picture(shift)
      .withExif({ IFD0: { Copyright: 'x' } })
      .jpeg()
      .toBuffer(),
  png: (shift = 0) => picture(shift).png().toBuffer(),
  webp: (shift = 0) => picture(shift).webp().toBuffer(),
  'animated webp': (shift = 0) => animated(shift).webp().toBuffer(),
  gif: (shift = 0) => animated(shift).gif().toBuffer(),
  avif: (shift = 0) => picture(shift).avif({ effort: 0 }).toBuffer(),
} as const

export const validSvg = (shift = 0): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30"><defs><linearGradient id="a">` +
      `<stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>` +
      `<style>path{fill:none}</style><rect width="40" height="30" fill="url(#a)"/>` +
      `<path d="M0 0C10 10 20 20 40 30" stroke="#fff"/><text x="${4 + shift}" y="20">text</text></svg>`,
  )
