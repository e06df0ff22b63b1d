// What the console knows about a screen.
import type { Permission } from '@bailiwick/contract'
import type { ComponentType } from 'react'
import type { OperationId } from '../api/operations.ts'
import type { IconName } from '../parts/icon.tsx'

/** Sections of the sidebar, in this order. */
export const groups = [
  '',
  'Users',
  'Sign-in',
  'Applications',
  'Appearance',
  'Messaging',
  'Development',
  'Tenant',
] as const

export interface Screen {
  /** The path below the tenant, such as `users/$id`; with a leading slash below the console itself, such as `/deployment`. */
  readonly path: string
  readonly title: string
  /** The section of the sidebar. */
  readonly group: (typeof groups)[number]
  /** Shown in the sidebar and the palette. A screen without one, such as that of a single record, is reached from another one. */
  readonly icon?: IconName
  /** The right that opens it: users without it do not see the screen. */
  readonly permission: Permission
  /** The operations that it calls. */
  readonly operations: readonly OperationId[]
  readonly load: () => Promise<ComponentType>
}
