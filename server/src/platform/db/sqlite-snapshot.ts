import type { Reader } from './database.ts'
import { SqliteConnection } from './sqlite-connection.ts'

/** Reads over a connection of its own, all of it as of one moment. */
export async function snapshotOf<T>(file: string, read: (reader: Reader) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(file, { readOnly: true })
  try {
    // The moment is that of the first read, not of BEGIN.
    connection.execute('BEGIN')
    return await read({
      all: async (statement) => connection.all(statement),
      first: async (statement) => connection.first(statement),
    })
  } finally {
    connection.close()
  }
}
