// Asks a provider whether an answer is right: the protocol `siteverify`, which Turnstile and hCaptcha share. An answer counts for the page that it
// was given on, and at Turnstile for one purpose.
import type { CaptchaProvider, ChallengePurpose } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { TenantId } from '../../platform/ids.ts'
import { EgressError } from '../../platform/net/egress.ts'
import { TooManyWaiting, createTurns } from '../../platform/turns/turns.ts'
import type { AnyCall } from '../frontend/flow.ts'
import type { CaptchaRow } from './captcha-providers.ts'
import { challengeProviders } from './tables.ts'

const addresses: Readonly<Record<CaptchaProvider, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
}
const timeoutMs = 3000
const responseBytesMax = 16_384
/** Turnstile's tokens have at most 2,048 characters; those of hCaptcha are longer. */
const tokenLengthMax = 8192

/** A provider that does not answer holds up the requests of its own tenants alone. */
const inTurn = createTurns({ atOnceMax: 400, atOnceOfOwnerMax: 50, waitingMax: 400, waitingOfOwnerMax: 50 })

/** `failed`: the provider did not say, or did not look at the answer because the secret is wrong. */
export type CaptchaResult = 'right' | 'wrong' | 'failed'

interface Verdict {
  readonly success?: unknown
  readonly hostname?: unknown
  readonly action?: unknown
  readonly 'error-codes'?: unknown
}

const secretProblems: readonly unknown[] = ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch']

const isOfWrongSecret = (verdict: Verdict) => {
  const codes = verdict['error-codes']
  return verdict.success !== true && Array.isArray(codes) && codes.some((code) => secretProblems.includes(code))
}

function readVerdict(body: Buffer): Verdict | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const readHost = (address: string) => (URL.canParse(address) ? new URL(address).hostname : undefined)

/** Returns the host of the page that sends the answer: a page of the tenant, which the request has been admitted for. */
const pageHost = ({ request: { headers, host } }: AnyCall): string | undefined =>
  headers.origin === undefined ? readHost(`http://${host}`) : readHost(headers.origin)

interface Keys {
  readonly tenantId: TenantId
  readonly provider: CaptchaProvider
  readonly siteKey: string
  readonly secret: string
}

async function ask(
  deps: Deps,
  { tenantId, provider, siteKey, secret }: Keys,
  answer: object,
): Promise<Verdict | undefined> {
  const form = new URLSearchParams({ secret, sitekey: siteKey, ...answer })
  const { status, isTruncated, body } = await deps.egress.request(
    deps.config.challengeVerifyUrl ?? addresses[provider],
    {
      tenantId,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      timeoutMs,
      responseBytesMax,
    },
  )
  return status === 200 && !isTruncated ? readVerdict(body) : undefined
}

/** Returns whether the provider says that the secret is not one of its own, by an answer that is certainly wrong; false if it does not say. */
export async function isWrongSecret(deps: Deps, keys: Keys): Promise<boolean> {
  try {
    const verdict = await inTurn(keys.tenantId, () => ask(deps, keys, { response: 'bailiwick-checks-the-secret' }))
    return verdict !== undefined && isOfWrongSecret(verdict)
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof TooManyWaiting)) throw error
    return false
  }
}

/** Asks the provider. Never throws for what the provider does. */
export async function verifyCaptcha(
  deps: Deps,
  call: AnyCall,
  row: CaptchaRow,
  { token, purpose }: { readonly token: string; readonly purpose: ChallengePurpose },
): Promise<CaptchaResult> {
  if (token.length > tokenLengthMax) return 'wrong'
  try {
    const { provider, site_key: siteKey } = row
    const secret = deps.sealer.open(row.sealed_secret, challengeProviders.place('sealed_secret', row))
    const keys = { tenantId: call.tenantId, provider, siteKey, secret }
    const verdict = await inTurn(call.tenantId, () => ask(deps, keys, { response: token, remoteip: call.ip }))
    if (typeof verdict?.success !== 'boolean') return 'failed'
    if (isOfWrongSecret(verdict)) {
      deps.log.warn({ tenantId: call.tenantId }, `${provider} says that the secret of the tenant is wrong`)
      return 'failed'
    }
    const isForPage = verdict.hostname === pageHost(call)
    const isForPurpose = row.provider !== 'turnstile' || verdict.action === purpose
    return verdict.success && isForPage && isForPurpose ? 'right' : 'wrong'
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof TooManyWaiting)) throw error
    deps.log.warn({ err: error, tenantId: call.tenantId }, `${row.provider} did not check an answer`)
    return 'failed'
  }
}
