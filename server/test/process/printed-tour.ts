// The tour of a document as data: its requests in order, each with the answer that stands under it; and how an answer that
// was really given is held against the one that is printed.
import assert from 'node:assert/strict'

export interface Step {
  /** A script for bash. */
  readonly request: string
  /** As it is printed. */
  readonly answer: string
  readonly isJson: boolean
}

const block = /^```(\w*)\n(.*?)^```$/gms

/** Every fenced `sh` block with the `json`, `ini` or `text` block that follows it. */
export function tourOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(block)].map(([, language = '', text = '']) => ({ language, text }))
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return []
    const answer = blocks[index + 1]
    assert.ok(
      answer !== undefined && ['json', 'ini', 'text'].includes(answer.language),
      `no answer stands under:\n${text}`,
    )
    return [{ request: text, answer: answer.text, isJson: answer.language === 'json' }]
  })
}

/** What differs from one installation to the next, by kind: a printed value stands for one real value of its kind. */
const kinds: Readonly<Record<string, RegExp>> = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  id: /^c[a-z\d]{24}$/,
  'public key': /^pk_dev_[A-Za-z\d]{22}$/,
  'secret key': /^sk_dev_[A-Za-z\d]{49}$/,
  'request id': /^[\w-]{12}-[\da-z]+$/,
}
const named =
  /\b(?:c[a-z\d]{24}|(?:[ps]k_dev|up)_[A-Za-z\d]+|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)(?![A-Za-z\d])|(?<=&[ves]=)[\w-]+/g
/** A property of this name allows for others that are not printed. */
const leftOut = '…'

/** Which real value each printed one stands for; the same one on every page, and no two for the same. */
export class Names {
  readonly #real = new Map<string, string>()
  readonly #printed = new Map<string, string>()

  /** A printed text with the real values in it. */
  inText(text: string): string {
    return text.replaceAll(named, (printed) => this.#real.get(printed) ?? printed)
  }

  /** Learns the names of a printed text from the real one, which must otherwise be the same. */
  learnFromText(printed: string, real: string, at = '') {
    const reals = [...real.matchAll(named)].map(([name]) => name)
    const prints = [...printed.matchAll(named)].map(([name]) => name)
    assert.equal(reals.length, prints.length, `at ${at}: ${real}`)
    for (const [index, name] of prints.entries()) this.#learn(name, reals[index] ?? '')
    assert.equal(real, this.inText(printed), `at ${at}`)
  }

  /** Holds a real value against a printed one. */
  assertSame(printed: unknown, real: unknown, at = ''): void {
    if (typeof printed === 'string' && typeof real === 'string') return this.#assertSameText(printed, real, at)
    if (typeof printed !== 'object' || printed === null || typeof real !== 'object' || real === null) {
      assert.equal(real, printed, `at ${at}`)
      return
    }
    assert.equal(Array.isArray(real), Array.isArray(printed), `at ${at}`)
    const { [leftOut]: isShortened, ...rest } = printed as Record<string, unknown>
    const realKeys = Object.keys(real).filter((key) => isShortened === undefined || key in rest)
    assert.deepEqual(new Set(realKeys), new Set(Object.keys(rest)), `at ${at}`)
    for (const [key, value] of Object.entries(rest)) this.assertSame(value, Reflect.get(real, key), `${at}/${key}`)
  }

  #assertSameText(printed: string, real: string, at: string) {
    const kind = Object.entries(kinds).find(([, pattern]) => pattern.test(printed))
    if (kind === undefined) return this.learnFromText(printed, real, at)
    assert.match(real, kind[1], `no ${kind[0]} at ${at}`)
    this.#learn(printed, real)
  }

  #learn(printed: string, real: string) {
    assert.equal(this.#real.get(printed) ?? real, real, `${printed} stands for two values`)
    assert.equal(this.#printed.get(real) ?? printed, printed, `${real} is printed in two ways`)
    this.#real.set(printed, real)
    this.#printed.set(real, printed)
  }
}
