// Reads a theme as shadcn writes it: `:root { --primary: …; }` for light and `.dark { … }` for dark pages.
import { type Brand, type BrandProperty, brandProperties } from '@bailiwick/contract'
import { propertyOf, type LightName } from './brand-values.ts'

const known: ReadonlySet<string> = new Set(brandProperties)
const camel = (name: string) => name.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase())
const block = /([^{}]*)\{([^{}]*)\}/g
const declaration = /--([a-z][a-z0-9-]*)\s*:\s*([^;]+)/gi

export interface Pasted {
  readonly brand: Brand
  /** The number of its properties that the brand has no place for, such as those of charts and sidebars. */
  readonly ignored: number
}

/** Reads the blocks of a style sheet, or bare declarations, which count as light. */
export function readShadcn(text: string): Pasted {
  const brand: Partial<Record<BrandProperty, string>> = {}
  let ignored = 0
  const read = (declarations: string, scheme: 'light' | 'dark') => {
    for (const [, name = '', value = ''] of declarations.matchAll(declaration)) {
      const property = propertyOf(camel(name) as LightName, scheme)
      if (known.has(property)) brand[property] = value.trim()
      else ignored++
    }
  }
  const blocks = [...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(block)]
  if (blocks.length === 0) read(text, 'light')
  for (const [, selector = '', declarations = ''] of blocks)
    read(declarations, /dark/.test(selector) ? 'dark' : 'light')
  return { brand, ignored }
}
