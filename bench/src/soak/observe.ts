// The figures of one sample of a long run, as the system reports them.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { type Store, onPostgresql } from '../data/store.ts'
import { percentile } from '../load/load.ts'
import { median } from '../load/rounds.ts'
import type { SoakSample } from './level.ts'

const bytesPerMb = 1e6

function memoryMb(pid: number): Pick<SoakSample, 'residentMb' | 'ownMb'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const readMb = (name: string) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
    return (Number(kilobytes) * 1024) / bytesPerMb
  }
  return { residentMb: readMb('VmRSS'), ownMb: readMb('RssAnon') }
}

async function walMb({ databaseUrl, sqliteFile }: Store): Promise<number> {
  if (databaseUrl === undefined) {
    return (statSync(`${sqliteFile}-wal`, { throwIfNoEntry: false })?.size ?? 0) / bytesPerMb
  }
  const { rows } = await onPostgresql(databaseUrl, (client) =>
    client.query<{ bytes: string }>('SELECT sum(size) AS bytes FROM pg_ls_waldir()'),
  )
  return Number(rows[0]?.bytes) / bytesPerMb
}

/** @param times those of the answers since the sample before, which was `spanSeconds` ago. */
export async function observe(
  pid: number,
  store: Store,
  times: readonly number[],
  { seconds, spanSeconds }: { readonly seconds: number; readonly spanSeconds: number },
): Promise<SoakSample> {
  return {
    seconds,
    perSecond: times.length / spanSeconds,
    medianMs: times.length === 0 ? 0 : median(times),
    p99Ms: times.length === 0 ? 0 : percentile(times, 0.99),
    ...memoryMb(pid),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    walMb: await walMb(store),
  }
}
