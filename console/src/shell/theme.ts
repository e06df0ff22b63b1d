// Light or dark, as the system is set or as chosen in this browser.

export type Theme = 'system' | 'light' | 'dark'

export const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { readonly value: Theme; readonly label: string }[]

const storageKey = 'bailiwick-console-theme'

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return themes.find(({ value }) => value === stored)?.value ?? 'system'
}

export function applyTheme(theme: Theme = chosenTheme()) {
  document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme) {
  localStorage.setItem(storageKey, theme)
  applyTheme(theme)
}
