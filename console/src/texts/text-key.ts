/** Returns the name of a text in a file of translations: 32 bits of FNV-1a, so that the file has no English in it. */
export function textKey(text: string): string {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  return (hash >>> 0).toString(36)
}
