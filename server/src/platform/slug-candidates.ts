import { slugFromName, slugVariant } from '@bailiwick/contract'

const variantsMax = 20

/** Slugs to try, best first: the one that was asked for and no other, or variants of the name's. */
export function* slugCandidates(
  input: { readonly name: string; readonly slug?: string },
  id: string,
): Generator<string> {
  if (input.slug !== undefined) return yield input.slug
  const base = slugFromName(input.name)
  yield base
  for (let n = 2; n < variantsMax; n++) yield slugVariant(base, n)
  // So many of one name: the id's random part settles it.
  yield slugVariant(base, Number.parseInt(id.slice(-6), 36))
}
