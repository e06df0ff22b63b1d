// What every service beside us offers: a process, and the requests of the journeys that it has.
import type { HttpConnection } from '../load/http-connection.ts'

export const journeyNames = [
  'sign-up',
  'sign-in',
  'session check',
  'list of 20',
  'client credentials, JWT',
  'client credentials, opaque',
  'code to tokens',
] as const
export type JourneyName = (typeof journeyNames)[number]

/** Makes so many requests; whatever they need, such as a code, is made before they are measured. */
export type Journey = (count: number, open: readonly HttpConnection[]) => Promise<Buffer[]>

export interface Peer {
  readonly title: string
  readonly store: string
  /** The process of the server, whose children count too. */
  readonly pid: number
  readonly port: number
  /** Whether its database is on the PostgreSQL of the run. */
  readonly usesPostgres: boolean
  readonly journeys: Readonly<Partial<Record<JourneyName, Journey>>>
  stop(): Promise<void>
}

/** A journey whose requests are made one by one. */
export const each =
  (next: () => Buffer): Journey =>
  async (count) =>
    Array.from({ length: count }, next)
