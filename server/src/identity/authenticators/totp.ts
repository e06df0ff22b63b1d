// Codes of authenticator apps by RFC 6238: SHA-1, six digits, thirty seconds, which is what every app supports. A code is accepted in its
// own step and in the next one, because typing takes time (ASVS 6.5.5 would accept the first alone).
import { clockSkewMsMax } from '../../platform/clock.ts'
import { isEqual } from '../../platform/crypto/tokens.ts'

const stepMs = 30_000
const skewSteps = Math.ceil(clockSkewMsMax / stepMs)
/** 160 bits, as RFC 4226 §4 recommends. */
const secretBytes = 20
const parameters = { algorithm: 'SHA1', digits: 6 } as const
const shape = /^\d{6}$/

export const isTotpShaped = (code: string): boolean => shape.test(code)

export interface Totp {
  /** In Base32. */
  readonly newSecret: () => string
  /** For a QR code. */
  readonly uriOf: (secret: string, issuer: string, label: string) => string
  /** Returns the step that a code belongs to: the current one or the one before, if it is later than the last that was accepted. */
  readonly matchingStep: (secret: string, code: string, nowMs: number, lastStep: number) => number | undefined
}

/** Loads the library, which costs memory, when somebody first uses an app. */
export async function loadTotp(): Promise<Totp> {
  const { HOTP, Secret, TOTP } = await import('otpauth')
  return {
    newSecret: () => new Secret({ size: secretBytes }).base32,
    uriOf: (secret, issuer, label) =>
      new TOTP({
        ...parameters,
        period: stepMs / 1000,
        secret: Secret.fromBase32(secret),
        // A colon would end the issuer.
        issuer: issuer.replaceAll(':', ' '),
        label,
      }).toString(),
    matchingStep(secret, code, nowMs, lastStep) {
      const now = Math.floor(nowMs / stepMs)
      // If the last step lies in the future, the clock has been set back since; today's codes have not been used.
      const usedUpTo = lastStep > now + skewSteps ? -1 : lastStep
      const key = Secret.fromBase32(secret)
      return [now, now - 1].find(
        (step) => step > usedUpTo && isEqual(HOTP.generate({ ...parameters, secret: key, counter: step }), code),
      )
    },
  }
}
