// Makes source maps smaller: they name the lines of the sources, which is what a stack trace is read for, and no columns. A compiler's map has
// some ten places for each line, which take more room than the module.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Returns the numbers of one place, as "Source Map" (ECMA-426) writes them: base 64, five bits in each digit, the sign in the lowest bit. */
function decode(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of text) {
    const bits = digits.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

function encode(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const bits = rest & 31
    rest >>= 5
    text += digits.charAt(rest > 0 ? bits | 32 : bits)
  } while (rest > 0)
  return text
}

/** Returns mappings that say where each line of a source begins in each line of the module. */
export function keepLines(mappings: string): string {
  let [source, line] = [0, 0]
  let [keptSource, keptLine] = [0, 0]
  const lines = mappings.split(';').map((places) => {
    let [column, keptColumn] = [0, 0]
    let kept = ''
    let last: string | undefined
    for (const place of places === '' ? [] : places.split(',')) {
      const [columnStep = 0, sourceStep, lineStep = 0] = decode(place)
      column += columnStep
      if (sourceStep === undefined) continue
      source += sourceStep
      line += lineStep
      const here = `${source}:${line}`
      if (here === last) continue
      last = here
      const parts = [column - keptColumn, source - keptSource, line - keptLine, 0]
      kept += `${kept === '' ? '' : ','}${parts.map(encode).join('')}`
      ;[keptColumn, keptSource, keptLine] = [column, source, line]
    }
    return kept
  })
  return lines.join(';')
}
