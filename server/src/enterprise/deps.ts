export type { Deps } from '../identity/deps.ts'
