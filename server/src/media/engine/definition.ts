// A transformation's definition as complete plain data: colours parsed, defaults filled in, whole pixels.
import {
  type Rgba,
  parseImageColor,
  type OutputFormat,
  type ResizeMode,
  type TransformationStep,
  type WriteTransformation,
} from '@bailiwick/contract'
import type { Box } from './box.ts'
import type { Encoding } from './formats.ts'
import { ImageError } from './image-error.ts'
import type { SourceKind } from './source-kind.ts'

export type ImageDefinition = Pick<
  WriteTransformation,
  'outputFormat' | 'outputQuality' | 'outputCompression' | 'outputWidth' | 'outputHeight' | 'outputResizeMode' | 'steps'
>

type Options<Type extends TransformationStep['type']> = Extract<TransformationStep, { type: Type }>['options']

/** Where something is drawn on an image, and how it is blended with it. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly horizontal: 'left' | 'center' | 'right'
  readonly vertical: 'top' | 'center' | 'bottom'
  readonly padding: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  readonly repeat: boolean
  /** 0 to 1. */
  readonly opacity: number
  readonly blend: NonNullable<Options<'layer'>['blendMode']>
}

export interface LayerStep {
  readonly type: 'layer'
  readonly url: string
  readonly box: Box
  readonly degrees: number
  readonly placement: Placement
}

export interface TextStep {
  readonly type: 'text'
  readonly text: string
  readonly color: Rgba
  /** 0 means as wide as the image leaves room for, and as high as the text. */
  readonly width: number
  readonly height: number
  readonly fontSize: number
  readonly fontWeight: number
  readonly isItalic: boolean
  readonly letterSpacing: number
  /** A multiple of the font's own value; 0 means the font's own. */
  readonly lineHeight: number
  readonly isUnderlined: boolean
  readonly isJustified: boolean
  readonly degrees: number
  readonly placement: Placement
}

export type PlanStep =
  | { readonly type: 'blur'; readonly isFast: boolean; readonly sigma: number }
  | {
      readonly type: 'modulate'
      readonly brightness: number
      readonly saturation: number
      readonly hue: number
      readonly lightness: number
    }
  | {
      readonly type: 'extend'
      readonly top: number
      readonly bottom: number
      readonly left: number
      readonly right: number
      readonly color: Rgba
    }
  | { readonly type: 'flip' }
  | { readonly type: 'flush' }
  | { readonly type: 'grayscale' }
  | { readonly type: 'negative'; readonly withAlpha: boolean }
  | { readonly type: 'rotate'; readonly degrees: number; readonly background: Rgba }
  | { readonly type: 'sharpen'; readonly isFast: boolean; readonly strength: number }
  | { readonly type: 'tint'; readonly color: Rgba; readonly opacity: number }
  | LayerStep
  | TextStep

export interface Plan {
  readonly format: OutputFormat
  readonly encoding: Encoding
  readonly box: Box
  readonly steps: readonly PlanStep[]
}

const fontSizeDefault = 32
const fontWeightDefault = 400

const pixels = (value: number | null | undefined) => Math.round(value ?? 0)
const share = (value: number | null | undefined) => (value ?? 100) / 100

function colorOf(text: string): Rgba {
  const color = parseImageColor(text)
  // The contract refuses such a definition before it is stored.
  if (color === undefined) throw new ImageError('engine_failure', `not a colour: ${text}`)
  return color
}

const placementOf = (options: Options<'layer'> | Options<'text'>): Placement => ({
  x: pixels(options.x),
  y: pixels(options.y),
  horizontal: options.horizontalAlignment ?? 'left',
  vertical: options.verticalAlignment ?? 'top',
  padding: {
    left: pixels(options.paddingLeft),
    right: pixels(options.paddingRight),
    top: pixels(options.paddingTop),
    bottom: pixels(options.paddingBottom),
  },
  repeat: options.repeat ?? false,
  opacity: share(options.opacity),
  blend: options.blendMode ?? 'over',
})

const layerStep = (options: Options<'layer'>): LayerStep => ({
  type: 'layer',
  url: options.url,
  box: {
    width: pixels(options.width),
    height: pixels(options.height),
    mode: (options.resizeMode ?? 'maximum') satisfies ResizeMode,
  },
  degrees: options.rotation ?? 0,
  placement: placementOf(options),
})

const textStep = (options: Options<'text'>): TextStep => ({
  type: 'text',
  text: options.text,
  color: colorOf(options.color),
  width: pixels(options.width),
  height: pixels(options.height),
  fontSize: options.fontSize ?? fontSizeDefault,
  fontWeight: Math.round(options.fontWeight ?? fontWeightDefault),
  isItalic: options.fontStyle === 'italic',
  letterSpacing: options.letterSpacing ?? 0,
  lineHeight: options.lineHeight ?? 0,
  isUnderlined: options.underline ?? false,
  isJustified: options.justify ?? false,
  degrees: options.rotate ?? 0,
  placement: placementOf(options),
})

function planStep({ type, options }: TransformationStep): PlanStep {
  switch (type) {
    case 'blur':
      return { type, isFast: options.blurType === 'fast', sigma: options.strength ?? 1 }
    case 'brightness-hue-saturation-lightness':
      return {
        type: 'modulate',
        brightness: 1 + (options.brightness ?? 0) / 100,
        saturation: 1 + (options.saturation ?? 0) / 100,
        hue: Math.round(options.hue ?? 0),
        lightness: options.lightness ?? 0,
      }
    case 'extend':
      return {
        type,
        top: pixels(options.top),
        bottom: pixels(options.bottom),
        left: pixels(options.left),
        right: pixels(options.right),
        color: colorOf(options.color),
      }
    case 'flip':
    case 'flush':
    case 'grayscale':
      return { type }
    case 'layer':
      return layerStep(options)
    case 'negative':
      return { type, withAlpha: options.negativeAlpha ?? false }
    case 'rotate': {
      // An image is upright before the first step, so `auto` has nothing to do.
      const background = colorOf(options.backgroundColor ?? 'transparent')
      return { type, degrees: options.type === 'auto' ? 0 : (options.degrees ?? 0), background }
    }
    case 'sharpen':
      return { type, isFast: options.sharpenType === 'fast', strength: options.strength ?? 1 }
    case 'text':
      return textStep(options)
    case 'tint':
      return { type, color: colorOf(options.color), opacity: share(options.opacity) }
  }
}

/** Converts a definition that the contract has accepted into the engine's plan. */
export const planImage = (definition: ImageDefinition): Plan => ({
  format: definition.outputFormat,
  encoding: { quality: definition.outputQuality, compression: definition.outputCompression },
  box: { width: definition.outputWidth, height: definition.outputHeight, mode: definition.outputResizeMode },
  steps: definition.steps.map(planStep),
})

/** Returns the addresses whose bytes the caller must fetch, each once. */
export const layerUrls = (plan: Plan): string[] => [
  ...new Set(plan.steps.flatMap((step) => (step.type === 'layer' ? [step.url] : []))),
]

/** Whether the image must be decoded. A vector that stays a vector need not be: browsers scale it, so its size does not matter. */
export const needsPixels = (plan: Plan, source: SourceKind): boolean =>
  source !== 'svg' || plan.steps.length > 0 || (plan.format !== 'svg' && plan.format !== 'auto')
