// An endpoint that speaks the k-anonymity protocol of Have I Been Pwned (https://haveibeenpwned.com/API/v3#PwnedPasswords): it gets the
// first five hexadecimal digits of a SHA-1 hash, and answers with the rest of all known hashes that begin so. It never learns the password.
import type { FindHash } from './breached-file.ts'

const prefixLength = 5
/** With padding, an answer has 800 to 1,000 lines of about 40 bytes. */
const answerLengthMax = 1_000_000
const timeoutMs = 2000

async function readText({ body }: Response): Promise<string> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.length > answerLengthMax) throw new Error('the endpoint of breached passwords answered too much')
  }
  return text
}

/**
 * @param address what the five digits are appended to, after a slash
 * @returns a function that rejects if the endpoint does not answer as the protocol says
 */
export const breachedEndpoint =
  (address: string): FindHash =>
  async (sha1) => {
    const hash = sha1.toString('hex').toUpperCase()
    const answer = await fetch(`${address}/${hash.slice(0, prefixLength)}`, {
      // The answer then has random lines too, with the count 0, so that its length does not tell what was asked.
      headers: { 'add-padding': 'true', 'user-agent': 'bailiwick' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      throw new Error(`the endpoint of breached passwords answered ${answer.status}`)
    }
    const rests = (await readText(answer)).split('\n').map((line) => line.trim().split(':'))
    return rests.some(([rest, count]) => rest?.toUpperCase() === hash.slice(prefixLength) && Number(count) > 0)
  }
