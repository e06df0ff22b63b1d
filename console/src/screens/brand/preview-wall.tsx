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
/** The height at which a page is drawn, whatever the scale. */
const drawnHeight = 460

interface PreviewWallProps {
  readonly brand?: Brand
  readonly scheme: Scheme
  readonly layout?: string
  readonly language?: string
}

export function PreviewWall({ brand, scheme, layout, language: initial = 'en' }: PreviewWallProps) {
  const [state, setState] = useState<(typeof previewStates)[number]['value']>('sign-in')
  const [language, setLanguage] = useState(initial)
  return (
    <div className="wall">
      <div className="list-tools">
        <label className="filter">
          Page
          <select value={state} onChange={({ target }) => setState(target.value as typeof state)}>
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
