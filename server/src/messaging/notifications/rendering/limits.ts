// The limits for rendering one template.
import type { ChannelType } from '@bailiwick/contract'

/** Processor time, without waiting for a turn. */
export const timeMsMax = 1000
/** The size of the heap in which templates are rendered. */
export const memoryMegabytesMax = 64
/** The size of a template's variables as JSON. */
export const variableBytesMax = 65_536

export type TemplatePart = 'subject' | 'body'

export interface OutputLimit {
  readonly unit: 'bytes' | 'characters'
  readonly max: number
}

/** For everything except text messages. */
export const documentLimit = { unit: 'bytes', max: 262_144 } as const
/** The longest text that SMS gateways accept; longer ones are not for phones. */
const textLimit = { unit: 'characters', max: 1600 } as const
/** A subject is one line of a header. */
const subjectLimit = { unit: 'characters', max: 1000 } as const

export function outputLimit(type: ChannelType, part: TemplatePart): OutputLimit {
  if (part === 'subject') return subjectLimit
  return type === 'sms' || type === 'chat' || type === 'push' ? textLimit : documentLimit
}

/** Formats a number without `Intl`, which would load 8 MB of Unicode data. */
// oxlint-disable-next-line bailiwick/linear-expressions -- a number has few digits
const counted = (count: number) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

export const tooSlow = `takes longer than ${counted(timeMsMax)} ms`
export const tooBig = `takes more than ${memoryMegabytesMax} MB of memory`
export const tooLong = ({ unit, max }: OutputLimit) => `produces more than ${counted(max)} ${unit}`
export const tooMuchToTell = `has more than ${counted(variableBytesMax)} bytes of variables`
