// The smallest edits of an app's own files. Where a file is not as expected, the person is told what to write, and nothing is guessed.
import { CommandRefused } from '../../outcome.ts'

/** Returns the text with a statement after its last import, `require` or directive; at its beginning if it has none. */
export function addImport(text: string, statement: string): string {
  if (text.includes(statement)) return text
  const lines = text.split('\n')
  const isImport = (line: string) =>
    /^import\b.*['"];?\s*$/.test(line) || /^\} from ['"]/.test(line) || /^(?:const|let|var) .*= require\(/.test(line)
  const last = lines.findLastIndex(isImport)
  const ending = lines[last]?.trimEnd().endsWith(';') === true ? ';' : ''
  const directive = /^['"]use /.test(lines[0] ?? '') ? 1 : 0
  const place = last === -1 ? directive : last + 1
  return [...lines.slice(0, place), statement + ending, ...lines.slice(place)].join('\n')
}

/**
 * Returns the text with another line after the only one that the expression finds, as far in as that.
 * @throws CommandRefused if there is no such line, or more than one.
 */
export function addLineAfter(text: string, line: RegExp, added: string, file: string): string {
  const lines = text.split('\n')
  const found = lines.flatMap((each, index) => (line.test(each) ? [index] : []))
  const [place] = found
  const anchor = place === undefined ? undefined : lines[place]
  if (place === undefined || anchor === undefined || found.length > 1) throw unexpected(file, added)
  const indentation = anchor.slice(0, anchor.length - anchor.trimStart().length)
  const ending = anchor.trimEnd().endsWith(';') ? ';' : ''
  return [...lines.slice(0, place + 1), `${indentation}${added}${ending}`, ...lines.slice(place + 1)].join('\n')
}

/**
 * Returns the text with an element around the only place that has this text.
 * @throws CommandRefused if there is no such place, or more than one.
 */
export function wrap(text: string, inner: string, element: string, file: string): string {
  const [before = '', after, ...more] = text.split(inner)
  if (after === undefined || more.length > 0) throw unexpected(file, `<${element}>${inner}</${element}>`)
  const lineStart = before.slice(before.lastIndexOf('\n') + 1)
  const isAlone = lineStart.trim() === '' && /^,?\s*(?:\n|$)/.test(after)
  const wrapped = isAlone
    ? `<${element}>\n${lineStart}  ${inner}\n${lineStart}</${element}>`
    : `<${element}>${inner}</${element}>`
  return before + wrapped + after
}

const unexpected = (file: string, added: string) =>
  new CommandRefused(
    `${file} is not as expected, so nothing was changed. Add this to it by hand, then run the command again: ${added}`,
  )
