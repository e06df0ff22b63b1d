// Each surface with what is on it: both colours, how they look together, and whether they can be read.
import type { Brand } from '@bailiwick/contract'
import { Badge } from '../../values/badge.tsx'
import {
  type ColorPair,
  type LightName,
  type Scheme,
  isDecoration,
  pairs,
  propertyOf,
  shownColor,
} from './brand-values.ts'
import { hexOf, readColor, stateOf } from './colors.ts'

interface ColorPairsProps {
  readonly brand: Brand
  readonly scheme: Scheme
  readonly isDisabled: boolean
  readonly onChange: (brand: Brand) => void
}

export function ColorPairs(props: ColorPairsProps) {
  const { brand, scheme, isDisabled, onChange } = props
  const radius = scheme === 'light' ? 'radius' : 'darkRadius'
  return (
    <div className="pairs">
      {pairs.map((pair) => (
        <Pair key={pair.title} pair={pair} {...props} />
      ))}
      <label className="field pair-radius">
        <span className="label">Round corners</span>
        <input
          value={brand[radius] ?? ''}
          placeholder="10px"
          maxLength={200}
          disabled={isDisabled}
          spellCheck={false}
          onChange={({ target }) => onChange({ ...brand, [radius]: target.value })}
        />
      </label>
    </div>
  )
}

function Pair({ pair, brand, scheme, isDisabled, onChange }: ColorPairsProps & { readonly pair: ColorPair }) {
  const { title, on, color, ratio } = pair
  const [surface, above] = [shownColor(brand, on, scheme), shownColor(brand, color, scheme)]
  const { contrast, passes, nearest } = stateOf(pair, above, surface)
  const set = (name: LightName, value: string) => onChange({ ...brand, [propertyOf(name, scheme)]: value })
  const isLine = ratio === 3
  const sample =
    readColor(surface) === undefined || readColor(above) === undefined
      ? {}
      : { background: surfaceCss(surface), color: surfaceCss(above) }
  return (
    <fieldset className="pair">
      <legend>{title}</legend>
      <span className={isLine ? 'pair-sample line' : 'pair-sample'} style={sample} aria-hidden="true">
        {isLine ? '' : 'Aa'}
      </span>
      <ColorField
        label={`${title}: ground`}
        value={brand[propertyOf(on, scheme)]}
        shown={surface}
        isDisabled={isDisabled}
        onChange={(value) => set(on, value)}
      />
      <ColorField
        label={`${title}: ${isLine ? 'line' : 'text'}`}
        value={brand[propertyOf(color, scheme)]}
        shown={above}
        isDisabled={isDisabled}
        onChange={(value) => set(color, value)}
      />
      <span className="pair-state">
        {contrast === undefined ? (
          <Badge tone="warning">no colour</Badge>
        ) : (
          <Badge tone={passes ? 'good' : isDecoration(pair) ? 'plain' : 'bad'}>
            {contrast.toFixed(1)} : 1{passes ? '' : isDecoration(pair) ? ' (decoration)' : ` of ${ratio}`}
          </Badge>
        )}
        {nearest === undefined || isDecoration(pair) ? null : (
          <button type="button" className="button small" disabled={isDisabled} onClick={() => set(color, nearest)}>
            <span className="swatch" style={{ background: nearest }} aria-hidden="true" /> Use {nearest}
          </button>
        )}
      </span>
    </fieldset>
  )
}

/** Returns a colour as CSS, even a bare triplet. */
const surfaceCss = (value: string) => {
  const read = readColor(value)
  return read === undefined ? value : hexOf(read)
}

interface ColorFieldProps {
  readonly label: string
  readonly value: string | undefined
  /** Returns the colour in effect, with which the field's picker begins. */
  readonly shown: string
  readonly isDisabled: boolean
  readonly onChange: (value: string) => void
}

/** A colour as text in any notation, with the browser's picker beside it. */
export function ColorField({ label, value, shown, isDisabled, onChange }: ColorFieldProps) {
  const read = readColor(shown)
  return (
    <span className="color-field">
      <input
        type="color"
        aria-label={`${label}, picker`}
        value={read === undefined ? '#000000' : hexOf(read)}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      />
      <input
        type="text"
        aria-label={label}
        value={value ?? ''}
        placeholder={read === undefined ? 'default' : hexOf(read)}
        maxLength={200}
        disabled={isDisabled}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  )
}
