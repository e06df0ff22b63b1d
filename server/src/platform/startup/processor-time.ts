import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/**
 * Returns the processor time that a process has used, in milliseconds, as Linux reports it; undefined on other systems, and for a process
 * that has ended.
 */
export function readProcessorMs(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  try {
    // proc(5): the name in brackets may contain anything; after it, user and system time are the 12th and 13th values.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return ((Number(values[11]) + Number(values[12])) * 1000) / ticksPerSecond
  } catch {
    return undefined
  }
}
