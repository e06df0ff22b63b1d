import type { Frame } from '../frame.ts'

const rightToLeft = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufeff]/
const isolates = /[\u2066-\u2069]/g

/**
 * Isolates a name that somebody has chosen: neither its direction nor direction marks in it affect the words around it. It is meant for
 * texts that can contain no elements, such as titles; elsewhere `<bdi>` does the same.
 */
export function isolated({ language }: Pick<Frame, 'language'>, name: string): string {
  const plain = name.replaceAll(isolates, '')
  return language.direction === 'rtl' || rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain
}
