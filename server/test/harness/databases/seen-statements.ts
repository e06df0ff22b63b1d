// Every statement that this process sends to one PostgreSQL database, by its text, with the values it was sent with first.
import { Client } from 'pg'

export interface SeenStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

type Query = (this: Client, ...given: unknown[]) => unknown

/** Records what is sent until `stop` is called. */
export function seeStatements(database: string): { readonly seen: Map<string, SeenStatement>; stop(): void } {
  const seen = new Map<string, SeenStatement>()
  // The types of pg have an overload for each way to call it, none of which takes any arguments.
  const { prototype } = Client as unknown as { prototype: { query: Query } }
  const original = prototype.query
  prototype.query = function query(...given) {
    const [config, values] = given
    const { text, values: own } =
      typeof config === 'string' ? { text: config, values: undefined } : (config as Partial<SeenStatement>)
    if (text !== undefined && this.database === database && !seen.has(text)) {
      seen.set(text, { text, values: own ?? (Array.isArray(values) ? (values as unknown[]) : []) })
    }
    return original.apply(this, given)
  }
  return { seen, stop: () => void (prototype.query = original) }
}
