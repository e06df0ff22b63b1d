// The step `once`. A POST with an Idempotency-Key takes effect once, however often it is sent, and always gets the first answer.
// The steps inside it run with a claim to the key. The first transaction that the operation opens takes the key as its first statement
// (claim.ts), so that key and effect are committed together or not at all. A second request with the key, on any node, is rolled back by
// the key's constraint. As soon as the operation has returned, its answer is sealed and stored with the key. If the process ends between
// the two, the key has no answer: the request is then answered 409 idempotency_answer_lost and never run again.
import { Content, Serialized, json } from '../http/answer.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import type { AnyCall } from '../http/management-steps.ts'
import { type Operation, type Step, runSteps } from '../http/pipeline.ts'
import type { Idempotency } from './idempotency.ts'

/** Returns JSON or other text as it is sent. */
function textOf({ answer }: AnyCall, { endpoint }: Operation<AnyCall>) {
  if (answer instanceof Serialized) return { type: json, body: answer.json }
  if (answer !== undefined && typeof answer.body === 'string') return { type: answer.type, body: answer.body }
  throw new Error(`${endpoint.id} answers a POST with what cannot be answered again`)
}

/**
 * @param authorize enters the tenant that was found; it runs again before a stored answer is sent.
 * @param steps everything from finding the tenant to making the answer, which must not happen twice.
 */
export function once(
  idempotency: Idempotency,
  authorize: Step<AnyCall>,
  steps: readonly Step<AnyCall>[],
): Step<AnyCall> {
  async function runOnce(call: AnyCall, operation: Operation<AnyCall>, key: string) {
    const { principal, request, reply } = call
    const { method, url, body } = request
    const { answer, isReplayed } = await idempotency.run({ key, principal, method, url, body }, async () => {
      await runSteps(steps, call, operation)
      return { ...textOf(call, operation), tenantId: call.tenantId ?? null }
    })
    call.answer = new Content(answer.type, answer.body)
    if (!isReplayed) return
    // The caller may have lost a permission since, also in a second tenant that the operation read from.
    call.located = answer.tenantId ?? undefined
    await authorize(call, operation)
    reply.header('idempotency-replayed', 'true')
  }

  return (call, operation) => {
    const key = idempotencyKeyOf(operation.endpoint, call.request)
    return key === undefined ? runSteps(steps, call, operation) : runOnce(call, operation, key)
  }
}
