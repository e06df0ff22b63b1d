export type { Groups, List, ListPage } from './calls/groups.ts'
export { Bailiwick, type BailiwickOptions, createClient } from './client.ts'
export type { Credential } from './credential.ts'
export {
  BailiwickError,
  type BailiwickErrorCode,
  type BailiwickErrorDetails,
  type ClientErrorCode,
  isBailiwickError,
} from './errors.ts'
export type { StreamedEvent } from './transport/event-stream.ts'
export type { EventData, EventOf, EventType, EventsByType, KnownEvent } from './events.gen.ts'
export type { CallOptions, InputOf, OperationOf, OperationTable, Operations, Pages } from './operation.ts'
export type { Fetch } from './transport/transport.ts'
