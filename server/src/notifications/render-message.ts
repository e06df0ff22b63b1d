// From a template and variables to a message.
import type { ChannelType, RenderedTemplate } from '@bailiwick/contract'
import { headerText } from './header-text.ts'
import { renderLiquid } from './liquid.ts'
import { plainText } from './plain-text.ts'

/** The parts of a template that make the message. */
export interface MessageTemplate {
  readonly type: ChannelType
  readonly subject: string | null
  readonly body: string
}

/** @throws TemplateError */
export function renderMessage({ type, subject, body }: MessageTemplate, variables: object): RenderedTemplate {
  const line = subject === null ? null : headerText(renderLiquid(subject, variables, { escape: false }))
  if (type !== 'email') return { subject: line, html: null, text: renderLiquid(body, variables, { escape: false }) }
  const html = renderLiquid(body, variables, { escape: true })
  return { subject: line, html, text: plainText(html) }
}
