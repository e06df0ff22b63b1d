// A service on a PostgreSQL database of its own, with a client of that database that explains what the service sends to it.
import { Client } from 'pg'
import { openDatabase } from '../../src/platform/db/open.ts'
import { newPostgresqlDatabase } from './databases/databases.ts'
import { recordStatements } from './databases/recorded-statements.ts'
import { startTestService } from './service.ts'

export type PlannedService = Awaited<ReturnType<typeof startPlannedService>>

export async function startPlannedService() {
  const { options, remove } = await newPostgresqlDatabase()
  const database = await openDatabase(options)
  const recording = recordStatements(database)
  const service = await startTestService(recording.database)
  const client = new Client(options.directUrl ?? options.url)
  await client.connect()
  return {
    service,
    recording,
    client,
    async stop() {
      await client.end()
      await service.app.close()
      await database.close()
      await remove()
    },
  }
}
