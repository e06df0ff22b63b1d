// Two ways to fill in a whole brand: derived from a few colours, or pasted from a theme.
import type { Brand } from '@bailiwick/contract'
import { useState } from 'react'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toasts.tsx'
import { ColorField } from './color-pairs.tsx'
import { type BaseColors, deriveBrand } from './colors.ts'
import { readShadcn } from './paste.ts'

const bases = [
  { name: 'primary', label: 'Main colour', placeholder: '#0f766e' },
  { name: 'background', label: 'Background (optional)', placeholder: '#ffffff' },
  { name: 'accent', label: 'Accent (optional)', placeholder: '#115e59' },
  { name: 'destructive', label: 'Errors (optional)', placeholder: '#b91c1c' },
] as const

interface DeriveColorsProps {
  readonly brand: Brand
  readonly isDisabled: boolean
  readonly onDerived: (brand: Brand) => void
}

export function DeriveColors({ brand, isDisabled, onDerived }: DeriveColorsProps) {
  const [base, setBase] = useState<BaseColors>({ primary: '' })
  const derive = () => {
    const derived = deriveBrand(base)
    if (derived === undefined) return
    const { radius, darkRadius } = brand
    onDerived({
      ...derived,
      ...(radius === undefined ? {} : { radius }),
      ...(darkRadius === undefined ? {} : { darkRadius }),
    })
    toast('Light and dark colours are derived. Save when you like them.')
  }
  return (
    <Section
      title="Start from your brand colour"
      about="All other colours follow from them, for light and dark pages, so that every text can be read on its surface."
    >
      <div className="bases">
        {bases.map(({ name, label, placeholder }) => (
          <div key={name} className="field">
            <span className="label">{label}</span>
            <ColorField
              label={label}
              value={base[name]}
              shown={base[name] === undefined || base[name] === '' ? placeholder : base[name]}
              isDisabled={isDisabled}
              onChange={(value) => setBase({ ...base, [name]: value })}
            />
          </div>
        ))}
      </div>
      <div className="actions">
        <button
          type="button"
          className="button"
          disabled={isDisabled || deriveBrand(base) === undefined}
          onClick={derive}
        >
          Derive colours
        </button>
      </div>
    </Section>
  )
}

interface PasteThemeProps {
  readonly isDisabled: boolean
  readonly onPasted: (brand: Brand) => void
}

export function PasteTheme({ isDisabled, onPasted }: PasteThemeProps) {
  const [text, setText] = useState('')
  const { brand, ignored } = readShadcn(text)
  const count = Object.keys(brand).length
  const use = () => {
    onPasted(brand)
    setText('')
    toast(`${count} properties are filled in. Save when you like them.`)
  }
  return (
    <Section title="Paste a theme" about="A shadcn theme has the same properties: paste its :root and .dark blocks.">
      <label className="field">
        <span className="label">CSS</span>
        <textarea
          className="code"
          rows={6}
          value={text}
          maxLength={20_000}
          disabled={isDisabled}
          spellCheck={false}
          placeholder=":root { --primary: oklch(0.52 0.1 190); } .dark { --primary: oklch(0.8 0.1 190); }"
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <div className="actions">
        <button type="button" className="button" disabled={isDisabled || count === 0} onClick={use}>
          Fill in {count === 1 ? '1 property' : `${count} properties`}
        </button>
        {ignored === 0 ? null : (
          <span className="quiet">
            {ignored === 1 ? '1 other property has' : `${ignored} other properties have`} no place in a brand.
          </span>
        )}
      </div>
    </Section>
  )
}
