// A PostgreSQL of this test's own with a standby, reached by one address with two hosts.
import { Client } from 'pg'
import { type PrivatePostgres, standbyName, startPrivatePostgres } from '../../../scripts/private-postgres.ts'

export interface PostgresPair {
  readonly primary: PrivatePostgres
  readonly standby: PrivatePostgres
  /** The address with both hosts, the primary's first. */
  readonly url: string
  /** From now on, commits wait for the standby, or no longer do. */
  setSynchronous(isSynchronous: boolean): Promise<void>
  stop(): Promise<void>
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startPrivatePostgres()
  try {
    const standby = await primary.addStandby()
    return {
      primary,
      standby,
      url: severalHosts(primary.url, standby.url),
      async setSynchronous(isSynchronous) {
        await askServer(
          primary.url,
          `ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? standbyName : ''}'`,
        )
        await askServer(primary.url, 'SELECT pg_reload_conf()')
      },
      async stop() {
        await Promise.all([primary.stop(), standby.stop()])
      },
    }
  } catch (error) {
    await primary.stop()
    throw error
  }
}

/** One address of several servers; user and database are the first one's. */
export function severalHosts(...urls: readonly string[]): string {
  const [first = ''] = urls
  const places = urls.map((url) => {
    const { hostname, port, searchParams } = new URL(url)
    return { host: searchParams.get('host') ?? hostname, port }
  })
  const all = new URL(first)
  all.hostname = 'localhost'
  all.port = ''
  all.searchParams.set('host', places.map(({ host }) => host).join(','))
  all.searchParams.set('port', places.map(({ port }) => port || '5432').join(','))
  return all.href
}

type Row = Readonly<Record<string, unknown>>

/** Runs one statement over a connection of its own, beside those of the service. */
export async function askServer(url: string, statement: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<Row>(statement, [...values])
    return rows
  } finally {
    await client.end()
  }
}
