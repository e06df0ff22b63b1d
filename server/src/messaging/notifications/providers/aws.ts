// Signs requests to AWS (Signature Version 4).
import type { Clock } from '../../../platform/clock.ts'
import type { ProviderRequest } from './http-provider.ts'
import { type Settings, text } from './provider.ts'

/** `20261120T224943Z`. */
const awsTime = (clock: Clock) => `${new Date(clock.nowMs()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Loaded on first use, because it needs what Node loads for `fetch`. */
export async function signedForAws(
  request: ProviderRequest,
  { service, settings, clock }: { service: 'ses' | 'sns'; settings: Settings | undefined; clock: Clock },
): Promise<ProviderRequest> {
  const { AwsV4Signer } = await import('aws4fetch')
  const { headers } = await new AwsV4Signer({
    ...request,
    method: 'POST',
    service,
    region: text(settings, 'region'),
    accessKeyId: text(settings, 'accessKeyId'),
    secretAccessKey: text(settings, 'secretAccessKey'),
    datetime: awsTime(clock),
  }).sign()
  return { ...request, headers: Object.fromEntries(headers) }
}
