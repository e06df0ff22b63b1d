// Tests of apps: a tenant of their own with users, the messages that it would send, and a clock that can be moved.
export { type TestTenantOptions, createTestTenant } from './create-test-tenant.ts'
export { followClock } from './follow-clock.ts'
export type { TestOrganization, TestRole, TestSeed, TestUser, TestUserInput } from './seed.ts'
export { type BrowserCookie, TestSession } from './test-session.ts'
export type { CaughtMessage, TestTenant } from './test-tenant.ts'
