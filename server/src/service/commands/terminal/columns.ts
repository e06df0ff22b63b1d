// Rows of a table as text.

/** What a tenant has named must not control the terminal. */
const printable = (text: string) => text.replaceAll(/\p{C}/gu, '?')

/** Returns a line for the titles and one for each row, with the columns below each other. */
export function columnsText(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [titles, ...rows].map((row) => row.map(printable))
  const widths = titles.map((_, index) => Math.max(...all.map((row) => (row[index] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}
