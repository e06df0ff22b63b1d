// The section of RESULTS.md about the services beside us: requests of a second of one core, and what they are made of.
import type { RunDescription } from '../report.ts'
import type { RequestTime } from '../servers/processor-time.ts'
import { type JourneyName, journeyNames } from './peer.ts'

export interface PeerFigures {
  readonly title: string
  readonly store: string
  readonly idleMegabytes: number
  readonly loadedMegabytes: number
  readonly journeys: Readonly<Partial<Record<JourneyName, RequestTime>>>
}

const peersHeading = '## Beside other services'

/** Three significant digits, with commas. */
const rounded = (value: number) => Number(value.toPrecision(3)).toLocaleString('en')

const perCore = ({ service, database }: RequestTime) => rounded(1e6 / (service + database))
const parts = ({ service, database }: RequestTime) =>
  database === 0 ? rounded(service) : `${rounded(service)} + ${rounded(database)}`

function table(
  figures: readonly PeerFigures[],
  write: (journey: RequestTime) => string,
  more: (peer: PeerFigures) => readonly string[],
  moreColumns: readonly string[],
): string {
  const columns = ['service, store', ...journeyNames, ...moreColumns]
  const lines = figures.map((peer) => [
    `${peer.title}, ${peer.store}`,
    ...journeyNames.map((name) => {
      const journey = peer.journeys[name]
      return journey === undefined ? '–' : write(journey)
    }),
    ...more(peer),
  ])
  return [columns, columns.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Returns the section, with the empty line before it. */
export function peersSection(figures: readonly PeerFigures[], run: RunDescription): string {
  const memory = ({ idleMegabytes, loadedMegabytes }: PeerFigures) => [rounded(idleMegabytes), rounded(loadedMegabytes)]
  return `
${peersHeading}

Written by \`${run.command}\`; \`npm run bench\` leaves it as it is.

- Date: ${run.date}
- Commit: ${run.commit}
- Machine: ${run.machine}

Requests that one core answers in a second, with its share of the database: one divided by the processor time (user and system, as Linux
counts it) that a request takes in all processes of the service and of PostgreSQL. Memory is resident, in MB of 10^6 bytes, of all processes
of the service without PostgreSQL: five seconds after each has the users and clients that it begins with, and after all of the load. A dash is a
journey that the service does not have.

${table(figures, perCore, memory, ['MB idle', 'MB loaded'])}

Of which, in microseconds of processor time: the service + PostgreSQL.

${table(figures, parts, () => [], [])}

The same for all: argon2id with 19,456 KiB and two passes; SQLite in WAL mode with \`synchronous = FULL\`; PostgreSQL with fsync and
\`synchronous_commit\`, ten connections; ES256 for JWTs; limits of requests off or not reached; the same load generator, whose own time is
not counted. Medians of rounds by turns, after rounds that do not count. Not the same: Bailiwick writes an event of each change (sealed and
chained) and locks out whoever guesses passwords, and answers session checks from memory, dropping a session on all nodes when it ends,
where better-auth's get-session reads the database (its cookie cache, which would not notice an ended session, is off, as by default).
better-auth's list-members counts on OFFSET. Its opaque access tokens are stored as they are, those of the others as hashes or by their id;
it has no client credentials of its own. oidc-provider stores its models by an adapter of 90 lines that this benchmark brings
(bench/src/servers/oidc-provider-store.ts), knows no passwords, and issues to one issuer; Bailiwick is an issuer for each tenant.

LemonLDAP::NG 2.16 of Debian was tried on 27 November 2026 and is not here: its portal needs some dozen further Perl modules for an OpenID
provider that stores its sessions in PostgreSQL, of which the machine had none. With starman, DBD::Pg, GD::SecurityImage, String::Random and
IO::String beside it, its configuration was read, and the next one, Email::Sender, was missing.
`
}

/** Returns RESULTS.md with this section in the place of the earlier one, or before the sections that are written by hand. */
export function withPeers(results: string, section: string): string {
  const start = results.indexOf(`\n${peersHeading}\n`)
  if (start !== -1) {
    const next = results.indexOf('\n## ', start + 1)
    return results.slice(0, start) + section + (next === -1 ? '' : results.slice(next))
  }
  const before = results.indexOf('\n## Long runs\n')
  return before === -1 ? results + section : results.slice(0, before) + section + results.slice(before)
}
