// The databases and servers for the measures of one engine, created when they are first needed: databases of both sizes, the service on
// each, and the servers that it is compared with.
import { type Dataset, type DatasetSize, createDataset } from './data/dataset.ts'
import type { EngineName } from './data/store.ts'
import { HttpConnection } from './load/http-connection.ts'
import { runLoad } from './load/load.ts'
import type { Contestant } from './load/rounds.ts'
import { type BailiwickServer, startBailiwick } from './servers/bailiwick.ts'
import { type BareServer, startBare } from './servers/bare.ts'
import { type EngineAlone, startEngineAlone } from './servers/engine.ts'
import type { Settings } from './settings.ts'

export type SizeName = 'small' | 'large'

/** The service that runs on a data set. */
export interface Running {
  readonly dataset: Dataset
  readonly server: BailiwickServer
}

export interface WorldPlace {
  readonly engine: EngineName
  readonly directory: string
  /** The address of a database on the server to use; undefined for SQLite. */
  readonly postgresUrl: string | undefined
  readonly compileCache: string
  readonly settings: Settings
}

export class World {
  readonly place: WorldPlace
  readonly #made = new Map<string, Promise<unknown>>()
  readonly #stops: (() => Promise<void>)[] = []

  constructor(place: WorldPlace) {
    this.place = place
  }

  get engine(): EngineName {
    return this.place.engine
  }

  get settings(): Settings {
    return this.place.settings
  }

  /** Returns a filled database of that size; the service runs on it only if `running` is asked for. */
  dataset(size: SizeName): Promise<Dataset> {
    return this.#once(`dataset ${size}`, () => this.#createDataset(size, this.settings.sizes[size]))
  }

  running(size: SizeName): Promise<Running> {
    return this.#once(`running ${size}`, async () => {
      const dataset = await this.dataset(size)
      const server = await startBailiwick(dataset.store, this.place)
      this.#stops.push(() => server.stop())
      return { dataset, server }
    })
  }

  bare(): Promise<BareServer> {
    return this.#once('bare', async () => {
      const bare = startBare()
      this.#stops.push(() => bare.stop())
      return bare
    })
  }

  engineAlone(): Promise<EngineAlone> {
    return this.#once('engine', async () => {
      const dataset = await this.#createDataset('engine', this.settings.sizes.small)
      const engine = await startEngineAlone(dataset)
      this.#stops.push(() => engine.stop())
      return engine
    })
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) await stop()
  }

  #createDataset(label: string, size: DatasetSize): Promise<Dataset> {
    const { directory, postgresUrl, compileCache } = this.place
    return createDataset(directory, label, size, postgresUrl, compileCache)
  }

  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(name) as Promise<T> | undefined
    if (known !== undefined) return known
    const made = make()
    this.#made.set(name, made)
    return made
  }
}

/** A server under load, in a comparison where servers take turns. */
export const httpContestant = (port: number, connections: number, next: () => Buffer): Contestant => ({
  run: (seconds) => runLoad({ port, connections, seconds, next }),
})

/** Returns the bare server, which sends the same answer as the other server to that request. */
export async function bareContestant(
  world: World,
  port: number,
  connections: number,
  next: () => Buffer,
): Promise<Contestant> {
  const connection = await HttpConnection.open(port)
  const { status, bytes } = await connection.send(next())
  connection.close()
  if (status !== 200) throw new Error(`the answer to copy is ${bytes.toString('utf8')}`)
  const bare = await world.bare()
  return {
    async run(seconds) {
      return runLoad({ port: await bare.answerLike(bytes), connections, seconds, next })
    },
  }
}
