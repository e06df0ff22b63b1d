// Which traces are recorded: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
import type { TraceContext } from './trace-context.ts'

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]

/** Returns whether a new trace, or one that a caller has begun, is recorded. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean

/** The last seven bytes of a trace's id are random, so all services decide alike by them. */
const randomDigits = 14

/** @param ratio the share of traces that are recorded, from 0 to 1. */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const root = (traceId: string) => {
    if (!name.endsWith('traceidratio')) return name.endsWith('always_on')
    return Number.parseInt(traceId.slice(-randomDigits), 16) < ratio * 16 ** randomDigits
  }
  const asksParent = name.startsWith('parentbased_')
  return (traceId, parent) => (asksParent && parent !== undefined ? parent.isSampled : root(traceId))
}
