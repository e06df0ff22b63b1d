import sprite from './icons.svg'

/** The names of the drawings in icons.svg. */
export type IconName =
  | 'alert'
  | 'bell'
  | 'brush'
  | 'building'
  | 'chart'
  | 'check'
  | 'chevron'
  | 'clock'
  | 'close'
  | 'code'
  | 'copy'
  | 'external'
  | 'globe'
  | 'grid'
  | 'image'
  | 'key'
  | 'mail'
  | 'menu'
  | 'moon'
  | 'plus'
  | 'search'
  | 'server'
  | 'settings'
  | 'shield'
  | 'sun'
  | 'trash'
  | 'user'
  | 'users'
  | 'webhook'

/** A drawing beside text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" width="16" height="16" aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
