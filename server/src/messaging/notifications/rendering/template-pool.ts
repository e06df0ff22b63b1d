// Renders and checks templates: the service's own wording in this process, tenants' templates in processes that are started on demand,
// killed when a template takes too much, and ended when they have been idle for a while.
import { availableParallelism } from 'node:os'
import { RecentUse, TurnsByUse } from '../../../platform/turns/turns-by-use.ts'
import { isBuiltIn } from './built-in-texts.ts'
import { timeMsMax, tooMuchToTell, variableBytesMax } from './limits.ts'
import { TemplateError } from './liquid.ts'
import { perform } from './perform.ts'
import { RenderError } from './render-error.ts'
import type { MessageTemplate } from './render-message.ts'
import type { Problem, RenderResult, RenderTask, RenderedMessage } from './render-messages.ts'
import { RenderProcess } from './render-process.ts'

export interface TemplatePoolSettings {
  readonly processes: number
  readonly idleMs: number
  /** How many tasks may wait: in total, for one owner, and for one whose templates take much time. */
  readonly waitingMax: number
  readonly waitingOfOwnerMax: number
  readonly waitingOfHeavyMax: number
  /** An owner who has recently used more than this is a heavy one. */
  readonly heavyMs: number
  /** An owner who has used more than this is refused until enough of it is forgiven. */
  readonly exhaustedMs: number
  readonly start: () => Renderer
  readonly now: () => number
}

/** Renders one template after another; a process. */
export type Renderer = Pick<RenderProcess, 'pid' | 'gone' | 'run' | 'end'>

const defaults = (): TemplatePoolSettings => ({
  // At least two, because slow templates must leave one for others.
  processes: Math.min(Math.max(availableParallelism(), 2), 4),
  idleMs: 30_000,
  waitingMax: 512,
  waitingOfOwnerMax: 64,
  waitingOfHeavyMax: 4,
  heavyMs: 1500,
  exhaustedMs: 5000,
  start: () => new RenderProcess(),
  now: () => performance.now(),
})

/** Every owner may always use this share of one processor. Use beyond it is forgiven within some minutes. */
const forgivenShare = 0.1
const useMsMax = 30_000
/** The cost of starting another process, charged to the owner that made it necessary. */
const restartMs = 250

interface Waiting {
  readonly owner: string
  readonly task: RenderTask
  readonly resolve: (result: RenderResult) => void
  readonly reject: (error: unknown) => void
}

/** A template and its variables. */
export interface RenderOrder {
  readonly template: MessageTemplate
  readonly variables: object
  /** The variables for a second rendering of the subject, in the form that may be stored. */
  readonly shown?: object
}

export class TemplatePool {
  readonly #settings: TemplatePoolSettings
  readonly #queue = new TurnsByUse<Waiting>()
  readonly #use: RecentUse
  readonly #busy = new Map<Renderer, string>()
  readonly #idle = new Map<Renderer, NodeJS.Timeout>()
  #isClosed = false

  constructor(settings: Partial<TemplatePoolSettings> = {}) {
    this.#settings = { ...defaults(), ...settings }
    this.#use = new RecentUse({ forgivenPerMs: forgivenShare, useMax: useMsMax, now: this.#settings.now })
  }

