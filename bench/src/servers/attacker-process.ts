// Somebody who may upload, and sends nothing but damaged images.
import { setTimeout as sleep } from 'node:timers/promises'
import { mutated, random, validFiles, validSvg } from '@bailiwick/server/test/hostile-files.ts'
import type { AttackTarget } from './attacker.ts'
import { answerQuestions } from './child-process.ts'

export type AttackQuestion =
  | ({ readonly kind: 'prepare' } & AttackTarget)
  | { readonly kind: 'attack'; readonly files: number; readonly seconds: number }
  | { readonly kind: 'outcome' }

export interface Outcome {
  taken: number
  refused: number
}

interface HostileFile {
  readonly mime: string
  readonly bytes: Buffer
}

/** Fewer than the service lets wait in its line, so that each file is looked at. */
const atOnce = 16

const outcome: Outcome = { taken: 0, refused: 0 }
let target: AttackTarget | undefined
let files: readonly HostileFile[] = []
let sent = 0

async function hostileFiles(count: number): Promise<HostileFile[]> {
  const valid: HostileFile[] = [{ mime: 'image/svg+xml', bytes: validSvg }]
  for (const [kind, make] of Object.entries(validFiles)) {
    valid.push({ mime: `image/${kind.split(' ').at(-1) ?? kind}`, bytes: await make() })
  }
  const next = random(1)
  return Array.from({ length: count }, (_, index) => {
    const { mime, bytes } = valid[index % valid.length] ?? { mime: '', bytes: validSvg }
    return { mime, bytes: mutated(bytes, next) }
  })
}

async function call(url: string, init: RequestInit): Promise<{ readonly ok: boolean; readonly text: string }> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${url} answered ${response.status} ${text}`)
  return { ok: response.ok, text }
}

async function send({ port, tenant }: AttackTarget, { mime, bytes }: HostileFile) {
  const base = `http://127.0.0.1:${port}`
  const announced = await call(`${base}/api/v0/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      tenantId: tenant.id,
      access: 'public',
      originalFilename: 'picture',
      mime,
      size: bytes.length,
    }),
  })
  if (!announced.ok) throw new Error(`an upload cannot be announced: ${announced.text}`)
  const { id, uploadUrl } = JSON.parse(announced.text) as { readonly id: string; readonly uploadUrl: string }
  const { pathname, search } = new URL(uploadUrl)
  const headers = { 'content-type': mime }
  const kept = await call(`${base}${pathname}${search}`, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  outcome[kept.ok ? 'taken' : 'refused']++
  if (!kept.ok) return
  for (const query of ['w=20&f=jpeg', 'w=30&f=webp']) {
    await call(`${base}/api/v0/media/${tenant.id}/${id}/image?${query}`, {})
  }
}

async function attack(at: AttackTarget, count: number, seconds: number) {
  const startedAt = performance.now()
  let begun = 0
  const lane = async () => {
    while (begun < count) {
      const dueAt = startedAt + (begun++ / count) * seconds * 1000
      await sleep(Math.max(0, dueAt - performance.now()))
      const file = files[sent++ % files.length]
      if (file !== undefined) await send(at, file)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

answerQuestions(async (question: AttackQuestion) => {
  if (question.kind === 'prepare') {
    target = question
    files = await hostileFiles(question.files)
  } else if (question.kind === 'attack') {
    if (target === undefined) throw new Error('nobody was named to be attacked')
    await attack(target, question.files, question.seconds)
  }
  return outcome
})
