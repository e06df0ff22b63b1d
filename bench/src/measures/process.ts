import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../load/rounds.ts'
import { type ResultRow, below, megabytes, milliseconds, valueRow } from '../results.ts'
import { startBailiwick } from '../servers/bailiwick.ts'
import { ownMegabytes, residentMegabytes } from '../servers/child-process.ts'
import type { SizeName, World } from '../world.ts'

const startBudget = () => below(500, 'ms')
const idleBudget = () => below(90, 'MB')
const loadedBudget = () => below(200, 'MB')

const sizeText = (world: World, size: SizeName) => `${world.settings.sizes[size].members.toLocaleString('en')} users`

interface Starts {
  readonly milliseconds: number
  readonly idleMegabytes: number
}

/** Starts the service on the data several times, and lets the last one idle. */
async function starts(world: World, size: SizeName): Promise<Starts> {
  const { store } = await world.dataset(size)
  const times: number[] = []
  for (let count = 1; ; count++) {
    const server = await startBailiwick(store, world.place)
    times.push(server.startMs)
    if (count < world.settings.starts) {
      await server.stop()
      continue
    }
    await sleep(world.settings.idleSeconds * 1000)
    const idleMegabytes = residentMegabytes(server.child)
    await server.stop()
    return { milliseconds: median(times), idleMegabytes }
  }
}

async function coldStart(world: World): Promise<number> {
  const { store } = await world.dataset('small')
  const compileCache = mkdtempSync(join(world.place.directory, 'cold-'))
  const server = await startBailiwick(store, { compileCache })
  await server.stop()
  return server.startMs
}

/** Start-up and idle memory, measured before any service is left running on the data. */
export async function measureStart(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const rows: ResultRow[] = []
  for (const size of ['small', 'large'] as const) {
    const { milliseconds: ms, idleMegabytes } = await starts(world, size)
    const beside = sizeText(world, size)
    rows.push(
      valueRow(ms, {
        engine,
        measure: `Start to ready, ${beside}`,
        unit: milliseconds,
        note: `median of ${settings.starts}`,
        budget: startBudget(),
      }),
      valueRow(idleMegabytes, {
        engine,
        measure: `Idle memory, ${beside}`,
        unit: megabytes,
        note: `after ${settings.idleSeconds} s`,
        budget: idleBudget(),
      }),
    )
  }
  const note = 'nothing compiled yet'
  rows.push(valueRow(await coldStart(world), { engine, measure: 'First start of all', unit: milliseconds, note }))
  return rows
}

/** The memory of the services after the earlier measures. */
export async function measureMemory(world: World): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  for (const size of ['small', 'large'] as const) {
    const { server } = await world.running(size)
    const measure = `Memory after the load, ${sizeText(world, size)}`
    rows.push(
      valueRow(residentMegabytes(server.child), {
        engine: world.engine,
        measure,
        unit: megabytes,
        note: `${ownMegabytes(server.child).toFixed(0)} MB its own, the rest mapped from files`,
        budget: loadedBudget(),
      }),
    )
  }
  return rows
}
