const secondsIn = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60, w: 7 * 24 * 60 * 60 } as const

/**
 * Returns how many whole seconds a duration has: a number of seconds, or a text such as `90s`, `15m`, `12h`, `30d` or `2w`.
 * @throws TypeError for anything else.
 */
export function secondsOfDuration(duration: number | string): number {
  const [, count = '', unit = ''] = typeof duration === 'string' ? (/^(\d{1,9})([smhdw])$/.exec(duration) ?? []) : []
  const seconds = typeof duration === 'number' ? duration : Number(count) * secondsIn[unit as keyof typeof secondsIn]
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new TypeError(`a duration is a number of whole seconds, or a text such as 15m, 12h or 30d, not ${duration}`)
  }
  return seconds
}
