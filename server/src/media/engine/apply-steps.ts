// Applies the steps in the given order, each to the result of the one before.
import { setImmediate } from 'node:timers/promises'
import type { LayerStep, PlanStep, TextStep } from './definition.ts'
import type { Frame } from './frame.ts'
import { ImageError } from './image-error.ts'
import { blur } from './steps/blur.ts'
import { grayscale, modulate, negative } from './steps/colours.ts'
import { extend } from './steps/extend.ts'
import { layer, layerOverlay } from './steps/layer.ts'
import { flip, flush, rotate } from './steps/orientation.ts'
import { sharpen } from './steps/sharpen.ts'
import { text, textOverlay } from './steps/text.ts'
import { tint } from './steps/tint.ts'

/** The overlays, by the address of their layer. */
export type LayerBytes = ReadonlyMap<string, Buffer>

/** Shared by the frames of one image, so that an overlay is drawn only once. */
export class StepRun {
  readonly #layers: LayerBytes
  readonly #svgLayers: ReadonlySet<string>
  readonly #overlays = new Map<PlanStep, Promise<Frame>>()

  constructor(layers: LayerBytes, svgLayers: ReadonlySet<string> = new Set()) {
    this.#layers = layers
    this.#svgLayers = svgLayers
  }

  /** @throws ImageError */
  async apply(frame: Frame, steps: readonly PlanStep[]): Promise<Frame> {
    let current = frame
    for (const step of steps) {
      current = await this.#step(current, step)
      // Steps computed here block the thread; between them the memory check needs a chance to run.
      await setImmediate()
    }
    return current
  }

  async #step(frame: Frame, step: PlanStep): Promise<Frame> {
    switch (step.type) {
      case 'blur':
        return blur(frame, step)
      case 'modulate':
        return modulate(frame, step)
      case 'extend':
        return extend(frame, step)
      case 'flip':
        return flip(frame)
      case 'flush':
        return flush(frame)
      case 'grayscale':
        return grayscale(frame)
      case 'layer':
        return layer(frame, step, await this.#overlay(step, () => this.#layerOverlay(step)))
      case 'negative':
        return negative(frame, step)
      case 'rotate':
        return rotate(frame, step)
      case 'sharpen':
        return sharpen(frame, step)
      case 'text':
        return text(frame, step, await this.#overlay(step, () => textOverlay(step, frame.width)))
      case 'tint':
        return tint(frame, step)
    }
  }

  #overlay(step: LayerStep | TextStep, draw: () => Promise<Frame>): Promise<Frame> {
    const known = this.#overlays.get(step)
    if (known !== undefined) return known
    const drawn = draw()
    this.#overlays.set(step, drawn)
    return drawn
  }

  async #layerOverlay(step: LayerStep): Promise<Frame> {
    const bytes = this.#layers.get(step.url)
    if (bytes === undefined) throw new ImageError('engine_failure', 'the bytes of a layer were not given')
    return layerOverlay(step, bytes, this.#svgLayers.has(step.url))
  }
}
