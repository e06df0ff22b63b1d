import type { ProviderKey } from '@bailiwick/contract'
import type { Provider } from './provider.ts'
import { apple } from './providers/apple.ts'
import { facebook } from './providers/facebook.ts'
import { github } from './providers/github.ts'
import { gitlab } from './providers/gitlab.ts'
import { google } from './providers/google.ts'

export const providers: Readonly<Record<ProviderKey, Provider>> = { google, github, gitlab, apple, facebook }
