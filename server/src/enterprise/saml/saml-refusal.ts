import type { SamlRefusalReason } from '@bailiwick/contract'

/** Why a message of an identity provider is not accepted. The message is for events and reports of tests, and quotes nothing unverified but names. */
export class SamlRefusal extends Error {
  readonly reason: SamlRefusalReason

  constructor(reason: SamlRefusalReason, message: string) {
    super(message)
    this.name = 'SamlRefusal'
    this.reason = reason
  }
}
