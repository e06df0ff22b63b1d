// Traces by the standard of OpenTelemetry, for a deployment that has a collector. Nothing of this is loaded otherwise.
import type { Logger } from 'pino'
import type { TracesConfig } from '../telemetry-variables.ts'
import { createExporter } from './otlp-exporter.ts'
import { createSampler } from './sampler.ts'
import { type Tracer, createTracer } from './tracer.ts'

export interface Tracing {
  readonly tracer: Tracer
  /** Sends what is left. */
  close(): Promise<void>
}

export function startTracing({ url, headers, resource, sampler, ratio }: TracesConfig, log: Logger): Tracing {
  const exporter = createExporter({ url, headers: headers?.reveal() ?? {}, resource, log })
  return {
    tracer: createTracer(createSampler(sampler, ratio), (span) => exporter.add(span)),
    close: () => exporter.close(),
  }
}
