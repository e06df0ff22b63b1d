import type { Permission } from '@bailiwick/contract'
import type { ReactNode } from 'react'
import { NotFound } from '../parts/states.tsx'
import { useMay } from '../session/rights.ts'

/** A screen that the user may not see is absent: its address shows what an unknown address shows. */
export function ScreenGate({
  permission,
  children,
}: {
  readonly permission: Permission
  readonly children: ReactNode
}) {
  return useMay(permission).isAllowed ? children : <NotFound />
}
