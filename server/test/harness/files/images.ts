// Small images of every kind, and ones whose headers lie.
import { crc32, deflateSync } from 'node:zlib'

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u16le = (value: number) => Buffer.from([value & 0xff, value >> 8])
const u24le = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16])

function pngChunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

/** A grey PNG; its header may name any size, but the data is that of one pixel. */
export function png(width: number, height: number, { frames }: { frames?: number } = {}): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])])),
    ...(frames === undefined ? [] : [pngChunk('acTL', Buffer.concat([u32(frames), u32(0)]))]),
    pngChunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG of exactly that many bytes, padded by a comment. */
export function pngOfBytes(length: number): Buffer {
  const plain = png(1, 1)
  const comment = pngChunk('tEXt', Buffer.alloc(length - plain.length - 12, 'x'))
  const end = plain.length - 12
  return Buffer.concat([plain.subarray(0, end), comment, plain.subarray(end)])
}

export function gif(width: number, height: number, frames = 1): Buffer {
  const image = Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0]),
    u16le(Math.min(width, 1)),
    u16le(Math.min(height, 1)),
    Buffer.from([0, 2, 2, 0x44, 0x01, 0]),
  ])
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    u16le(width),
    u16le(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => image),
    Buffer.from([0x3b]),
  ])
}

/** Only the headers, as a scanner sees them. */
export function jpegHeader(width: number, height: number): Buffer {
  const sides = Buffer.alloc(4)
  sides.writeUInt16BE(height, 0)
  sides.writeUInt16BE(width, 2)
  const application = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
  const frame = Buffer.concat([Buffer.from('ffc0000b08', 'hex'), sides, Buffer.from('01011100', 'hex')])
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    application,
    frame,
    Buffer.from('ffda0008010100003f0000ffd9', 'hex'),
  ])
}

function riff(...chunks: Buffer[]) {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, body])
}

function riffChunk(type: string, data: Buffer) {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)])
}

export const webpExtended = (width: number, height: number, frames = 0) =>
  riff(
    riffChunk('VP8X', Buffer.concat([Buffer.from([frames > 0 ? 2 : 0, 0, 0, 0]), u24le(width - 1), u24le(height - 1)])),
    ...Array.from({ length: frames }, () => riffChunk('ANMF', Buffer.alloc(16))),
  )

export const webpLossy = (width: number, height: number) =>
  riff(riffChunk('VP8 ', Buffer.concat([Buffer.from([0, 0, 0, 0x9d, 1, 0x2a]), u16le(width), u16le(height)])))

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content])
  return Buffer.concat([u32(body.length + 4), body])
}

export const avif = (width: number, height: number, frames = 1) =>
  Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
    box('meta', u32(0), box('iprp', box('ipco', box('ispe', u32(0), u32(width), u32(height))))),
    ...(frames === 1
      ? []
      : [box('moov', box('trak', box('mdia', box('minf', box('stbl', box('stsz', u32(0), u32(0), u32(frames)))))))]),
  ])

export const svg = (inside = '', attributes = 'width="24" height="24"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)
