// What a definition delivers of a file, known before the image is made.
import { hash } from 'node:crypto'
import { fitInto } from '../engine/box.ts'
import { type ImageDefinition, type Plan, needsPixels, planImage } from '../engine/definition.ts'
import { type EncodedFormat, mediaTypes, negotiateFormat } from '../engine/formats.ts'
import type { SourceKind } from '../engine/source-kind.ts'
import type { ShownFileRow } from '../queries.ts'
import { folderOf } from '../remove-bytes.ts'
import { type StorageKey, storageKey } from '../storage/storage.ts'
import { type ImageHeaders, imageHeaders } from './image-headers.ts'

/** Incremented with each change of the engine that makes other pixels from the same definition. */
const engineVersion = 1

export interface ImageChoice {
  readonly file: ShownFileRow
  readonly plan: Plan
  readonly format: EncodedFormat
  /** A hash of the source's content and of all processing, in hexadecimal. */
  readonly digest: string
  /** Where the image is stored once it is made. */
  readonly key: StorageKey
  readonly isVector: boolean
  /** The headers that are the same in every answer. */
  readonly headers: ImageHeaders
}

/** Returns the choice for an Accept header, as `auto` requires. */
export type Chooser = (accept: string | undefined) => ImageChoice

export const kindOf = ({ mime }: Pick<ShownFileRow, 'mime'>): SourceKind => {
  const kind = Object.entries(mediaTypes).find(([, type]) => type === mime)?.[0]
  if (kind === undefined) throw new Error(`a file of a kind that is no image: ${mime}`)
  return kind as SourceKind
}

/** Makes the choice for each format only once. */
export function createChooser(file: ShownFileRow, definition: ImageDefinition): Chooser {
  const plan = planImage(definition)
  const kind = kindOf(file)
  const isVector = !needsPixels(plan, kind)
  const { scaled } = fitInto({ width: file.width ?? 1, height: file.height ?? 1 }, plan.box)
  const pixels = scaled.width * scaled.height
  const longerSide = Math.max(scaled.width, scaled.height)
  const source = { kind, isAnimated: file.frames > 1, needsPixels: !isVector, pixels, longerSide }
  const choices = new Map<EncodedFormat, ImageChoice>()

  function choose(format: EncodedFormat): ImageChoice {
    const content = isVector ? [file.sha256] : [engineVersion, file.sha256, plan, format]
    const digest = hash('sha256', JSON.stringify(content), 'hex')
    const key = storageKey(...folderOf(file.storage_key).split('/'), digest)
    const headers = imageHeaders(file, format, digest, plan.format === 'auto')
    return { file, plan, format, digest, key, isVector, headers }
  }

  return (accept) => {
    const format = plan.format === 'auto' ? negotiateFormat(accept, source) : plan.format
    let choice = choices.get(format)
    if (choice === undefined) {
      choice = choose(format)
      choices.set(format, choice)
    }
    return choice
  }
}
