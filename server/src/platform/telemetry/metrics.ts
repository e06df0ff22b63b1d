// The metrics in Prometheus' format. The library is loaded only where an operator has asked for metrics.
import type { Registry } from 'prom-client'
import { type CounterName, type Meter, counters } from './meter.ts'
import { withinTime } from './within-time.ts'

/** One value and what tells it apart from others of the same name. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  /** Without the prefix `bailiwick_`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** Read whenever the metrics are requested. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

export interface Metrics {
  readonly registry: Registry
  observe(method: string, route: string, status: number, seconds: number): void
  /** Adds values that go up and down. */
  addGauge(family: Family): void
  /** Adds values that only grow while the process runs; `_total` is added to the name. */
  addCounter(family: Family): void
}

const readMsMax = 3000

/**
 * Reads the values of a family. If they cannot be read, as while the database is away, the family is left out: all others are still of use,
 * and most of all then.
 */
const samplesOf = (read: Family['read']): Promise<readonly Sample[]> =>
  withinTime(
    readMsMax,
    Promise.resolve().then(() => read()),
  ).catch(() => [])

export async function createMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const duration = new Histogram({
    name: 'bailiwick_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  return {
    registry,
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    addGauge({ name, help, labels = [], read }) {
      const gauge: InstanceType<typeof Gauge> = new Gauge({
        name: `bailiwick_${name}`,
        help,
        labelNames: labels,
        registers,
        async collect() {
          const samples = await samplesOf(read)
          gauge.reset()
          // Without labels, `reset` leaves a 0 behind, which would be a lie.
          if (labels.length === 0 && samples.length === 0) gauge.remove()
          for (const sample of samples) gauge.set(sample.labels ?? {}, sample.value)
        },
      })
    },
    addCounter({ name, help, labels = [], read }) {
      const counter: InstanceType<typeof Counter> = new Counter({
        name: `bailiwick_${name}_total`,
        help,
        labelNames: labels,
        registers,
        async collect() {
          const samples = await samplesOf(read)
          counter.reset()
          for (const sample of samples) counter.inc(sample.labels ?? {}, sample.value)
        },
      })
    },
  }
}

/** Shows everything that a meter counts. */
export function addMeter(metrics: Metrics, meter: Meter) {
  for (const name of Object.keys(counters) as CounterName[]) {
    metrics.addCounter({ name, ...counters[name], read: () => meter.read(name) })
  }
}
