'use client'
// The look and the texts of a component: the provider's settings, overridden by its own, in the tenant's brand.
import type { Brand } from '@bailiwick/contract'
import { type CSSProperties, useEffect, useMemo } from 'react'
import { type Appearance, type ClassesOf, classNames } from './appearance.ts'
import { brandStyle } from './brand.ts'
import { useSnapshot } from './hooks.ts'
import { useBailiwick } from './provider.tsx'
import type { BaseTexts, Texts } from './texts/catalogue.ts'

export interface Look<Words = BaseTexts & Partial<Texts>> {
  readonly classes: ClassesOf
  /** The brand's properties, for the outermost element. */
  readonly style: CSSProperties | undefined
  readonly texts: Words
}

export function useLook(own: Appearance | undefined): Look {
  const { appearance, brand, store, texts } = useBailiwick()
  const tenant = useSnapshot((snapshot) => snapshot.tenant)
  const isWanted = brand === undefined
  useEffect(() => {
    // Without the brand, the component keeps the style sheet's colours.
    if (isWanted) store.loadTenant().catch(() => undefined)
  }, [isWanted, store])
  const shown = brand === false ? undefined : (brand ?? (tenant?.brand as Brand | undefined))
  const style = useMemo(() => brandStyle(shown), [shown])
  const classes = useMemo(() => classNames(appearance, own), [appearance, own])
  return { classes, style, texts }
}
