// The processing steps of a transformation.
import type { Static, TProperties } from 'typebox'
import {
  nullableBoolean,
  nullableNumber,
  nullableOneOf,
  nullableText,
  object,
  oneOf,
  optional,
  text,
} from '../../schema.ts'
import { Type } from '../../type.ts'

export const resizeModes = ['minimum', 'maximum', 'stretch', 'crop'] as const
export type ResizeMode = (typeof resizeModes)[number]

/** libvips' VipsBlendMode, in sharp's spelling. */
export const blendModes = [
  'clear',
  'source',
  'over',
  'in',
  'out',
  'atop',
  'dest',
  'dest-over',
  'dest-in',
  'dest-out',
  'dest-atop',
  'xor',
  'add',
  'saturate',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'colour-dodge',
  'color-dodge',
  'colour-burn',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
] as const

const pixelsMax = 8192
const range = (minimum: number, maximum: number) => optional(nullableNumber({ minimum, maximum }))
const pixels = () => range(0, pixelsMax)
const offset = () => range(-pixelsMax, pixelsMax)
const angle = () => range(-360, 360)
const color = () => text({ format: 'image-color', maxLength: 200 })
const flag = () => optional(nullableBoolean())

const step = <const T extends string, P extends TProperties>(type: T, options: P) =>
  object({ type: oneOf([type]), options: object(options) })

const placement = {
  x: offset(),
  y: offset(),
  width: pixels(),
  height: pixels(),
  horizontalAlignment: optional(nullableOneOf(['left', 'center', 'right'])),
  verticalAlignment: optional(nullableOneOf(['top', 'center', 'bottom'])),
  paddingLeft: pixels(),
  paddingRight: pixels(),
  paddingTop: pixels(),
  paddingBottom: pixels(),
  repeat: flag(),
  opacity: range(0, 100),
  blendMode: optional(nullableOneOf(blendModes)),
}

const steps = [
  step('blur', { blurType: oneOf(['fast', 'manual']), strength: range(1, 100) }),
  step('brightness-hue-saturation-lightness', {
    brightness: range(-100, 100),
    hue: range(-180, 180),
    saturation: range(-100, 100),
    lightness: range(-100, 100),
  }),
  step('extend', { top: pixels(), bottom: pixels(), left: pixels(), right: pixels(), color: color() }),
  step('flip', {}),
  step('flush', {}),
  step('grayscale', {}),
  step('layer', {
    url: text({ minLength: 1, maxLength: 2048, format: 'layer-url' }),
    ...placement,
    resizeMode: optional(nullableOneOf(resizeModes)),
    rotation: angle(),
  }),
  step('negative', { negativeAlpha: flag() }),
  step('rotate', {
    type: oneOf(['auto', 'manual']),
    degrees: angle(),
    backgroundColor: optional(nullableText({ format: 'image-color', maxLength: 200 })),
  }),
  step('sharpen', { sharpenType: oneOf(['fast', 'manual']), strength: range(1, 100) }),
  step('text', {
    text: text({ minLength: 1, maxLength: 1000 }),
    color: color(),
    ...placement,
    fontSize: range(1, 1000),
    fontWeight: range(1, 1000),
    fontStyle: optional(nullableOneOf(['normal', 'italic'])),
    letterSpacing: range(-100, 1000),
    lineHeight: range(0, 100),
    underline: flag(),
    justify: flag(),
    rotate: angle(),
  }),
  step('tint', { color: color(), opacity: range(0, 100) }),
]

/** Each step is checked only against the rules of its own type, so that each problem is reported once and at its place. */
export const TransformationStep = Type.Unsafe<Static<(typeof steps)[number]>>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  oneOf: steps,
})
export type TransformationStep = Static<typeof TransformationStep>
