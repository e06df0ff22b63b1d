import type { Rgba } from '@bailiwick/contract'

/** As sharp takes a colour. */
export const cssOf = ([r, g, b, alpha]: Rgba) => ({ r, g, b, alpha: alpha / 255 })
