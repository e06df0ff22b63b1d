import type { TenantAccess } from '../data/dataset.ts'
import type { AttackQuestion, Outcome } from './attacker-process.ts'
import { Worker } from './child-process.ts'

export interface Attack {
  readonly what: 'damaged' | 'whole'
  readonly files: number
  /** The time over which they are evenly spread. */
  readonly seconds: number
}

export interface Attacker {
  attack(attack: Attack): Promise<void>
  /** The results of all damaged files that were sent. */
  outcome(): Promise<Outcome>
  stop(): Promise<void>
}

export interface AttackTarget {
  readonly port: number
  readonly tenant: TenantAccess
  /** The number of different files of both kinds; then they repeat. */
  readonly files: number
}

/** Runs in a process of its own, so that creating and sending the files does not slow down the measuring process. */
export async function startAttacker(target: AttackTarget): Promise<Attacker> {
  const worker = new Worker(new URL('attacker-process.ts', import.meta.url), { PATH: process.env['PATH'] })
  const ask = (question: AttackQuestion) => worker.ask<Outcome>(question)
  await ask({ kind: 'prepare', ...target })
  return {
    attack: async (attack) => void (await ask({ kind: 'attack', ...attack })),
    outcome: () => ask({ kind: 'outcome' }),
    stop: () => worker.stop(),
  }
}
