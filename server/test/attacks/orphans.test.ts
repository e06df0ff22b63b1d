// Processes of the service whose service was killed while they worked. Nothing is left that would end them, so they end themselves.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TransformationStep } from '@bailiwick/contract'
import sharp from 'sharp'
import { planImage } from '../../src/media/engine/definition.ts'
import type { WorkerTask } from '../../src/media/engine/messages.ts'
import type { RenderTask } from '../../src/messaging/notifications/rendering/render-messages.ts'
import { hostileTemplates } from '../harness/files/hostile-templates.ts'
import { definition } from '../harness/files/pictures.ts'

const start = (file: string, args: readonly string[]): ChildProcess =>
  fork(fileURLToPath(new URL(`../../src/${file}`, import.meta.url)), args, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--single-threaded', '--expose-gc'],
    env: { UV_THREADPOOL_SIZE: '1' },
  })

/** Far less than the work takes that was begun, and far more than ending takes on a busy machine. */
const endMsMax = 60_000

describe('a process whose service is gone', () => {
  it('ends although it is making an image that takes minutes', { timeout: endMsMax }, async () => {
    const child = start('media/engine/workers/worker.ts', [String(2 ** 31)])
    const source = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#567' } })
      .jpeg()
      .toBuffer()
    const blur: TransformationStep = { type: 'blur', options: { blurType: 'manual', strength: 100 } }
    const steps = Array.from({ length: 16 }, () => blur)
    const plan = planImage(definition({ steps }))
    const task: WorkerTask = { type: 'make', source, layers: new Map(), isSvg: false, plan, format: 'png' }
    const ended = once(child, 'exit')
    child.send(task)
    child.once('message', () => assert.fail('the image took less time than the test needs'))
    // It has begun when it has used processor time for a while.
    await new Promise((resolve) => void setTimeout(resolve, 3000))
    child.disconnect()
    assert.deepEqual((await ended)[1], 'SIGKILL')
  })

  it('ends although it renders a template without end', { timeout: endMsMax }, async () => {
    const child = start('messaging/notifications/rendering/render-worker.ts', ['500'])
    const body = hostileTemplates['a condition of thousands of terms over a range'] ?? ''
    const task: RenderTask = {
      type: 'render',
      template: { type: 'email', subject: null, body },
      variables: '{}',
      shown: null,
    }
    const ended = once(child, 'exit')
    child.once('message', () => {
      child.send(task)
      child.disconnect()
    })
    assert.equal((await ended)[0], 1)
  })
})
