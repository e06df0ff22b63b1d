// `npm run soak -- --minutes=N [--engine=sqlite|postgresql] [--rate=N]`: mixed operations for N minutes on each engine. The first third has faults and
// restarts; then one process of the service runs to the end, through the faults that leave it alive, and has to level off. Finally it is
// killed, and everything that it has acknowledged must be there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type PrivatePostgres, startPrivatePostgres } from '../../scripts/private-postgres.ts'
import { createDataset } from './data/dataset.ts'
import { createPeople } from './data/people.ts'
import type { EngineName } from './data/store.ts'
import { HttpConnection } from './load/http-connection.ts'
import { requestBytes } from './load/request.ts'
import { describeCommit, describeMachine } from './machine.ts'
import { type Callers, startCallers } from './soak/callers.ts'
import { type Fault, SoakedService, createFaults } from './soak/faults.ts'
import { type SoakSample, findProblems } from './soak/level.ts'
import { observe } from './soak/observe.ts'

const usage = 'npm run soak -- --minutes=N [--engine=sqlite|postgresql] [--rate=N]'
const size = { tenants: 10, members: 1000 }
const samplesPerRun = 60
const spanSecondsMin = 5
/** The share of the samples, at the beginning, during which every kind of fault happens. */
const troubledShare = 1 / 3
/** The number of samples between two faults. */
const samplesPerFault = 4

const samplePieces = ({ seconds, perSecond, medianMs, p99Ms, residentMb, ownMb, handles, walMb }: SoakSample) => [
  `${String(Math.round(seconds)).padStart(6)} s`,
  `${Math.round(perSecond)}/s`,
  `median ${medianMs.toFixed(2)} ms`,
  `p99 ${p99Ms.toFixed(1)} ms`,
  `${residentMb.toFixed(1)} MB, ${ownMb.toFixed(1)} MB of its own`,
  `${handles} handles`,
  `WAL ${walMb.toFixed(1)} MB`,
]

interface Place {
  readonly engine: EngineName
  readonly minutes: number
  /** Requests in a second, at most. */
  readonly rate: number
  readonly directory: string
  readonly postgres: PrivatePostgres | undefined
}

async function readBack(port: number, secretKey: string, ids: readonly string[]): Promise<string[]> {
  const connection = await HttpConnection.open(port)
  const lost: string[] = []
  for (const id of ids) {
    const headers = { authorization: `Bearer ${secretKey}` }
    const { status } = await connection.send(requestBytes({ method: 'GET', path: `/api/v0/auth/users/${id}`, headers }))
    if (status !== 200) lost.push(`the user ${id} was acknowledged and is answered with ${status}`)
  }
  connection.close()
  return lost
}

/** Returns the samples since the last restart. */
async function takeSamples(
  callers: Callers,
  faults: readonly Fault[],
  sample: (seconds: number, spanSeconds: number) => Promise<SoakSample>,
  minutes: number,
): Promise<SoakSample[]> {
  const spanSeconds = Math.max((minutes * 60) / samplesPerRun, spanSecondsMin)
  const count = Math.round((minutes * 60) / spanSeconds)
  const kept: SoakSample[] = []
  const startedAt = performance.now()
  let faultCount = 0
  for (let number = 1; number <= count; number++) {
    const isTroubled = number <= count * troubledShare
    const possible = faults.filter(({ keepsService }) => isTroubled || keepsService)
    const fault = number % samplesPerFault === 0 ? possible[faultCount++ % possible.length] : undefined
    await fault?.happen()
    const from = performance.now()
    // A sample begins after the fault, and shows how the service recovers from it.
    callers.takeTimes()
    await sleep(spanSeconds * 1000)
    const seen = await sample((performance.now() - startedAt) / 1000, (performance.now() - from) / 1000)
    if (!isTroubled) kept.push(seen)
    console.log([...samplePieces(seen), ...(fault === undefined ? [] : [`after ${fault.name}`])].join('  '))
  }
  return kept
}

/** Returns the problems that were found. */
async function soak({ engine, minutes, rate, directory, postgres }: Place): Promise<string[]> {
  const compileCache = join(directory, 'compile-cache')
  const dataset = await createDataset(directory, 'soak', size, postgres?.url, compileCache)
  const { store, main } = dataset
  const service = await SoakedService.start(store, { compileCache })
  try {
    const people = await createPeople(dataset, service.port)
    const callers = startCallers(dataset, people, () => service.port, rate)
    const kept = await takeSamples(
      callers,
      createFaults(service, store, postgres),
      (seconds, spanSeconds) => observe(service.pid, store, callers.takeTimes(), { seconds, spanSeconds }),
      minutes,
    )
    await callers.stop()
    await service.restart('SIGKILL')
    const lost = await readBack(service.port, main.secretKey, callers.promised)
    console.log(
      `${engine}: ${callers.promised.length - lost.length} of ${callers.promised.length} promises kept, ${callers.unavailable()} requests during faults not answered`,
    )
    return [...findProblems(kept, engine), ...lost].map((problem) => `${engine}: ${problem}`)
  } finally {
    await service.stop()
  }
}

function exitWithUsage(problem: string): never {
  console.error(`${problem}\n${usage}`)
  process.exit(2)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { minutes: { type: 'string' }, engine: { type: 'string' }, rate: { type: 'string' } },
    })
    const minutes = Number(values.minutes)
    if (!(minutes > 0)) exitWithUsage('--minutes takes a number.')
    const rate = Number(values.rate ?? Infinity)
    if (!(rate > 0)) exitWithUsage('--rate takes a number of requests a second.')
    const engines = (['sqlite', 'postgresql'] as const).filter((name) => (values.engine ?? name) === name)
    if (engines.length === 0) exitWithUsage('--engine takes sqlite or postgresql.')
    return { minutes, engines, rate }
  } catch (error) {
    return exitWithUsage(error instanceof Error ? error.message : String(error))
  }
}

const { minutes, engines, rate } = readArguments()
const directory = mkdtempSync(join(tmpdir(), 'bailiwick-soak-'))
const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const
process.on('exit', () => rmSync(directory, removal))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const postgres = engines.includes('postgresql') ? await startPrivatePostgres() : undefined
try {
  console.log(`Commit ${describeCommit()}; ${await describeMachine(postgres?.url)}`)
  const problems: string[] = []
  for (const engine of engines) {
    console.log(`== ${engine}, ${minutes} minutes`)
    const own = engine === 'postgresql' ? postgres : undefined
    problems.push(...(await soak({ engine, minutes, rate, directory, postgres: own })))
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log('Everything has levelled off, and nothing was lost.')
} finally {
  await postgres?.stop()
}
