// The suites that run on one of the two engines, each with its reason. Everything else that opens a database runs on both. Those in a
// browser run on both with `--each-engine`.
import type { EngineName } from '../../../src/platform/db/database.ts'
import { type Define, describeOnEngines, engines } from './databases.ts'

interface OnOneEngine {
  /** The engine, unless `--engine` asks for the other. Both take their turn. */
  readonly engine: EngineName
  readonly reason: string
}

const seenInBrowser =
  'A page looks and works the same in a browser with either database behind it. The requests that it causes are sent on both engines by ' +
  'the tests beside the features and by server/test/matrix.'
const combined =
  'The combinations differ in what is decided in memory. Each of their requests is also sent on both engines, in the tests of prompts, ' +
  'consents and sessions beside this one.'
const decidedInMemory =
  'Whether rights are enough is decided in memory. Every operation runs on both engines in every-operation.test.ts, and so do the tests of ' +
  'what is read to decide it: those beside API keys, members and sessions, and the suites with every right and with none.'
const refusedBefore = 'Each request is refused, or answered from memory, before any database is asked.'

/** By the title of the suite. */
const suites = {
  // server/test/browser
  'bailiwick types': {
    engine: 'sqlite',
    reason: 'The compiler decides; what the command reads is read on both engines by the tests of roles and claims.',
  },
  'bailiwick init': {
    engine: 'sqlite',
    reason: 'It edits files, and calls operations that run on both engines in every-operation.test.ts.',
  },
  'the pages of an account': { engine: 'sqlite', reason: seenInBrowser },
  'the pages about organizations': { engine: 'postgresql', reason: seenInBrowser },
  'the hosted pages': { engine: 'postgresql', reason: seenInBrowser },
  'the hosted pages, by keyboard': { engine: 'sqlite', reason: seenInBrowser },
  'applications in a browser': { engine: 'sqlite', reason: seenInBrowser },
  'second factors in a browser': { engine: 'sqlite', reason: seenInBrowser },
  'passkeys in a browser': { engine: 'postgresql', reason: seenInBrowser },
  'the widget of a provider of puzzles': { engine: 'sqlite', reason: seenInBrowser },
  'the set-up pages in a browser': { engine: 'sqlite', reason: seenInBrowser },
  'a SAML provider in a browser': { engine: 'sqlite', reason: seenInBrowser },
  'the console': { engine: 'postgresql', reason: seenInBrowser },
  'the console with hostile data': { engine: 'sqlite', reason: seenInBrowser },
  'the console, from the first tenant on': { engine: 'sqlite', reason: seenInBrowser },
  'the screens of applications in the console': { engine: 'postgresql', reason: seenInBrowser },
  'the archive of a tenant in the console': { engine: 'sqlite', reason: seenInBrowser },
  'the settings of a tenant in the console': { engine: 'sqlite', reason: seenInBrowser },
  'the tasks of the console': { engine: 'sqlite', reason: seenInBrowser },
  'the screens of what a tenant sends, stores and remembers': { engine: 'postgresql', reason: seenInBrowser },
  'the message inbox': { engine: 'sqlite', reason: seenInBrowser },
  'the documentation in a browser': { engine: 'postgresql', reason: seenInBrowser },
  // react/test
  'the components': { engine: 'sqlite', reason: seenInBrowser },
  'the components within a page': { engine: 'sqlite', reason: seenInBrowser },
  // server/test/matrix
  'an API key': { engine: 'sqlite', reason: decidedInMemory },
  'a console user': { engine: 'postgresql', reason: decidedInMemory },
  'every operation, called without a valid credential': { engine: 'sqlite', reason: decidedInMemory },
  'junk in bodies': { engine: 'sqlite', reason: refusedBefore },
  'properties that a body does not declare': { engine: 'sqlite', reason: refusedBefore },
  'undeclared methods': { engine: 'sqlite', reason: refusedBefore },
  'spellings of paths': { engine: 'sqlite', reason: refusedBefore },
  'a request of the frontend interface': { engine: 'sqlite', reason: refusedBefore },
  // server/src/pages
  'every combination of what an authorization request asks for': { engine: 'sqlite', reason: combined },
  'GET /console': { engine: 'sqlite', reason: refusedBefore },
  'GET /docs': { engine: 'sqlite', reason: refusedBefore },
  'the language of the hosted pages': { engine: 'sqlite', reason: seenInBrowser },
  'the limits of the hosted pages': { engine: 'sqlite', reason: 'The limits are counted in memory.' },
} as const satisfies Readonly<Record<string, OnOneEngine>>

export type SuiteOnOneEngine = keyof typeof suites

export const suitesOnOneEngine: readonly string[] = Object.keys(suites)

/** Returns the engine on which the suite runs: the listed one, or the other if `npm test -- --engine=…` leaves the listed one out. */
export function engineOf(suite: SuiteOnOneEngine): EngineName {
  const { engine } = suites[suite]
  return engines.find((name) => name === engine) ?? engines[0] ?? engine
}

/** The workflows, whose machines have more cores, walk through what people see on both engines. */
const isOnEach = (suite: SuiteOnOneEngine) =>
  process.env['TEST_EACH_ENGINE'] === '1' && suites[suite].reason === seenInBrowser

/** Defines a listed suite, for its one engine or, with `--each-engine`, for both. `open` returns an empty, migrated database, which is removed after the suite. */
export const describeOnOneEngine = (suite: SuiteOnOneEngine, define: Define): void =>
  describeOnEngines(isOnEach(suite) ? engines : [engineOf(suite)], suite, define)
