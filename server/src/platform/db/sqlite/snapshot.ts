import type { Reader } from '../database.ts'
import { SqliteConnection } from './connection.ts'

/** Runs reads over a connection of its own that all see the same moment. */
export async function snapshotOf<T>(file: string, read: (reader: Reader) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(file, { readOnly: true })
  try {
    // The snapshot is taken at the first read, not at BEGIN.
    connection.execute('BEGIN')
    return await read({
      all: async (statement) => connection.all(statement),
      first: async (statement) => connection.first(statement),
    })
  } finally {
    connection.close()
  }
}
