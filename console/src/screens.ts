// Every screen of the console: where it is, who sees it, and which operations it calls. The sidebar, the palette and the routes are made
// of this list, and coverage.test.ts holds it to the contract. docs/console.md says how a screen is added.
import type { Permission } from '@bailiwick/contract'
import type { ComponentType } from 'react'
import type { OperationId } from './api/operations.ts'
import type { IconName } from './parts/icon.tsx'
import { tenantScreens } from './screens/tenant-screens.ts'

/** Sections of the sidebar, in this order. */
export const groups = ['', 'People', 'Sign-in', 'Appearance', 'Messaging', 'Development', 'Tenant'] as const

export interface Screen {
  /** Below the tenant, such as `users/$id`; with a leading slash below the console itself, such as `/deployment`. */
  readonly path: string
  readonly title: string
  /** The section of the sidebar. */
  readonly group: (typeof groups)[number]
  /** In the sidebar and the palette. A screen without one, such as that of a single record, is reached from another one. */
  readonly icon?: IconName
  /** The right that opens it: for whoever has it not, the screen is absent. */
  readonly permission: Permission
  /** The operations that it calls. */
  readonly operations: readonly OperationId[]
  readonly load: () => Promise<ComponentType>
}

export const screens: readonly Screen[] = [
  {
    path: '/',
    title: 'Tenants',
    group: '',
    permission: 'authenticated',
    operations: ['listTenants', 'listOwnInvitations', 'acceptOwnInvitation', 'declineOwnInvitation'],
    load: async () => (await import('./screens/tenants/tenants.tsx')).Tenants,
  },
  {
    path: '/tenants/new',
    title: 'Create a tenant',
    group: '',
    permission: 'create-tenant',
    operations: ['createTenant'],
    load: async () => (await import('./screens/tenants/create-tenant.tsx')).CreateTenant,
  },
  {
    path: '/deployment',
    title: 'Deployment',
    group: '',
    permission: 'operator',
    operations: ['getMeta', 'createConsoleUser', 'restoreTenant'],
    load: async () => (await import('./screens/deployment/deployment.tsx')).Deployment,
  },
  {
    path: '',
    title: 'Overview',
    group: '',
    icon: 'chart',
    permission: 'authenticated',
    operations: ['listStatistics', 'listSignUpsByDay', 'listSessionsByDay', 'listRecentSignIns', 'listMessagesByDay'],
    load: async () => (await import('./screens/overview/overview.tsx')).Overview,
  },
  ...tenantScreens,
  {
    path: 'users',
    title: 'Users',
    group: 'People',
    icon: 'users',
    permission: 'users:read',
    operations: ['listUsers'],
    load: async () => (await import('./screens/users/users.tsx')).Users,
  },
  {
    path: 'users/new',
    title: 'Create a user',
    group: 'People',
    permission: 'users:write',
    operations: ['createUser'],
    load: async () => (await import('./screens/users/create-user.tsx')).CreateUser,
  },
  {
    path: 'users/transfer',
    title: 'Import and export users',
    group: 'People',
    permission: 'users:read',
    operations: ['importUsers', 'exportUsers'],
    load: async () => (await import('./screens/users/transfer.tsx')).UserTransfer,
  },
  {
    path: 'users/$id',
    title: 'User',
    group: 'People',
    permission: 'users:read',
    operations: [
      'getUser',
      'updateUser',
      'deleteUser',
      'suspendUser',
      'unsuspendUser',
      'unlockUser',
      'changeUserPassword',
      'impersonateUser',
      'exportUserData',
      'explainSignIn',
      'listUserAuthenticators',
      'deleteUserAuthenticator',
      'listUserSessions',
      'deleteSession',
      'listSignInAttempts',
      'createEmailAddress',
      'verifyEmailAddress',
      'makePrimaryEmailAddress',
      'deleteEmailAddress',
      'createPhoneNumber',
      'verifyPhoneNumber',
      'makePrimaryPhoneNumber',
      'deletePhoneNumber',
    ],
    load: async () => (await import('./screens/users/user.tsx')).User,
  },
  {
    path: 'settings',
    title: 'Settings',
    group: 'Tenant',
    icon: 'settings',
    permission: 'config:read',
    operations: ['getTenant', 'updateTenant', 'getTenantLimits', 'putTenantLimits', 'deleteTenant'],
    load: async () => (await import('./screens/settings/settings.tsx')).Settings,
  },
]
