// Fakes a service's answers, and records what was requested of it.
import { BailiwickError, type Fetch } from '@bailiwick/sdk'

type Init = Parameters<Fetch>[1]
/** A form is in `form`, and every other body is text. */
export type Sent = Omit<Init, 'body'> & { readonly url: string; readonly body?: string; readonly form?: FormData }
export type Answer = Response | Error | ((sent: Sent) => Promise<Response>)

export const baseUrl = 'https://id.example.com/api/v0'
export const requestId = 'req_1'

interface Head {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (body: unknown, { headers, status = 200 }: Head = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export const errorAnswer = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ status: 'error', code, message: `It is ${code}.`, requestId }, { status, headers })

/** Gives the answers in turn, the last one for ever; an Error represents a connection that fails. */
export function scripted(...answers: readonly Answer[]) {
  const sent: Sent[] = []
  const fetch: Fetch = async (url, init) => {
    const { body, ...others } = init
    const form = typeof body === 'string' || body === undefined ? { body } : { form: body }
    const given = { ...others, ...form, url } as Sent
    sent.push(given)
    const answer = answers[Math.min(sent.length, answers.length) - 1]
    if (answer === undefined) throw new Error('the test has no answer')
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(given) : answer.clone()
  }
  return { fetch, sent }
}

/** Never answers; rejects when the request is aborted. */
export const silence = ({ signal }: Pick<Sent, 'signal'>) =>
  new Promise<Response>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** Lets everything continue that waits for no timer. */
export async function settle() {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => void setImmediate(resolve))
}

/** Returns the reason that the promise is rejected with, as a failed call. */
export async function describeFailure(call: Promise<unknown>): Promise<BailiwickError> {
  const outcome: unknown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof BailiwickError)) throw outcome
  return outcome
}

/** Returns all values, including those before a failure. */
export async function collect<Value>(values: AsyncIterable<Value>, into: Value[] = []): Promise<Value[]> {
  for await (const value of values) into.push(value)
  return into
}
