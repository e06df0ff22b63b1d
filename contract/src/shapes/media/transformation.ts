import type { Static } from 'typebox'
import {
  anyJson,
  array,
  id,
  integer,
  nullableText,
  number,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { resizeModes, TransformationStep } from './transformation-step.ts'

export const outputFormats = ['auto', 'jpeg', 'webp', 'avif', 'png', 'svg', 'gif'] as const
export type OutputFormat = (typeof outputFormats)[number]

export const stepsMax = 16

/** A named way to change pictures. */
export const Transformation = object({
  id: text(),
  tenantId: text(),
  name: text(),
  description: nullableText(),
  outputFormat: oneOf(outputFormats),
  outputQuality: number(),
  outputCompression: number(),
  outputWidth: number(),
  outputHeight: number(),
  outputResizeMode: oneOf(resizeModes),
  steps: anyJson({ description: 'The steps in the order in which they are applied' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Transformation = Static<typeof Transformation>

/** Width and height in pixels, 0 = from the source; quality and compression are 0 to 100. */
const definition = {
  description: optional(nullableText({ maxLength: 1000 })),
  outputFormat: oneOf(outputFormats),
  outputQuality: number({ minimum: 0, maximum: 100 }),
  outputCompression: number({ minimum: 0, maximum: 100 }),
  outputWidth: integer({ minimum: 0, maximum: 8192 }),
  outputHeight: integer({ minimum: 0, maximum: 8192 }),
  outputResizeMode: oneOf(resizeModes),
  steps: array(TransformationStep, { maxItems: stepsMax }),
}
const name = () => text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })

/** What a transformation consists of. */
export const WriteTransformation = object({ tenantId: id(), name: name(), ...definition })
export type WriteTransformation = Static<typeof WriteTransformation>

/** A definition that is not stored, so its name has no effect, and the file to try it on. */
export const PreviewTransformation = object({
  tenantId: id(),
  fileId: id(),
  name: optional(name()),
  ...definition,
})
export type PreviewTransformation = Static<typeof PreviewTransformation>
