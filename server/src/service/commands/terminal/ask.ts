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
