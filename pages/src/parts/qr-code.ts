// A QR code as SVG within the page. The policy allows no inline style, so the style sheet sets its colours.
import { encode } from 'uqr'
import { type Html, html } from '../html.ts'

/** The light margin around the code, in modules, as scanners require it (ISO/IEC 18004 §6.3.8). */
const quiet = 4

/** Returns the runs of dark modules of a row as rectangles of a path. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue
    let end = x
    while (row[end] === true) end++
    path += `M${x} ${y}h${end - x}v1h${x - end}z`
    x = end
  }
  return path
}

/** @param label the text for screen readers. */
export function qrCode(value: string, label: string): Html {
  const { data, size } = encode(value, { ecc: 'M', border: quiet })
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path d="${data.map(runsOf).join('')}" />
  </svg> `
}
