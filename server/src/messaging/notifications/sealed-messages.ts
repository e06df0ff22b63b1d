// What a message is told and says, sealed: codes and links in it are as good as passwords.
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { MessageRow } from './message-queries.ts'
import type { MessageVariables } from './queue-message.ts'

type Named = Pick<MessageRow, 'tenant_id' | 'id'>

/** What was said, with the code and link in it. */
export interface MessageContent {
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  readonly code: string | null
  readonly link: string | null
}

const rowOf = ({ tenant_id, id }: Named, column: 'variables' | 'content') => `messages:${tenant_id}:${id}:${column}`

export const sealVariables = (sealer: Sealer, row: Named, variables: MessageVariables) =>
  sealer.seal(JSON.stringify(variables), rowOf(row, 'variables'))

export const openVariables = (sealer: Sealer, row: Named, sealed: string) =>
  JSON.parse(sealer.open(sealed, rowOf(row, 'variables'))) as MessageVariables

export const sealContent = (sealer: Sealer, row: Named, content: MessageContent) =>
  sealer.seal(JSON.stringify(content), rowOf(row, 'content'))

export const openContent = (sealer: Sealer, row: Named, sealed: string) =>
  JSON.parse(sealer.open(sealed, rowOf(row, 'content'))) as MessageContent
