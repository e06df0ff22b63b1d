const lengthMin = 4
const lengthMax = 32
const allowedCharacters = /^[A-Za-z0-9_-]{4,32}$/
const fallback = 'tenant'

/** As the service makes ids. Pages are found by slug or id, so that such a slug could stand for another tenant. */
const idShape = /^c[0-9a-z]{24}$/i

export const slugRule = 'must be 4 to 32 letters, digits, hyphens or underscores, and not look like an id'

export const isSlug = (value: string): boolean => allowedCharacters.test(value) && !idShape.test(value)

/** Returns the key that decides about uniqueness. */
export const slugKey = (value: string): string => value.toLowerCase()

/**
 * Makes a slug from any name: accents are dropped, everything but ASCII letters and digits becomes a hyphen, and the minimum is `tenant`.
 */
export function slugFromName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, lengthMax)
    .replace(/-$/, '')
  if (idShape.test(words)) return words.slice(0, -1)
  if (words.length >= lengthMin) return words
  return words === '' ? fallback : `${fallback}-${words}`
}

/** Returns the nth slug to try when `slug` is taken: `acme-2`, `acme-3`. The slug is shortened if there is no room for the number. */
export function slugVariant(slug: string, n: number): string {
  const suffix = `-${n}`
  return slug.slice(0, lengthMax - suffix.length).replace(/-$/, '') + suffix
}
