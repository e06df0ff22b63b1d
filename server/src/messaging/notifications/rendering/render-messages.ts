// The messages between the service and the processes that render templates.
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
      /** As JSON: the variables for a second rendering of the subject, in the form that may be stored. */
      readonly shown: string | null
    }

export interface Problem {
  readonly part: TemplatePart | null
  readonly reason: string
}

export interface RenderedMessage extends RenderedTemplate {
  /** The subject rendered with the variables that may be shown; null if none were given. */
  readonly shownSubject: string | null
}

export type RenderResult =
  | { readonly type: 'rendered'; readonly message: RenderedMessage }
  /** Empty if the template could be parsed. */
  | { readonly type: 'problems'; readonly problems: readonly Problem[] }
  /** A bug of ours. */
  | { readonly type: 'failed'; readonly error: string }

/** The reports of a process, in this order: it is ready for tasks; for each task, the part that it begins, and the result. */
export type Report =
  | { readonly type: 'ready' }
  /** @property cpuMs is the processor time that the process has used since its start. */
  | { readonly type: 'begins'; readonly part: TemplatePart; readonly cpuMs: number }
  | { readonly type: 'done'; readonly result: RenderResult; readonly cpuMs: number }
