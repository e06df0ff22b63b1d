// The service's own wording. It needs no separate process, because it is known to take no time with any variables.
import { type DefaultMessageType, defaultMessage, defaultMessageTypes } from './default-messages.ts'
import type { MessageTexts } from './message-texts.ts'
import type { MessageTemplate } from './render-message.ts'

const known = new Set<string>()

function remember(template: MessageTemplate): MessageTemplate {
  known.add(template.subject ?? '').add(template.body)
  return template
}

for (const type of defaultMessageTypes) for (const channel of ['email', 'sms'] as const) builtInMessage(type, channel)

/** Returns the service's own template for a type in a language, by default English. */
export function builtInMessage(
  type: DefaultMessageType,
  channelType: MessageTemplate['type'],
  texts?: MessageTexts,
): MessageTemplate {
  return remember(defaultMessage(type, channelType, texts))
}

/** Whether a subject or body is the service's own wording; a tenant's template with the same text counts too. */
export const isBuiltIn = (text: string): boolean => known.has(text)
