// Why a job failed, for those who look after the deployment. A reason may repeat what another server has said, and so the address of a person
// or a token; neither helps to find the cause.
const shownLengthMax = 200

const patterns: readonly (readonly [RegExp, string])[] = [
  // Only the server of a link is of use.
  [/\b([a-z][a-z\d+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#<>"']+)[^\s<>"']*/gi, '$1$2'],
  [/[^\s<>@"'(),;:]+@[^\s<>@"'(),;:]+/g, '<address>'],
  [/\+\d[\d ().-]{5,}\d/g, '<number>'],
  [/\b(?=[\w-]*\d)[\w-]{20,}/g, '<token>'],
  [/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '],
]

/** Returns the reason without addresses of people, tokens and paths, and cut if it is long. */
export function shownReason(reason: string): string {
  const shown = patterns.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), reason)
  return shown.length > shownLengthMax ? `${shown.slice(0, shownLengthMax)}…` : shown
}
