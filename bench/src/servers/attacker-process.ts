// An attacker who may upload, and sends images: damaged ones, or the intact ones from which those were made.
import { setTimeout as sleep } from 'node:timers/promises'
import { mutated, random, validFiles, validSvg } from '@bailiwick/server/test/harness/files/hostile-files.ts'
import { ImageSender, type SentImage } from '../load/image-sender.ts'
import type { Attack, AttackTarget } from './attacker.ts'
import { answerQuestions } from './child-process.ts'

export type AttackQuestion =
  | ({ readonly kind: 'prepare' } & AttackTarget)
  | ({ readonly kind: 'attack' } & Attack)
  | { readonly kind: 'outcome' }

export interface Outcome {
  taken: number
  refused: number
}

/** Fewer than the service allows to wait, so that each file is looked at. */
const atOnce = 16

/** How many of the damaged ones were accepted, and how many refused. */
const outcome: Outcome = { taken: 0, refused: 0 }
const sent = { damaged: 0, whole: 0 }
let target: AttackTarget | undefined
let whole: readonly SentImage[] = []
let damaged: readonly SentImage[] = []

async function wholeFiles(count: number): Promise<SentImage[]> {
  const files: SentImage[] = []
  for (let shift = 0; files.length < count; shift++) {
    files.push({ mime: 'image/svg+xml', bytes: validSvg(shift) })
    for (const [kind, make] of Object.entries(validFiles)) {
      files.push({ mime: `image/${kind.split(' ').at(-1) ?? kind}`, bytes: await make(shift) })
    }
  }
  return files.slice(0, count)
}

async function attack({ port, tenant }: AttackTarget, { what, files: count, seconds }: Attack) {
  const files = what === 'whole' ? whole : damaged
  const startedAt = performance.now()
  let begun = 0
  const lane = async () => {
    const sender = new ImageSender(port, tenant)
    while (begun < count) {
      const dueAt = startedAt + (begun++ / count) * seconds * 1000
      await sleep(Math.max(0, dueAt - performance.now()))
      const file = files[sent[what]++ % files.length]
      if (file === undefined) continue
      const isTaken = await sender.send(file)
      if (what === 'damaged') outcome[isTaken ? 'taken' : 'refused']++
    }
    sender.close()
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

answerQuestions(async (question: AttackQuestion) => {
  if (question.kind === 'prepare') {
    target = question
    whole = await wholeFiles(question.files)
    const next = random(1)
    damaged = whole.map(({ mime, bytes }) => ({ mime, bytes: mutated(bytes, next) }))
  } else if (question.kind === 'attack') {
    if (target === undefined) throw new Error('nobody was named to be attacked')
    await attack(target, question)
  }
  return outcome
})
