import { locale } from '../texts/translate.ts'
import { Badge } from './badge.tsx'

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })

/** Shows until when something lasts. The exact time is shown to a pointer that rests on it. */
export function Until({ at, what }: { readonly at: string | null | undefined; readonly what: string }) {
  return at === null || at === undefined ? null : (
    <Badge tone="warning">
      {what} until{' '}
      <time dateTime={at} title={new Date(at).toLocaleString(locale)}>
        {day.format(new Date(at))}
      </time>
    </Badge>
  )
}
