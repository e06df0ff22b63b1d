// Strict decoders: each byte sequence has exactly one text, so no altered text counts as the same bytes.

export type Bytes = Uint8Array<ArrayBuffer>

/** RFC 4648 §4 with its padding; undefined for anything else. */
export function bytesOfBase64(text: string): Bytes | undefined {
  let binary: string
  try {
    binary = atob(text)
  } catch {
    return undefined
  }
  // atob ignores white space, missing padding and stray bits in the last character.
  return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined
}

/** RFC 4648 §5 without padding; undefined for anything else. */
export function bytesOfBase64Url(text: string): Bytes | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  return bytesOfBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding)
}
