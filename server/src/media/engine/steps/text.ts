import type { CreateText } from 'sharp'
import type { TextStep } from '../definition.ts'
import { type Frame, channels, frameOf, pipelineOf } from '../frame.ts'
import { ImageError } from '../image-error.ts'
import { sharp } from '../libvips.ts'
import { place } from '../place.ts'
import { rotate } from './orientation.ts'

const transparent = [0, 0, 0, 0] as const
const fontFamily = 'Inter'
/** One point is one pixel. */
const dotsPerInch = 72
/** Pango measures in 1024ths. */
const pango = (pixels: number) => Math.round(pixels * 1024)
/** Limits what is drawn before it is cut to the image: larger than any image, but still a fraction of a worker's memory. */
const drawnPixelsMax = 100_000_000
/** Inter's line height is 1.21 em; the widest glyphs are about one em. */
const lineEm = 1.25

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes the text for Pango's markup, whose parser also refuses control characters (XML 1.0 §2.2). */
export const escapeMarkup = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const tooLong = () => new ImageError('too_large', 'The text is too long for its size, its width or its spacing.')

/** Estimates an upper bound of the size of the drawn text. */
function drawnPixels({ text, fontSize, letterSpacing, lineHeight }: TextStep, wrapWidth: number): number {
  const advance = fontSize + Math.max(0, letterSpacing)
  // However narrow the box is, a line has at least one character.
  const lines = text
    .split(/\r\n?|\n/)
    .map(({ length }) => Math.min(length, Math.ceil((length * advance) / wrapWidth)) + 1)
  const count = lines.reduce((sum, each) => sum + each, 0)
  // A word longer than the line is broken, a single glyph is not.
  return Math.max(wrapWidth, advance) * count * fontSize * lineEm * Math.max(1, lineHeight)
}

function markup(step: TextStep): string {
  const attributes = [
    `size="${pango(step.fontSize)}"`,
    `weight="${step.fontWeight}"`,
    `style="${step.isItalic ? 'italic' : 'normal'}"`,
    `letter_spacing="${pango(step.letterSpacing)}"`,
    ...(step.lineHeight > 0 ? [`line_height="${step.lineHeight}"`] : []),
    ...(step.isUnderlined ? ['underline="single"'] : []),
  ]
  return `<span ${attributes.join(' ')}>${escapeMarkup(step.text)}</span>`
}

/** Returns how much of each pixel the letters cover, or undefined for text without visible parts. libvips' refusals have no codes. */
async function drawnMask(text: CreateText) {
  try {
    return await sharp({ text }).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.message.includes('no text to render')) return undefined
    // More than Cairo can hold in one direction.
    if (error.message.includes('(surface, pattern, etc.)')) throw tooLong()
    throw error
  }
}

const clipped = async (frame: Frame, width: number, height: number): Promise<Frame> => {
  const to = {
    width: Math.min(frame.width, width || frame.width),
    height: Math.min(frame.height, height || frame.height),
  }
  if (to.width === frame.width && to.height === frame.height) return frame
  return frameOf(pipelineOf(frame).extract({ left: 0, top: 0, ...to }))
}

/**
 * Draws the text on transparent ground, wrapped to its width or to the room that the image leaves.
 * @throws ImageError too_large
 */
export async function textOverlay(step: TextStep, imageWidth: number): Promise<Frame> {
  const { placement, color } = step
  const room = imageWidth - placement.padding.left - placement.padding.right
  const width = Math.max(1, step.width || room)
  if (drawnPixels(step, width) > drawnPixelsMax) {
    throw tooLong()
  }
  const align = placement.horizontal === 'center' ? 'centre' : placement.horizontal
  const text = { text: markup(step), font: fontFamily, dpi: dotsPerInch, width, wrap: 'word-char', align } as const
  const mask = await drawnMask({ ...text, justify: step.isJustified })
  if (mask === undefined) return { data: Buffer.alloc(channels), width: 1, height: 1 }
  const pixels = mask.info.width * mask.info.height
  const data = Buffer.alloc(pixels * channels)
  const [red, green, blue, alpha] = color
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * channels
    data[at] = red
    data[at + 1] = green
    data[at + 2] = blue
    data[at + 3] = Math.round(((mask.data[pixel * mask.info.channels] ?? 0) * alpha) / 255)
  }
  const drawn = { data, width: mask.info.width, height: mask.info.height }
  return rotate(await clipped(drawn, step.width, step.height), { degrees: step.degrees, background: transparent })
}

export const text = (frame: Frame, { placement }: TextStep, overlay: Frame) => place(frame, overlay, placement)
