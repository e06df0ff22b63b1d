import sprite from './icons.svg'

/** The names of the drawings in icons.svg. */
export type IconName =
  | 'admin'
  | 'alert'
  | 'badge'
  | 'brush'
  | 'building'
  | 'card'
  | 'chart'
  | 'check'
  | 'chevron'
  | 'clock'
  | 'close'
  | 'code'
  | 'compass'
  | 'copy'
  | 'crop'
  | 'enter'
  | 'flask'
  | 'fork'
  | 'globe'
  | 'home'
  | 'hourglass'
  | 'image'
  | 'key'
  | 'lock'
  | 'mail'
  | 'menu'
  | 'monitor'
  | 'page'
  | 'plug'
  | 'plus'
  | 'puzzle'
  | 'question'
  | 'search'
  | 'send'
  | 'server'
  | 'settings'
  | 'shield'
  | 'smile'
  | 'tag'
  | 'template'
  | 'user'
  | 'users'
  | 'webhook'
  | 'window'

/** A drawing beside text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" width="16" height="16" aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