  /** The ids of the processes. */
  get pids(): number[] {
    return [...this.#busy.keys(), ...this.#idle.keys()].flatMap(({ pid }) => pid ?? [])
  }

  /** How many templates wait for their turn. */
  get waiting(): number {
    return this.#queue.size
  }

  /** How many templates are being parsed or rendered in other processes. */
  get underWay(): number {
    return this.#busy.size
  }

  /**
   * Returns the problems in the parts of a template. The owner whose turn it takes is a tenant.
   * @throws RenderError any
   */
  async check(owner: string, parts: (RenderTask & { type: 'check' })['parts']): Promise<readonly Problem[]> {
    const task: RenderTask = { type: 'check', parts }
    try {
      const result = await this.#do(owner, task, Object.values(parts))
      return result.type === 'problems' ? result.problems : []
    } catch (error) {
      if (error instanceof TemplateError) return [{ part: error.part, reason: error.reason }]
      throw error
    }
  }

  /** @throws TemplateError if the template is at fault; RenderError any */
  async render(owner: string, { template, variables, shown }: RenderOrder): Promise<RenderedMessage> {
    const told = JSON.stringify(variables)
    if (Buffer.byteLength(told) > variableBytesMax) throw new TemplateError(null, tooMuchToTell)
    const { type, subject, body } = template
    const task: RenderTask = {
      type: 'render',
      template: { type, subject, body },
      variables: told,
      shown: shown === undefined ? null : JSON.stringify(shown),
    }
    const result = await this.#do(owner, task, subject === null ? [body] : [subject, body])
    if (result.type === 'rendered') return result.message
    const [problem] = result.type === 'problems' ? result.problems : []
    if (problem === undefined) throw new RenderError('bug', `a process answered ${JSON.stringify(result)}`)
    throw new TemplateError(problem.part, problem.reason)
  }

  /** Ends the processes; tasks that wait or run fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#queue.dropAll()) reject(closed())
    const processes = [...this.#busy.keys(), ...this.#idle.keys()]
    for (const process of processes) process.end()
    await Promise.all(processes.map(({ gone }) => gone))
  }

  #do(owner: string, task: RenderTask, texts: readonly string[]): Promise<RenderResult> | RenderResult {
    if (texts.every(isBuiltIn)) return perform(task)
    if (this.#isClosed) throw closed()
    if (this.#queue.sizeOf(owner) >= this.#waitingMaxOf(owner)) throw this.#ownerBusy(owner)
    if (this.#queue.size >= this.#settings.waitingMax)
      throw new RenderError('busy', 'Too many templates are waiting to be rendered.')
    return new Promise((resolve, reject) => {
      this.#queue.push(owner, { owner, task, resolve, reject })
      this.#serve()
    })
  }

  #isHeavy(owner: string): boolean {
    return this.#use.of(owner) > this.#settings.heavyMs
  }

  #waitingMaxOf(owner: string): number {
    if (this.#use.of(owner) > this.#settings.exhaustedMs) return 0
    return this.#isHeavy(owner) ? this.#settings.waitingOfHeavyMax : this.#settings.waitingOfOwnerMax
  }

  /** Neither one owner nor all heavy owners together may use all processes at once. */
  #mayGoOn(owner: string): boolean {
    const isHeavy = this.#isHeavy(owner)
    const rivals = [...this.#busy.values()].filter((each) => each === owner || (isHeavy && this.#isHeavy(each)))
    return rivals.length < Math.max(this.#settings.processes - 1, 1)
  }

  #serve(): void {
    while (this.#busy.size < this.#settings.processes) {
      const next = this.#queue.take(
        (owner) => this.#use.of(owner),
        (owner) => this.#mayGoOn(owner),
      )
      if (next === undefined) return
      void this.#give(this.#takeProcess(next.owner), next)
    }
  }

  /** Takes the process that was used last, so that the others may end. */
  #takeProcess(owner: string): Renderer {
    const [process, timer] = [...this.#idle].at(-1) ?? []
    clearTimeout(timer)
    if (process !== undefined) this.#idle.delete(process)
    const taken: Renderer = process ?? this.#startProcess()
    this.#busy.set(taken, owner)
    return taken
  }

  #startProcess(): Renderer {
    const process = this.#settings.start()
    void process.gone.then(() => {
      clearTimeout(this.#idle.get(process))
      this.#idle.delete(process)
    })
    return process
  }

  async #give(process: Renderer, { owner, task, resolve, reject }: Waiting): Promise<void> {
    try {
      const { result, usedMs } = await process.run(task)
      this.#busy.delete(process)
      this.#charge(owner, usedMs)
      if (this.#isClosed) process.end()
      else this.#rest(process)
      resolve(result)
    } catch (error) {
      this.#busy.delete(process)
      process.end()
      this.#charge(owner, error instanceof TemplateError ? timeMsMax + restartMs : restartMs)
      reject(this.#isClosed ? closed() : error)
    }
    this.#serve()
  }

  /** Charges an owner for the time used. A heavy owner may have fewer waiting tasks, so its newest ones are rejected. */
  #charge(owner: string, usedMs: number): void {
    this.#use.add(owner, usedMs)
    const max = this.#waitingMaxOf(owner)
    while (this.#queue.sizeOf(owner) > max) this.#queue.drop(owner)?.reject(this.#ownerBusy(owner))
  }

  #ownerBusy(owner: string): RenderError {
    const overMs = this.#use.of(owner) - this.#settings.exhaustedMs
    if (!(overMs > 0))
      return new RenderError('owner_busy', 'Too many templates of this tenant are waiting to be rendered.')
    const waitMs = overMs / forgivenShare
    return new RenderError('owner_busy', "This tenant's templates have taken too much time.", { waitMs })
  }

  #rest(process: Renderer): void {
    const timer = setTimeout(() => {
      this.#idle.delete(process)
      process.end()
    }, this.#settings.idleMs)
    timer.unref()
    this.#idle.set(process, timer)
  }
}

const closed = () => new RenderError('closed', 'The service stops.')
