/** Returns what the text encodes, spaces and line breaks aside; undefined unless it is base64 to its last character. */
export function fromBase64(text: string): Buffer | undefined {
  const compact = text.replaceAll(/[ \t\r\n]/g, '')
  if (compact === '' || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return undefined
  return Buffer.from(compact, 'base64')
}
