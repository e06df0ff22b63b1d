// Counts what this process has done since its start. Counting is cheap enough to be always on; metrics.ts shows the counts where an operator
// has asked for metrics.

/** What is counted, with the labels that tell its kinds apart. */
export const counters = {
  events: { labels: ['type'], help: 'Events of the log by type, counted by the node that seals them' },
  jobs: { labels: ['kind', 'outcome'], help: 'Runs of jobs: done, again (at a later time), failed or given_up' },
  message_attempts: {
    labels: ['channel', 'outcome'],
    help: "Attempts to send messages through the deployment's or a tenant's channel: sent, failed (tried again) or refused",
  },
  breached_password_checks: {
    labels: ['outcome'],
    help: 'New passwords that were compared with breached ones: breached, unknown, or failed (the password was accepted)',
  },
  hook_calls: {
    labels: ['point', 'result'],
    help: 'Calls of hooks by point: what the server decided, failed, or skipped while calls are paused',
  },
  webhook_attempts: { labels: ['outcome'], help: 'Requests to the receivers of webhooks' },
} as const

export type CounterName = keyof typeof counters
type LabelsOf<Name extends CounterName> = Readonly<Record<(typeof counters)[Name]['labels'][number], string>>

interface Count {
  readonly labels: Readonly<Record<string, string>>
  value: number
}

export class Meter {
  readonly #counts = new Map<CounterName, Map<string, Count>>()

  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
    const ofName = this.#counts.get(name) ?? new Map<string, Count>()
    this.#counts.set(name, ofName)
    const key = Object.values<string>(labels).join(' ')
    const count = ofName.get(key)
    if (count === undefined) ofName.set(key, { labels, value: by })
    else count.value += by
  }

  read(name: CounterName): readonly Readonly<Count>[] {
    return [...(this.#counts.get(name)?.values() ?? [])]
  }
}
