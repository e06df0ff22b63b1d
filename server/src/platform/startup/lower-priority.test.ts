import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { describe, it } from 'node:test'
import { lowerPriority } from './lower-priority.ts'

describe('lowerPriority', () => {
  it('lowers the priority of a process, and leaves one that has ended alone', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
    await once(child, 'spawn')
    const pid = child.pid ?? assert.fail()
    const niceness = Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority(pid))
    lowerPriority(niceness, pid)
    assert.equal(getPriority(pid), niceness)
    child.stdin.end()
    await once(child, 'exit')
    lowerPriority(niceness, pid)
  })
})
