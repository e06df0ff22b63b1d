// Forwards the calls of a development tenant's hooks to a program on this machine, and returns its answers, as long as it runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { HookListenerAnswer, HookListenerCall } from '@bailiwick/contract'
import { CommandRefused } from '../../outcome.ts'

export interface ListenOptions {
  /** Where calls are sent, such as `http://localhost:3000/hook`. */
  readonly to: string
  readonly apiUrl: string
  readonly secretKey: string
  /** The id of the tenant. */
  readonly tenant: string
}

const waitSeconds = 20
const retryMs = 1000
/** The service refuses longer answers, and says so. */
const answerLengthMax = 20_000

interface Said {
  readonly message?: string
}

type Post = <Answer>(path: string, body: object, signal: AbortSignal) => Promise<Answer>

/** Failures that asking again would not change. */
const finalStatuses: readonly number[] = [400, 401, 403, 404]

/** @throws CommandRefused for a refusal that would come again; Error for any other failure. */
function createPost({ apiUrl, secretKey, tenant }: ListenOptions): Post {
  const base = `${apiUrl.replace(/\/$/, '')}/tenants/${encodeURIComponent(tenant)}/hooks`
  return async <Answer>(path: string, body: object, signal: AbortSignal) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    const answer = (await response.json().catch(() => ({}))) as Answer & Said
    if (response.ok) return answer
    const sentence = answer.message ?? `The service answered ${response.status}.`
    throw finalStatuses.includes(response.status) ? new CommandRefused(sentence) : new Error(sentence)
  }
}

const reasonOf = (error: unknown) => {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** What the program answers; 502 if it cannot be reached, so that the service need not wait. */
async function forward(to: string, { headers, body, timeoutMs }: HookListenerCall) {
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    const sent = names.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const text = (await response.text()).slice(0, answerLengthMax)
    const answer: HookListenerAnswer = { status: response.status, headers: Object.fromEntries(sent), body: text }
    return { answer, outcome: String(response.status) }
  } catch (error) {
    return { answer: { status: 502, headers: {}, body: '' }, outcome: reasonOf(error) }
  }
}

/**
 * Forwards calls until the signal is aborted; then the service sends calls to the hooks' own URLs again.
 * @param say prints one line.
 * @throws CommandRefused if the service refuses.
 */
export async function listenToHooks(options: ListenOptions, signal: AbortSignal, say: (line: string) => void) {
  const { to } = options
  const post = createPost(options)
  const never = new AbortController().signal
  const under = new Set<Promise<void>>()

  async function answer(call: HookListenerCall) {
    const startedAt = performance.now()
    const { answer: given, outcome } = await forward(to, call)
    const took = Math.round(performance.now() - startedAt)
    const { accepted } = await post<{ accepted: boolean }>('/answers', { id: call.id, ...given }, never)
    say(`${call.point} ${call.id} → ${outcome} in ${took} ms${accepted ? '' : ', too late'}`)
  }

  function take(call: HookListenerCall) {
    const work = answer(call)
      .catch((error: unknown) => say(`${call.point} ${call.id}: ${reasonOf(error)}`))
      .finally(() => under.delete(work))
    under.add(work)
  }

  let isFirst = true
  while (!signal.aborted) {
    try {
      // The first request returns at once, so that what is refused is known before anything is promised.
      const wait = isFirst ? 1 : waitSeconds
      const { calls } = await post<{ calls: readonly HookListenerCall[] }>('/listen', { waitSeconds: wait }, signal)
      if (isFirst) say(`Ready: calls of hooks go to ${to}. Press Ctrl-C to stop.`)
      isFirst = false
      for (const call of calls) take(call)
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof CommandRefused) throw error
      if (isFirst) throw new CommandRefused(`${options.apiUrl} does not answer: ${reasonOf(error)}`)
      say(`${reasonOf(error)} Trying again.`)
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.allSettled(under)
  await post('/listen', { waitSeconds: 0 }, never).catch(() => undefined)
}

/** Runs until Ctrl-C, or until the process is told to end. */
export async function hooksListen(options: ListenOptions) {
  if (!URL.canParse(options.to) || !/^https?:$/.test(new URL(options.to).protocol))
    throw new CommandRefused('--to must be the URL of a program, such as http://localhost:3000/hook.')
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  await listenToHooks(options, stop.signal, (line) => console.log(line))
}
