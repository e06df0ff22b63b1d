'use client'
// Sign-in, users and organizations in React.
export { type UseAccounts, useAccounts } from './accounts.ts'
export type { Appearance, AppearancePart } from './appearance.ts'
export type { ActiveOrganization, InitialState, RecentProof, Session, User } from './auth-state.ts'
export { type GateProps, Protect, type ProtectProps, SignedIn, SignedOut } from './gates.tsx'
export {
  type UseOrganization,
  type UseRecentProof,
  type UseSession,
  type UseToken,
  type UseUser,
  useOrganization,
  useRecentProof,
  useSession,
  useToken,
  useUser,
} from './hooks.ts'
export { OrganizationSwitcher, type OrganizationSwitcherProps } from './organization-switcher.tsx'
export { OrganizationProfile, type OrganizationProfileProps, type PageLinkProps, UserProfile } from './page-links.tsx'
export { BailiwickProvider, type BailiwickProviderProps } from './provider.tsx'
export { SignIn, type SignInProps, SignUp } from './sign-in.tsx'
export { UserButton, type UserButtonProps } from './user-button.tsx'
