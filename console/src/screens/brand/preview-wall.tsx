// The hosted pages at the widths of a phone, a tablet and a screen, by state and language.
import type { Brand } from '@bailiwick/contract'
import { useState } from 'react'
import { type Scheme, languageOptions } from './brand-values.ts'
import { PagePreview, previewStates } from './page-preview.tsx'

const widths = [
  { width: 320, scale: 0.7, name: 'Phone' },
  { width: 768, scale: 0.42, name: 'Tablet' },
  { width: 1280, scale: 0.3, name: 'Screen' },
] as const
/** The widths of the preview beside a form, which is 340 pixels wide. */
const paneWidths = [
  { width: 390, scale: 340 / 390, height: 640, name: 'Phone' },
  { width: 1280, scale: 340 / 1280, height: 1600, name: 'Screen' },
] as const
/** The height at which a page is drawn, whatever the scale. */
const drawnHeight = 460

type State = (typeof previewStates)[number]['value']

interface PreviewWallProps {
  readonly brand?: Brand
  readonly scheme: Scheme
  readonly layout?: string
  readonly language?: string
}

/** Chooses which page is shown, and in which language. */
function usePreviewChoice(initial: string) {
  const [state, setState] = useState<State>('sign-in')
  const [language, setLanguage] = useState(initial)
  const choice = (
    <div className="list-tools">
      <label className="filter">
        Page
        <select value={state} onChange={({ target }) => setState(target.value as State)}>
          {previewStates.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="filter">
        Language
        <select value={language} onChange={({ target }) => setLanguage(target.value)}>
          {languageOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
  return { state, language, choice }
}

/** The hosted page as a phone or a screen shows it, to stand beside what changes it. */
export function PreviewPane({ brand, scheme, logo }: PreviewWallProps & { readonly logo: string }) {
  const { state, language, choice } = usePreviewChoice('en')
  const [width, setWidth] = useState<number>(paneWidths[0].width)
  const { scale, height } = paneWidths.find((each) => each.width === width) ?? paneWidths[0]
  return (
    <div className="wall">
      {choice}
      <PagePreview
        // Another logo is another page.
        key={logo}
        state={state}
        width={width}
        height={height}
        scale={scale}
        scheme={scheme}
        language={language}
        {...(brand === undefined ? {} : { brand })}
      />
      <div role="group" aria-label="Width" className="segments">
        {paneWidths.map(({ width: each, name }) => (
          <button key={each} type="button" aria-pressed={each === width} onClick={() => setWidth(each)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}

export function PreviewWall({ brand, scheme, layout, language: initial = 'en' }: PreviewWallProps) {
  const { state, language, choice } = usePreviewChoice(initial)
  return (
    <div className="wall">
      {choice}
      <div className="wall-pages">
        {widths.map(({ width, scale, name }) => (
          <figure key={width}>
            <PagePreview
              state={state}
              width={width}
              height={Math.round(drawnHeight / scale)}
              scale={scale}
              scheme={scheme}
              language={language}
              {...(brand === undefined ? {} : { brand })}
              {...(layout === undefined ? {} : { layout })}
            />
            <figcaption>
              {name} <span className="quiet">{width}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </div>
  )
}
