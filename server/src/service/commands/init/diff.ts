// Shows what a change adds to a file and removes from it, as `diff -u` does.
import type { Change } from './project.ts'

const contextLines = 2
/** Secrets are written into the file, not onto the terminal. */
const secret = /((?:SECRET|OPERATOR)\w*=\w{2,4}_)\S+/

interface Line {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

const splitLines = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Returns the lines of both texts: what they have in common at the beginning and the end, and the difference between. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = []
  let [from, to] = [0, 0]
  while (from < before.length || to < after.length) {
    const [old, text] = [before[from], after[to]]
    if (old !== undefined && old === text) {
      lines.push({ sign: ' ', text: old })
      from++
      to++
      continue
    }
    // The edits add lines, or replace one by some that contain it.
    const isKeptLater = old !== undefined && after.indexOf(old, to) !== -1
    if (old !== undefined && !isKeptLater) {
      lines.push({ sign: '-', text: old })
      from++
    } else if (text !== undefined) {
      lines.push({ sign: '+', text })
      to++
    }
  }
  return lines
}

export function diffText({ after, before, file }: Change): string {
  const lines = compare(splitLines(before ?? ''), splitLines(after))
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ sign }) => sign !== ' ')
  const body = lines.flatMap(({ sign, text }, index) => {
    if (!isNear(index)) return index > 0 && isNear(index - 1) ? ['…'] : []
    return [`${sign}${text.replace(secret, '$1…')}`]
  })
  return [`--- ${before === undefined ? 'new file' : file}`, `+++ ${file}`, ...body].join('\n')
}
