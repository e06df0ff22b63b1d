// The database statements of a request, as text: two requests with the same statements take equally long, whatever the machine is doing.
import type { Database, Transaction, WriteContext } from '../../../src/platform/db/database.ts'
import type { OpenDatabase } from '../../../src/platform/db/open.ts'
import type { Statement } from '../../../src/platform/db/sql.ts'

type Recorder = (line: string, statement?: Statement) => void
type Call = (...args: unknown[]) => unknown

/**
 * The same object, with some of its methods observed. Private fields still work, because the other methods are called on the object itself.
 */
function seen<T extends object>(target: T, methods: Partial<Record<keyof T, Call>>): T {
  return new Proxy(target, {
    get(object, name) {
      const replaced = methods[name as keyof T]
      if (replaced !== undefined) return replaced
      const value: unknown = Reflect.get(object, name, object)
      return typeof value === 'function' ? (value as Call).bind(object) : value
    },
  })
}

const textOf = ({ postgresqlText }: Statement) => postgresqlText.replaceAll(/\s+/g, ' ')

const seenTransaction = (tx: Transaction, record: Recorder): Transaction =>
  seen(tx, {
    ...Object.fromEntries(
      (['all', 'first', 'run'] as const).map((name) => [
        name,
        (statement: unknown) => {
          record(`  ${textOf(statement as Statement)}`, statement as Statement)
          return tx[name](statement as Statement)
        },
      ]),
    ),
    runAll: (statements: unknown) => {
      for (const each of statements as Statement[]) record(`  ${textOf(each)}`, each)
      return tx.runAll(statements as Statement[])
    },
    runLast: (statements: unknown) => {
      for (const each of statements as Statement[]) record(`  ${textOf(each)}`, each)
      return tx.runLast(statements as Statement[])
    },
  })

/** A database whose statements are recorded while `recorded` runs something. */
export function recordStatements(database: OpenDatabase) {
  let lines: string[] = []
  let statements: Statement[] = []
  const record: Recorder = (line, statement) => {
    lines.push(line)
    if (statement !== undefined) statements.push(statement)
  }
  const read = (name: 'all' | 'first') => (statement: unknown) => {
    record(textOf(statement as Statement), statement as Statement)
    return database[name](statement as Statement)
  }
  const observed = seen(database, {
    all: read('all'),
    first: read('first'),
    transaction: (body: unknown) => {
      record('BEGIN')
      return database.transaction((tx) => (body as Parameters<Database['transaction']>[0])(seenTransaction(tx, record)))
    },
    write: (build: unknown) => {
      record('WRITE')
      return database.write((context: WriteContext) => {
        const built = (build as (of: WriteContext) => readonly Statement[])(context)
        for (const each of built) record(`  ${textOf(each)}`, each)
        return built
      })
    },
  })
  return {
    database: observed,
    /** Returns the statements that `run` causes, in order, with their values. */
    captured: async (run: () => Promise<unknown>): Promise<readonly Statement[]> => {
      statements = []
      await run()
      return statements
    },
    /** Returns the texts of the statements that `run` causes, in order. */
    recorded: async (run: () => Promise<unknown>): Promise<string[]> => {
      lines = []
      await run()
      const recorded = lines
      lines = []
      return recorded
    },
  }
}
