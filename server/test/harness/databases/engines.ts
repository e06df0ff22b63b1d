// On which engines this run tests, as `npm test -- --engine=…` says.

/** Whether the tables of databases on PostgreSQL are distributed by Citus: `npm test -- --engine=citus`. */
export const isOnCitus = process.env['TEST_CITUS'] === '1'

/** Both engines, or the one that `npm test -- --engine=…` asks for. */
export const engines = (['sqlite', 'postgresql'] as const).filter(
  (engine) => (process.env['TEST_ENGINE'] ?? engine) === engine,
)

/** For tests that are not about their database: SQLite, unless `--engine` leaves it out. */
export const [anyEngine = 'sqlite'] = engines

/** Options of tests about SQLite, such as about its files. */
export const aboutSqlite = { skip: !engines.includes('sqlite') && 'is about SQLite, which --engine leaves out' }

/** Options of tests about a PostgreSQL of their own that holds all tables. */
export const aboutOnePostgresql = {
  skip: isOnCitus && 'is about a PostgreSQL that holds all tables; server/test/citus is about the servers of Citus',
}
