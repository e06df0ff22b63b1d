import { setPriority } from 'node:os'

/**
 * Lets a process, by default the calling thread, take what others leave of the processors. Where that is refused it runs on as it is: by a
 * sandbox that has no such system call, or because the process has ended meanwhile.
 * @param niceness from 1 to 19, the least.
 */
export function lowerPriority(niceness: number, pid = 0): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // Priority is a courtesy: an error must not end the service.
  }
}
