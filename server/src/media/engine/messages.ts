// The messages between the service and its workers.
import type { ImageRequest, MadeImage } from './engine.ts'
import type { ImageErrorCode } from './image-error.ts'
import type { ImageInfo } from './source.ts'

/** Bytes, or a file that the worker reads itself, so that the service need not send it. */
export type ImageBytes = Uint8Array | { readonly path: string }

export type MakeOrder = Omit<ImageRequest, 'source' | 'layers'> & {
  readonly source: ImageBytes
  readonly layers: ReadonlyMap<string, ImageBytes>
}

/** An image whose bytes are fetched when its turn is near, so that waiting tasks hold none. */
export type DistantOrder = Omit<MakeOrder, 'source' | 'layers' | 'svgLayers'> & {
  readonly load: () => Promise<Pick<MakeOrder, 'source' | 'layers' | 'svgLayers'>>
  /** Identifies the source among those of its owner, so that a slow one is not tried again at once. */
  readonly sourceId?: string
}

export type WorkerTask =
  | { readonly type: 'inspect'; readonly source: ImageBytes; readonly isSvg: boolean }
  | ({ readonly type: 'make' } & MakeOrder)

export type WorkerResult =
  | { readonly type: 'info'; readonly info: ImageInfo }
  | { readonly type: 'image'; readonly image: MadeImage }
  | { readonly type: 'error'; readonly code: ImageErrorCode; readonly message: string }

export interface WorkerAnswer {
  readonly result: WorkerResult
  /** The memory that the worker holds afterwards, in bytes. */
  readonly residentBytes: number
}

/** The answer as sent through the channel: the bytes of an image may be in the shared file. */
export type SentAnswer = Omit<WorkerAnswer, 'result'> & {
  readonly result:
    | WorkerResult
    | { readonly type: 'handed over'; readonly image: Omit<MadeImage, 'data'>; readonly length: number }
}

/** The file descriptor of the shared file in a worker. */
export const handoverFile = 4

/** The exit status of a worker that has exceeded its memory; nothing else uses it. */
export const exitOutOfMemory = 87

/** Returns how many bytes a task sends through the channel. */
export function bytesOf(task: WorkerTask): number {
  const sources = task.type === 'make' ? [task.source, ...task.layers.values()] : [task.source]
  return sources.reduce((sum, source) => sum + (source instanceof Uint8Array ? source.length : 0), 0)
}
