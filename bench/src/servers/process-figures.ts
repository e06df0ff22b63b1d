// What Linux says of the process of a service.
import { readFileSync } from 'node:fs'
import type { BailiwickServer } from './bailiwick.ts'

/** Returns a figure of /proc/PID/status, in MB of 10^6 bytes. */
export function statusMegabytes({ child: { pid } }: BailiwickServer, field: 'VmHWM' | 'RssAnon'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kilobytes) * 1024) / 1e6
}

/** Returns the processor time of all threads, in hundredths of a second, as Linux counts it (proc(5), utime and stime). */
export function cpuSeconds({ child: { pid } }: BailiwickServer): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
