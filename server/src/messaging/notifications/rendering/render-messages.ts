// What passes between the service and the processes that render templates.
import type { RenderedTemplate } from '@bailiwick/contract'
import type { TemplatePart } from './limits.ts'
import type { MessageTemplate } from './render-message.ts'

export type RenderTask =
  | { readonly type: 'check'; readonly parts: Readonly<Partial<Record<TemplatePart, string>>> }
  | {
      readonly type: 'render'
      readonly template: MessageTemplate
      /** As JSON. */
      readonly variables: string
      /** As JSON: the variables to render the subject with once more, as it may be kept. */
      readonly shown: string | null
    }

export interface Problem {
  readonly part: TemplatePart | null
  readonly reason: string
}

export interface RenderedMessage extends RenderedTemplate {
  /** The subject of the variables that may be shown; null where none were given. */
  readonly shownSubject: string | null
}

export type RenderResult =
  | { readonly type: 'rendered'; readonly message: RenderedMessage }
  /** None for templates that could be read. */
  | { readonly type: 'problems'; readonly problems: readonly Problem[] }
  /** A bug of ours. */
  | { readonly type: 'failed'; readonly error: string }

/** What a process says, in this order: that it can take tasks; of each task, which part it begins with, and how it went. */
export type Report =
  | { readonly type: 'ready' }
  /** @property cpuMs is the processor's time that the process has taken since its start. */
  | { readonly type: 'begins'; readonly part: TemplatePart; readonly cpuMs: number }
  | { readonly type: 'done'; readonly result: RenderResult; readonly cpuMs: number }
