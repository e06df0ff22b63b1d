// Renders a message from a template and variables.
import type { ChannelType, RenderedTemplate } from '@bailiwick/contract'
import { headerText } from './header-text.ts'
import { outputLimit, type TemplatePart } from './limits.ts'
import { renderLiquid } from './liquid.ts'
import { plainText } from './plain-text.ts'

/** The parts of a template that become the message. */
export interface MessageTemplate {
  readonly type: ChannelType
  readonly subject: string | null
  readonly body: string
}

/** @throws TemplateError */
export function renderSubject({ type, subject }: MessageTemplate, variables: object): string | null {
  if (subject === null) return null
  const limit = outputLimit(type, 'subject')
  return headerText(renderLiquid({ part: 'subject', text: subject, escape: false, limit }, variables))
}

/** @throws TemplateError */
function renderBody({ type, body }: MessageTemplate, variables: object): Pick<RenderedTemplate, 'html' | 'text'> {
  const said = renderLiquid(
    { part: 'body', text: body, escape: type === 'email', limit: outputLimit(type, 'body') },
    variables,
  )
  return type === 'email' ? { html: said, text: plainText(said) } : { html: null, text: said }
}

/**
 * @param begin is called before each part is rendered.
 * @throws TemplateError
 */
export function renderMessage(
  template: MessageTemplate,
  variables: object,
  begin: (part: TemplatePart) => void = () => {},
): RenderedTemplate {
  begin('subject')
  const subject = renderSubject(template, variables)
  begin('body')
  return { subject, ...renderBody(template, variables) }
}
