// Two nodes of one deployment in the tests' process: on PostgreSQL each with connections, memory and rate limits of its own. A SQLite
// directory belongs to one process, so that both are the same node there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { pino } from 'pino'
import { followInvalidations } from '../../src/platform/cache/invalidation-feed.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { describeOnEachEngine } from '../harness/databases/databases.ts'
import { startServiceAt } from '../harness/people/sessions.ts'
import { type TestService, testEnv } from '../harness/service.ts'

export interface TwoNodes {
  readonly one: TestService
  readonly other: TestService
  /** The first, the second, and so on in turns. */
  readonly inTurn: (n: number) => TestService
  /** Advances the clocks of both. */
  readonly advance: (ms: number) => void
  /** From now on only `advance` makes time pass, however slow the machine is. */
  readonly stopClocks: () => void
}

const poolSize = 8
/**
 * The second one is ahead: clocks of two machines never agree, and two stopped clocks that agreed would make the same timestamps over and
 * over.
 */
const skewMs = 100

/** Defines the suite once for each engine. */
export function describeOnTwoNodes(
  title: string,
  suite: (nodes: () => TwoNodes) => void,
  env: NodeJS.ProcessEnv = testEnv,
): void {
  describeOnEachEngine(title, (open) => {
    const ends: (() => unknown)[] = []
    let nodes: TwoNodes | undefined
    let aheadMs = 0
    let stoppedAtMs: number | undefined

    before(async () => {
      const { database, engine, options } = await open()
      const dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-nodes-'))
      ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
      const start = async (isOther: boolean) => {
        const db = isOther && options.kind === 'postgresql' ? await openDatabase({ ...options, poolSize }) : database
        const nodeEnv = { ...env, BAILIWICK_DATA_DIR: dataDir }
        const service = await startServiceAt(
          db,
          () => (stoppedAtMs ?? Date.now()) + aheadMs + (isOther ? skewMs : 0),
          nodeEnv,
        )
        const stop = await followInvalidations(db, service.deps, pino({ level: 'silent' }))
        ends.unshift(
          () => service.app.close(),
          stop,
          () => (db === database ? undefined : db.close()),
        )
        return service
      }
      const one = await start(false)
      const other = engine === 'sqlite' ? one : await start(true)
      const advance = (ms: number) => {
        aheadMs += ms
      }
      const stopClocks = () => {
        stoppedAtMs ??= Date.now()
      }
      nodes = { one, other, inTurn: (n) => (n % 2 === 0 ? one : other), advance, stopClocks }
    })
    after(async () => {
      for (const end of ends) await end()
    })

    suite(() => {
      if (nodes === undefined) throw new Error('the nodes start before the tests, not before the suite')
      return nodes
    })
  })
}

/** The same browser in its present state, whose requests go to the given node. */
export function browserAt(node: TestService, browser: Browser): Browser {
  const copy = new Browser(node, browser.publicKey, browser.headers)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}
