import type { User } from '@bailiwick/contract'
import { Badge } from '../../values/badge.tsx'

const tones = { active: 'good', inactive: 'warning', suspended: 'bad' } as const

export function StatusBadge({ status }: { readonly status: User['status'] }) {
  return status === null || status === undefined ? null : <Badge tone={tones[status]}>{status}</Badge>
}
