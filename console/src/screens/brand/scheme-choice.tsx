import type { Scheme } from './brand-values.ts'

interface SchemeChoiceProps {
  readonly scheme: Scheme
  readonly onChoose: (scheme: Scheme) => void
}

/** Whether a preview is in light or in dark. */
export function SchemeChoice({ scheme, onChoose }: SchemeChoiceProps) {
  return (
    <div role="group" aria-label="Light or dark" className="segments">
      {(['light', 'dark'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={scheme === each} onClick={() => onChoose(each)}>
          {each === 'light' ? 'Light' : 'Dark'}
        </button>
      ))}
    </div>
  )
}
