// The class names that an app adds to those of the package, for each part.

/** The parts to which a class name can be added. Each also has the class `bw-…` of the style sheet. */
export type AppearancePart =
  | 'root'
  | 'button'
  | 'primaryButton'
  | 'link'
  | 'avatar'
  | 'userButton'
  | 'menu'
  | 'menuItem'
  | 'select'
  | 'card'
  | 'title'
  | 'lead'
  | 'form'
  | 'field'
  | 'label'
  | 'input'
  | 'hint'
  | 'error'

export interface Appearance {
  readonly elements?: Readonly<Partial<Record<AppearancePart, string>>> | undefined
}

/** Returns the classes of a part: the package's own, then those of the provider, then those of the component. */
export type ClassesOf = (own: string, part: AppearancePart) => string

export const classNames =
  (...appearances: readonly (Appearance | undefined)[]): ClassesOf =>
  (own, part) =>
    [own, ...appearances.map((appearance) => appearance?.elements?.[part])].filter(Boolean).join(' ')
