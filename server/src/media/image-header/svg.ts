// Parses only as much XML as is needed to recognise SVG and its stated size; the sanitiser reads the rest.
import { isUtf8 } from 'node:buffer'
import type { ReadHeader } from './bytes.ts'

const startTagLengthMax = 16_384
const prologLengthMax = 65_536
const lengthPattern = /^\s*\+?(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:px)?\s*$/i

/** Returns where the root element starts, after declaration, comments and a document type without entities of its own. */
function rootStart(text: string): number {
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < prologLengthMax) {
    while (at < prologLengthMax && /\s/.test(text.charAt(at))) at++
    const end = text.startsWith('<?', at)
      ? text.indexOf('?>', at) + 2
      : text.startsWith('<!--', at)
        ? text.indexOf('-->', at) + 3
        : /^<!DOCTYPE\s[^[<>]*>/i.test(text.slice(at, at + 1024))
          ? text.indexOf('>', at) + 1
          : at
    if (end === at) return at
    if (end < at) return -1
    at = end
  }
  return -1
}

const attributes = {
  viewBox: /\sviewBox\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/,
  width: /\swidth\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/,
  height: /\sheight\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/,
} as const
const attribute = (tag: string, name: keyof typeof attributes) => attributes[name].exec(tag)?.slice(1).find(Boolean)

const lengthOf = (text: string | undefined) => Number(lengthPattern.exec(text ?? '')?.[1] ?? Number.NaN)

/** Returns the stated sides; a missing one follows from the other by the view box's ratio (CSS Images 3 §5.3). */
function sizeOf(width: number, height: number, [boxWidth, boxHeight]: readonly [number, number]) {
  const ratio = boxWidth / boxHeight
  if (width > 0) return [width, height > 0 ? height : width / ratio]
  return height > 0 ? [height * ratio, height] : [boxWidth, boxHeight]
}

const whole = (side: number | undefined) => (side !== undefined && side > 0 ? Math.max(1, Math.round(side)) : null)

export const readSvg: ReadHeader = (bytes) => {
  const first = bytes[0]
  // XML in UTF-8 begins with one of these, so everything else skips the further checks.
  if (first === undefined || ![0x3c, 0xef, 0x20, 0x09, 0x0a, 0x0d].includes(first) || !isUtf8(bytes)) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2 * prologLengthMax)).toString('utf8')
  const start = rootStart(text)
  if (start < 0) return undefined
  const root = text.slice(start, start + startTagLengthMax)
  if (!/^<(?:[a-z]\w{0,19}:)?svg[\s/>]/i.test(root)) return undefined
  const tag = root.slice(0, (root.indexOf('>') + 1 || root.length + 1) - 1)
  const [, , boxWidth, boxHeight] = (attribute(tag, 'viewBox') ?? '').trim().split(/[\s,]+/)
  const box = [lengthOf(boxWidth), lengthOf(boxHeight)] as const
  const [width, height] = sizeOf(lengthOf(attribute(tag, 'width')), lengthOf(attribute(tag, 'height')), box)
  return { width: whole(width), height: whole(height), frames: 1 }
}
