// What rendering one template may take and give.
import type { ChannelType } from '@bailiwick/contract'

/** Of the processor's time, not counting what a template waits for its turn. */
export const timeMsMax = 1000
/** Of the heap that templates are rendered in. */
export const memoryMegabytesMax = 64
/** Of the variables that a template is told, as JSON. */
export const variableBytesMax = 65_536

export type TemplatePart = 'subject' | 'body'

export interface OutputLimit {
  readonly unit: 'bytes' | 'characters'
  readonly max: number
}

/** Of whatever is no text to a phone. */
export const documentLimit = { unit: 'bytes', max: 262_144 } as const
/** The longest text that the gateways for text messages take; more than that is no message to a phone. */
const textLimit = { unit: 'characters', max: 1600 } as const
/** A subject is one line of a header. */
const subjectLimit = { unit: 'characters', max: 1000 } as const

export function outputLimit(type: ChannelType, part: TemplatePart): OutputLimit {
  if (part === 'subject') return subjectLimit
  return type === 'sms' || type === 'chat' || type === 'push' ? textLimit : documentLimit
}

/** Written without `Intl`, which would load 8 MB of Unicode's data. */
const counted = (count: number) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

export const tooSlow = `takes longer than ${counted(timeMsMax)} ms`
export const tooBig = `takes more than ${memoryMegabytesMax} MB of memory`
export const tooLong = ({ unit, max }: OutputLimit) => `gives more than ${counted(max)} ${unit}`
export const tooMuchToTell = `is told more than ${counted(variableBytesMax)} bytes of variables`
