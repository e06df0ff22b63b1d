// The language that a browser prefers (RFC 9110 §12.5.4). Only the first one counts: the texts of the tenant are preferred to any later
// one.
const lengthMax = 1000
const rangesMax = 30

function parseRange(range: string) {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
  return { tag, weight: weight === undefined ? 1 : Number(weight) }
}

/** Returns a canonical BCP 47 tag (`de`, `pt-BR`); undefined if there is none, or it cannot be parsed. */
export function preferredLanguage(header: string | undefined): string | undefined {
  if (header === undefined || header.length > lengthMax) return undefined
  let best: { readonly tag: string; readonly weight: number } | undefined
  for (const range of header.split(',', rangesMax).map(parseRange)) {
    if (range.weight > (best?.weight ?? 0) && range.weight <= 1) best = range
  }
  // Programs send `*`, and an exception would cost more than the rest of this function.
  if (best === undefined || best.tag === '*') return undefined
  try {
    return Intl.getCanonicalLocales(best.tag)[0]
  } catch {
    // It is not a language tag.
    return undefined
  }
}
