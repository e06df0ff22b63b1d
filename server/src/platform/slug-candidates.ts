import { slugFromName, slugVariant } from '@bailiwick/contract'

const variantsMax = 20

/** Returns slugs to try, best first: only the requested one, or variants of the name's. */
export function* slugCandidates(
  input: { readonly name: string; readonly slug?: string },
  id: string,
): Generator<string> {
  if (input.slug !== undefined) return yield input.slug
  const base = slugFromName(input.name)
  yield base
  for (let n = 2; n < variantsMax; n++) yield slugVariant(base, n)
  // If all of these are taken, the random part of the id makes the slug unique.
  yield slugVariant(base, Number.parseInt(id.slice(-6), 36))
}
