// Numbers over days as lines. The library is loaded with the first chart; the same numbers are also in a table, for people who cannot see
// the chart.
import { useEffect, useRef } from 'react'
import 'uplot/dist/uPlot.min.css'
import { locale } from '../texts/translate.ts'

export interface Series {
  readonly label: string
  readonly values: readonly number[]
  /** A token of the theme, such as `--primary`. */
  readonly color: string
}

interface ChartProps {
  readonly label: string
  /** Days in UTC, such as 2026-11-20, oldest first. */
  readonly days: readonly string[]
  readonly series: readonly Series[]
}

const height = 160
const shortDay = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

/** A colour of the theme as the canvas needs it; it may change while the chart is shown. */
function colorOf(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

async function draw(element: HTMLElement, days: readonly string[], series: readonly Series[]) {
  const { default: UPlot } = await import('uplot')
  const axis = {
    stroke: () => colorOf(element, '--muted-foreground'),
    grid: { stroke: () => colorOf(element, '--border'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  return new UPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: true }, y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          values: (_plot, seconds) => seconds.map((each) => shortDay.format(each * 1000)),
          space: 64,
        },
        {
          ...axis,
          size: 44,
          values: (_plot, counts) => counts.map((count) => count.toLocaleString(locale)),
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000, 1_000_000],
        },
      ],
      series: [
        {},
        ...series.map(({ label, color }, index) => ({
          label,
          ...(index === 0 ? {} : { dash: [6, 4] }),
          width: 2,
          stroke: () => colorOf(element, color),
          points: { show: false },
        })),
      ],
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    },
    [days.map(secondsOf), ...series.map(({ values }) => [...values])],
    element,
  )
}

/** Draws the lines into an element, and again for other numbers, another width or other colours. */
function usePlot(days: readonly string[], series: readonly Series[]) {
  const place = useRef<HTMLDivElement>(null)
  const numbers = JSON.stringify([days, series])
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    let isGone = false
    let plot: Awaited<ReturnType<typeof draw>> | undefined
    const [drawnDays, drawnSeries] = JSON.parse(numbers) as [readonly string[], readonly Series[]]
    void draw(element, drawnDays, drawnSeries).then((drawn) => {
      if (isGone) drawn.destroy()
      else plot = drawn
    })
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const colours = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
    const redraw = () => plot?.redraw()
    for (const each of colours) each.addEventListener('change', redraw)
    return () => {
      isGone = true
      observer.disconnect()
      for (const each of colours) each.removeEventListener('change', redraw)
      plot?.destroy()
    }
  }, [numbers])
  return place
}

function NumbersTable({ days, series }: Omit<ChartProps, 'label'>) {
  return (
    <details className="more">
      <summary>As a table</summary>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map((each) => (
              <th key={each.label} scope="col">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map((each) => (
                <td key={each.label}>{each.values[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

export function Chart({ label, days, series }: ChartProps) {
  const place = usePlot(days, series)
  return (
    <figure className="chart">
      <figcaption>
        {label}
        <span className="chart-legend">
          {series.length > 1
            ? series.map((each, index) => (
                <span key={each.label} className={`legend-${index}`}>
                  {each.label}
                </span>
              ))
            : null}
        </span>
      </figcaption>
      <div ref={place} className="chart-place" aria-hidden="true" />
      <NumbersTable days={days} series={series} />
    </figure>
  )
}
