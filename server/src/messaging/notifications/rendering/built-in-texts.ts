// The service's own wording, which needs no other process to be read in: it is known to take no time, whatever it is told.
import { type DefaultMessageType, defaultMessage, defaultMessageTypes } from '../default-messages.ts'
import type { MessageTexts } from '../texts/en.ts'
import type { MessageTemplate } from './render-message.ts'

const known = new Set<string>()

function remember(template: MessageTemplate): MessageTemplate {
  known.add(template.subject ?? '').add(template.body)
  return template
}

for (const type of defaultMessageTypes) for (const channel of ['email', 'sms'] as const) builtInMessage(type, channel)

/** Returns the service's own template of a type in a language, English unless said. */
export function builtInMessage(
  type: DefaultMessageType,
  channelType: MessageTemplate['type'],
  texts?: MessageTexts,
): MessageTemplate {
  return remember(defaultMessage(type, channelType, texts))
}

/** Whether a subject or a body is the service's own; a tenant's template that says the same is as good. */
export const isBuiltIn = (text: string): boolean => known.has(text)
