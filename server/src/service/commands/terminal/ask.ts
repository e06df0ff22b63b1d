// Asks the person at the terminal for secrets.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandRefused } from '../../outcome.ts'

/** Asks without showing what is typed. */
export function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => {
      process.stderr.write('\n')
      reject(new CommandRefused('nothing was entered'))
    })
  })
}

/** Asks twice, because the person cannot see what was typed. */
export async function askTwice(question: string): Promise<string> {
  const first = await ask(question)
  if ((await ask('Repeat it: ')) !== first) throw new CommandRefused('the two entries differ')
  return first
}

/** Whether there is a person who can be asked. */
export const isTerminal = () => process.stdin.isTTY && process.stderr.isTTY

/** Asks once, showing what is typed. */
async function askOpenly(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('close', () => reject(new CommandRefused('nothing was entered')))
      terminal.question(question, resolve)
    })
  } finally {
    terminal.close()
  }
}

/** Asks for a text; the fallback is taken if nothing is entered. */
export const askText = async (question: string, fallback: string): Promise<string> =>
  (await askOpenly(`${question} [${fallback}]: `)).trim() || fallback

/** Asks which of some, by number; the first is taken if nothing is entered. */
export async function choose<Choice extends string>(
  question: string,
  choices: readonly [Choice, ...Choice[]] | readonly Choice[],
): Promise<Choice> {
  const lines = choices.map((choice, index) => `  ${index + 1}  ${choice}`)
  for (;;) {
    const text = await askOpenly(`${question}\n${lines.join('\n')}\nNumber [1]: `)
    const chosen = choices[Number(text.trim() || '1') - 1]
    if (chosen !== undefined) return chosen
    process.stderr.write(`Enter a number from 1 to ${choices.length}.\n`)
  }
}
