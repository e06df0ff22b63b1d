// The tour of a document as data: its requests in order, each with the answer printed below it, and what its reader does in between; and
// the comparison of real answers with the printed ones.
import assert from 'node:assert/strict'

export type Step =
  | {
      readonly kind: 'request'
      /** A script for bash. */
      readonly request: string
      /** As it is printed. */
      readonly answer: string
      readonly isJson: boolean
      /** Whether it changes nothing, so that it can be repeated until work in the background is done. */
      readonly isRead: boolean
    }
  /** A file that the reader writes: a block below its name in backticks and a colon. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** A block `sh background`: a program that runs until the end of the tour. */
  | { readonly kind: 'program'; readonly command: string }
  /** A block `dns`: TXT records that the reader publishes. */
  | { readonly kind: 'records'; readonly text: string }

const block = /(?:`([\w.-]+)`:\n\n)?^```(\w*)(?: (\w+))?\n(.*?)^```$/gms
const answerLanguages: ReadonlySet<string> = new Set(['json', 'ini', 'text'])
const changes = / (?:-d|--data\S*|-F|-X|-T|-b|-c) /

interface Block {
  readonly fileName: string | undefined
  readonly language: string
  readonly mark: string | undefined
  readonly text: string
}

function stepOf({ fileName, language, mark, text }: Block, next: Block | undefined): Step[] {
  if (fileName !== undefined && language !== 'sh') return [{ kind: 'file', name: fileName, text }]
  if (language === 'dns') return [{ kind: 'records', text }]
  if (language !== 'sh') return []
  if (mark === 'background') return [{ kind: 'program', command: text.trim() }]
  assert.ok(
    next !== undefined && next.fileName === undefined && answerLanguages.has(next.language),
    `no answer stands under:\n${text}`,
  )
  const isRead = text.includes('curl') && !changes.test(text)
  return [{ kind: 'request', request: text, answer: next.text, isJson: next.language === 'json', isRead }]
}

/** Every fenced `sh` block with the `json`, `ini` or `text` block that follows it, and what else the reader does. */
export function tourOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(block)].map(([, fileName, language = '', mark, text = '']) => ({
    fileName,
    language,
    mark,
    text,
  }))
  return blocks.flatMap((each, index) => stepOf(each, blocks[index + 1]))
}

/** What differs from one installation to the next, by kind: a printed value represents one real value of its kind. */
const kinds: Readonly<Record<string, RegExp>> = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  id: /^c[a-z\d]{24}$/,
  'public key': /^pk_dev_[A-Za-z\d]{22}$/,
  'secret key': /^sk_dev_[A-Za-z\d]{49}$/,
  token: /^[a-z]{2}_(?:c[a-z\d]{24}_)?[A-Za-z\d]{49}$/,
  'signing secret': /^whsec_[A-Za-z\d+/]{32,}={0,2}$/,
  code: /^\d{6}$/,
  'request id': /^[\w-]{12}-[\da-z]+$/,
}
const named =
  /(?:\bc[a-z\d]{24}|\b(?:[ps]k_dev|up|se|dv|fl|oi|ti)_(?:c[a-z\d]{24}_)?[A-Za-z\d]+|\bwhsec_[A-Za-z\d+/=]+|(?<![\w.#])\d{6}(?!\w)|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)(?![A-Za-z\d])|(?<=&[ves]=)[\w-]+|(?<=bailiwick-verification=)[A-Za-z\d]+/g
/** A property with this name allows others that are not printed; a text that ends with it is compared no further. */
const leftOut = '…'

/** The real value of each printed one: the same on every page, and different for different printed values. */
export class Names {
  #real = new Map<string, string>()
  #printed = new Map<string, string>()

  /** Compares, and keeps what it has learnt only if the two are equal. */
  attempt(compare: () => void) {
    const [real, printed] = [new Map(this.#real), new Map(this.#printed)]
    try {
      compare()
    } catch (error) {
      this.#real = real
      this.#printed = printed
      throw error
    }
  }

  /** Returns a printed text with the real values in it. */
  inText(text: string): string {
    return text.replaceAll(named, (printed) => this.#real.get(printed) ?? printed)
  }

  /** Learns the names in a printed text from the real one, which must otherwise be equal. */
  learnFromText(printed: string, real: string, at = '') {
    const reals = [...real.matchAll(named)].map(([name]) => name)
    const prints = [...printed.matchAll(named)].map(([name]) => name)
    assert.equal(reals.length, prints.length, `at ${at}: ${real}`)
    for (const [index, name] of prints.entries()) this.#learn(name, reals[index] ?? '')
    assert.equal(real, this.inText(printed), `at ${at}`)
  }

  /** Compares a real value with a printed one. */
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
    if (kind === undefined && printed.endsWith(leftOut)) {
      assert.ok(real.startsWith(this.inText(printed.slice(0, -leftOut.length))), `at ${at}: ${real}`)
      return
    }
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
