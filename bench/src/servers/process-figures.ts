// What Linux says of the process of a service.
import { readFileSync, readdirSync } from 'node:fs'
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

function threadNanoseconds(pid: number | undefined, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/**
 * Returns the processor time of all threads that run, in seconds, to the microsecond: what the scheduler has counted of them. Unlike the
 * hundredths of `cpuSeconds` it can be compared over turns of some milliseconds. Only a thread that ends takes its time with it.
 */
export const threadSeconds = ({ child: { pid } }: BailiwickServer): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadNanoseconds(pid, thread), 0) / 1e9

interface Counted {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

function readStat(pid: number): Counted | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\w )/)
    const fields = rest.split(' ').map(Number)
    // proc(5): ppid, utime, stime, and the times of children that have ended and been waited for.
    const [parent = 0, ...times] = [1, 11, 12, 13, 14].map((index) => fields[index] ?? 0)
    return { pid, parent, seconds: times.reduce((sum, each) => sum + each, 0) / 100 }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/** Returns the ids of a process and of all that it has started, as far as they run. */
function readTree(root: number): Counted[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((each) => each !== undefined)
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

/** Returns the processor time of a process and all its children, in seconds, to a hundredth of one. */
export const treeCpuSeconds = (root: number): number => readTree(root).reduce((sum, { seconds }) => sum + seconds, 0)

function readKilobytes(pid: number, file: string, field: string): number {
  try {
    return Number(
      new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0,
    )
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/**
 * Returns the memory of a process and all its children, in MB of 10^6 bytes: what they hold besides mapped files, of which what they share
 * counts once, and the mapped files of the first.
 */
export const treeMegabytes = (root: number): number =>
  ((readKilobytes(root, 'status', 'RssFile') +
    readTree(root).reduce((sum, { pid }) => sum + readKilobytes(pid, 'smaps_rollup', 'Pss_Anon'), 0)) *
    1024) /
  1e6
