// The standard variables of OpenTelemetry that are heeded: traces over OTLP in JSON. Others are ignored, because they configure other
// libraries too. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
import { optional, refuse, withDefault } from './config-variable.ts'
import { Secret } from './crypto/secret.ts'
import { type SamplerName, samplerNames } from './telemetry/sampler.ts'

export interface TracesConfig {
  readonly url: string
  readonly headers: Secret<Readonly<Record<string, string>>> | undefined
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  /** The share of traces that a sampler by ratio records. */
  readonly ratio: number
}

function collector(text: string): string {
  if (!/^https?:\/\/[^\s?#@]+$/.test(text) || !URL.canParse(text)) refuse('must be an http:// or https:// address')
  return text.replace(/\/+$/, '')
}

/** Parses `key=value` pairs, separated by commas, with percent-encoded values. */
function pairs(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').map((pair): [string, string] => {
    const [, key, value = ''] = /^\s*([!#$%&'*+\-.^\w`|~/]+)\s*=\s*([ -~]*?)\s*$/.exec(pair) ?? []
    if (key === undefined) refuse('must be key=value pairs, separated by commas')
    try {
      return [key, decodeURIComponent(value)]
    } catch {
      refuse(`has a value of ${key} that is not percent-encoded`)
    }
  })
  return Object.fromEntries(entries)
}

function ratio(text: string): number {
  const value = /^\d(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return value >= 0 && value <= 1 ? value : refuse('must be a number from 0 to 1')
}

const only =
  <Name extends string>(...names: readonly Name[]) =>
  (text: string): Name =>
    names.find((name) => name === text) ?? refuse(`must be ${names.join(' or ')}`)

export const telemetryVariables = {
  otelEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    parse: collector,
    description:
      'The URL of the OpenTelemetry collector for traces, such as http://localhost:4318; /v1/traces is added. Without this variable and the next one no traces are sent.',
  }),
  otelTracesEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    parse: collector,
    description: 'The whole URL for traces, to which nothing is added. It replaces the previous variable.',
  }),
  otelHeaders: optional({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    isSecret: true,
    parse: (text) => new Secret(pairs(text)),
    description: 'Headers for the collector: key=value pairs, separated by commas.',
  }),
  otelProtocol: optional({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    parse: only('http/json'),
    description: 'The protocol for traces: http/json, which collectors accept on the port of OTLP over HTTP.',
  }),
  otelTracesExporter: optional({
    name: 'OTEL_TRACES_EXPORTER',
    parse: only('otlp', 'none'),
    description: 'The exporter of traces: otlp, or none to turn traces off.',
  }),
  otelDisabled: optional({
    name: 'OTEL_SDK_DISABLED',
    parse: only('true', 'false'),
    description: 'Turns traces off if it is true.',
  }),
  otelServiceName: withDefault({
    name: 'OTEL_SERVICE_NAME',
    parse: (text) => text,
    default: 'bailiwick',
    description: 'The name of this service in traces.',
  }),
  otelResource: optional({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    parse: pairs,
    description: 'Further attributes of this process in traces: key=value pairs, separated by commas.',
  }),
  otelSampler: withDefault({
    name: 'OTEL_TRACES_SAMPLER',
    parse: only(...samplerNames),
    default: 'parentbased_always_on',
    description:
      'The sampler of traces: always_on, always_off, traceidratio, or one of them with the prefix parentbased_, which follows the decision of the caller.',
  }),
  otelSamplerRatio: withDefault({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    parse: ratio,
    default: '1',
    description: 'The share of traces that a traceidratio sampler records, 0 to 1.',
  }),
}

interface TelemetryValues {
  readonly otelEndpoint?: string | undefined
  readonly otelTracesEndpoint?: string | undefined
  readonly otelHeaders?: Secret<Readonly<Record<string, string>>> | undefined
  readonly otelTracesExporter?: 'otlp' | 'none' | undefined
  readonly otelDisabled?: 'true' | 'false' | undefined
  readonly otelServiceName: string
  readonly otelResource?: Readonly<Record<string, string>> | undefined
  readonly otelSampler: SamplerName
  readonly otelSamplerRatio: number
}

/** Returns where traces are sent; undefined if there are none. */
export function tracesOf(values: TelemetryValues): TracesConfig | undefined {
  const { otelEndpoint, otelTracesEndpoint, otelHeaders, otelServiceName, otelSampler, otelSamplerRatio } = values
  const url = otelTracesEndpoint ?? (otelEndpoint && `${otelEndpoint}/v1/traces`)
  if (url === undefined || values.otelTracesExporter === 'none' || values.otelDisabled === 'true') return undefined
  return {
    url,
    headers: otelHeaders,
    resource: { ...values.otelResource, 'service.name': otelServiceName },
    sampler: otelSampler,
    ratio: otelSamplerRatio,
  }
}
