// Seals a message's variables and content, because the codes and links in them are as sensitive as passwords.
import type { Sealer } from '../../../platform/crypto/sealed.ts'
import type { MessageRow } from '../message-queries.ts'
import { messages } from '../tables.ts'
import type { MessageVariables } from './queue-message.ts'

type Named = Pick<MessageRow, 'tenant_id' | 'id'>

/** The content of a message, including its code and link. */
export interface MessageContent {
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  readonly code: string | null
  readonly link: string | null
}

export const sealVariables = (sealer: Sealer, row: Named, variables: MessageVariables) =>
  sealer.seal(JSON.stringify(variables), messages.place('sealed_variables', row))

export const openVariables = (sealer: Sealer, row: Named, sealed: string) =>
  JSON.parse(sealer.open(sealed, messages.place('sealed_variables', row))) as MessageVariables

export const sealContent = (sealer: Sealer, row: Named, content: MessageContent) =>
  sealer.seal(JSON.stringify(content), messages.place('sealed_content', row))

export const openContent = (sealer: Sealer, row: Named, sealed: string) =>
  JSON.parse(sealer.open(sealed, messages.place('sealed_content', row))) as MessageContent
