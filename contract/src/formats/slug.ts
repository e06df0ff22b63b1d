const lengthMin = 4
const lengthMax = 32
const allowedCharacters = /^[A-Za-z0-9_-]{4,32}$/
const fallback = 'tenant'

export const slugRule = 'must be 4 to 32 letters, digits, hyphens or underscores'

export const isSlug = (value: string): boolean => allowedCharacters.test(value)

/** What uniqueness is decided on. */
export const slugKey = (value: string): string => value.toLowerCase()

/** A slug for any name: accents dropped, what is not an ASCII letter or digit turned into hyphens, at least `tenant`. */
export function slugFromName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, lengthMax)
    .replace(/-$/, '')
  if (words.length >= lengthMin) return words
  return words === '' ? fallback : `${fallback}-${words}`
}

/** The nth slug to try when `slug` is taken: `acme-2`, `acme-3`; the slug gives way where the number needs its place. */
export function slugVariant(slug: string, n: number): string {
  const suffix = `-${n}`
  return slug.slice(0, lengthMax - suffix.length).replace(/-$/, '') + suffix
}
