// Lengths of time as people enter them: a number and a unit.
export const durationUnits = [
  { value: 86_400, label: 'days' },
  { value: 3600, label: 'hours' },
  { value: 60, label: 'minutes' },
  { value: 1, label: 'seconds' },
] as const

/** Returns the largest unit in which a length of time is a whole number: `604800` is 7 days. */
export function unitFor(seconds: number): number {
  const fitting = durationUnits.find(({ value }) => seconds >= value && seconds % value === 0)
  return fitting?.value ?? 1
}
