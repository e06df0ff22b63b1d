// Solves the puzzle of a form: it begins when the user enters the form, so that the answer is there when the form is sent. The browser hashes
// outside the page's own thread; a worker would need a policy of trusted types. If anything fails the form is sent without an answer.

interface Puzzle {
  readonly algorithm: string
  readonly challenge: string
  readonly salt: string
  readonly maxnumber: number
}

const atOnce = 256
/** A puzzle is valid for ten minutes. */
const freshMs = 9 * 60_000

const encoder = new TextEncoder()
const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function solve(puzzle: Puzzle): Promise<string> {
  const { algorithm, challenge, salt, maxnumber } = puzzle
  for (let first = 0; first <= maxnumber; first += atOnce) {
    const numbers = Array.from({ length: atOnce }, (_, index) => first + index)
    const hashes = await Promise.all(
      numbers.map((number) => crypto.subtle.digest(algorithm, encoder.encode(salt + String(number)))),
    )
    const found = hashes.findIndex((bytes) => toHex(bytes) === challenge)
    if (found >= 0) return btoa(JSON.stringify({ ...puzzle, number: first + found }))
  }
  return ''
}

async function answerFrom(address: string): Promise<string> {
  try {
    const response = await fetch(address)
    const body = (await response.json()) as {
      readonly data: { readonly challenge: { readonly puzzle: Puzzle } | null }
    }
    const { challenge } = body.data
    return challenge === null ? '' : await solve(challenge.puzzle)
  } catch {
    return ''
  }
}

function serve(form: HTMLFormElement) {
  const input = form.elements.namedItem('challenge')
  if (!(input instanceof HTMLInputElement)) return
  let answer: Promise<string> | undefined
  let begunAt = 0
  let isReady = false
  const begin = () => {
    if (answer === undefined || performance.now() - begunAt > freshMs) {
      begunAt = performance.now()
      answer = answerFrom(form.dataset['challenge'] ?? '')
    }
    return answer
  }
  form.addEventListener('focusin', () => void begin())
  form.addEventListener('submit', (event) => {
    if (isReady) return
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    void begin().then((value) => {
      input.value = value
      isReady = true
      form.ariaBusy = null
      // The answer may have been there already: a form does not send itself while this event is still being handled.
      setTimeout(() => form.requestSubmit(event.submitter))
    })
  })
  // The browser may show the page again as the user left it, with an answer that is used up.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    input.value = ''
    answer = undefined
    isReady = false
  })
}

document.querySelectorAll<HTMLFormElement>('form[data-challenge]').forEach(serve)
