// Why a job failed, for those who look after the deployment. A reason may repeat what another server has said, and so the address of a person
// or a token; neither helps to find the cause.
const shownLengthMax = 200
/** Reasons are stored within this length; a longer one would take long. */
const readLengthMax = 2000

/* oxlint-disable bailiwick/linear-expressions -- the text that they are run on is short */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Only the server of a link is of use.
  [/\b([a-z][a-z\d+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#<>"']+)[^\s<>"']*/gi, '$1$2'],
  [/[^\s<>@"'(),;:]+@[^\s<>@"'(),;:]+/g, '<address>'],
  [/\+\d[\d ().-]{5,}\d/g, '<number>'],
  [/\b(?=[\w-]*\d)[\w-]{20,}/g, '<token>'],
  [/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '],
]
/* oxlint-enable bailiwick/linear-expressions */

/** Returns the reason without addresses of people, tokens and paths, and cut if it is long. */
export function shownReason(reason: string): string {
  const shown = patterns.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), reason.slice(0, readLengthMax))
  return shown.length > shownLengthMax ? `${shown.slice(0, shownLengthMax)}…` : shown
}
