import type { DeploymentHealth } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { checkRunning } from '../checks/quick.ts'

const severities = ['ok', 'warn', 'fail'] as const

/** The clock of a test may differ from the machine's, so the age of the process is subtracted from it. */
const startedAt = (nowMs: number) => new Date(nowMs - process.uptime() * 1000).toISOString()

/** Makes the quick checks of `bailiwick doctor` on this node. */
export async function checkHealth(deps: Deps): Promise<DeploymentHealth> {
  const { clock } = deps
  const found = await checkRunning(deps)
  const worst = Math.max(...found.map(({ status }) => severities.indexOf(status)))
  return {
    status: severities[worst] ?? 'ok',
    checkedAt: clock.now(),
    startedAt: startedAt(clock.nowMs()),
    findings: found.map(({ hint, ...finding }) => ({ ...finding, hint: hint ?? null })),
  }
}
